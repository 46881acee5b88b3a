-- Calls for vacancies, who answers them, and what is published of them. Days are the town's; `*_on` begins a state.
CREATE TABLE selection_call (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    number text NOT NULL CHECK (number <> ''),
    category text NOT NULL CHECK (category <> ''),
    rule text NOT NULL CHECK (rule <> ''),
    vacancies integer NOT NULL CHECK (vacancies > 0),
    announced_on date NOT NULL,
    opens_on date NOT NULL,
    closes_on date NOT NULL,
    opened_act uuid NOT NULL,
    frozen_on date,
    frozen_act uuid,
    draw_source text CHECK (draw_source <> ''),
    draw_on date,
    seed text CHECK (seed <> ''),
    seed_on date,
    seed_act uuid,
    absent uuid[] NOT NULL DEFAULT '{}',
    result_on date,
    result_act uuid,
    result jsonb CHECK (jsonb_typeof(result) = 'object'),
    awarded_on date,
    awarded_act uuid,
    ended_on date,
    ended_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, opened_act) REFERENCES act,
    FOREIGN KEY (tenant_id, frozen_act) REFERENCES act,
    FOREIGN KEY (tenant_id, seed_act) REFERENCES act,
    FOREIGN KEY (tenant_id, result_act) REFERENCES act,
    FOREIGN KEY (tenant_id, awarded_act) REFERENCES act,
    FOREIGN KEY (tenant_id, ended_act) REFERENCES act,
    CHECK (announced_on <= opens_on AND opens_on <= closes_on),
    CHECK (num_nulls(frozen_on, frozen_act) IN (0, 2)),
    CHECK (num_nulls(draw_source, draw_on) IN (0, 2)),
    CHECK (num_nulls(seed, seed_on, seed_act) IN (0, 3)),  -- law-free: the columns counted
    CHECK (num_nulls(result_on, result_act, result) IN (0, 3)),  -- law-free: the columns counted
    CHECK (num_nulls(awarded_on, awarded_act) IN (0, 2)),
    CHECK (num_nulls(ended_on, ended_act) IN (0, 2)),
    CHECK (frozen_on > closes_on),
    CHECK (draw_on > frozen_on),
    CHECK (seed_on >= draw_on),
    CHECK (seed IS NULL OR draw_on IS NOT NULL),
    CHECK (result_on IS NULL OR frozen_on IS NOT NULL),
    CHECK (awarded_on IS NULL OR result_on IS NOT NULL)
);
CREATE INDEX selection_call_of_category ON selection_call (tenant_id, category, id);

CREATE TABLE selection_candidate (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    call_id uuid NOT NULL,
    holder_id uuid NOT NULL,
    vehicle_id uuid NOT NULL,
    declared jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(declared) = 'object'),
    facts jsonb CHECK (jsonb_typeof(facts) = 'object'),
    enrolled_on date NOT NULL,
    enrolled_act uuid NOT NULL,
    excluded_on date,
    excluded_act uuid,
    excluded_why text,
    place integer CHECK (place >= 0),
    awarded_on date,
    awarded_act uuid,
    lost_on date,
    lost_act uuid,
    lost_why text,
    signed_on date,
    signed_act uuid,
    permit_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, call_id, holder_id),
    UNIQUE (tenant_id, call_id, vehicle_id),
    FOREIGN KEY (tenant_id, call_id) REFERENCES selection_call,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, vehicle_id) REFERENCES vehicle,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, enrolled_act) REFERENCES act,
    FOREIGN KEY (tenant_id, excluded_act) REFERENCES act,
    FOREIGN KEY (tenant_id, awarded_act) REFERENCES act,
    FOREIGN KEY (tenant_id, lost_act) REFERENCES act,
    FOREIGN KEY (tenant_id, signed_act) REFERENCES act,
    CHECK (num_nulls(excluded_on, excluded_act, excluded_why) IN (0, 3)),  -- law-free: the columns counted
    CHECK (num_nulls(awarded_on, awarded_act) IN (0, 2)),
    CHECK (num_nulls(lost_on, lost_act, lost_why) IN (0, 3)),  -- law-free: the columns counted
    CHECK (num_nulls(signed_on, signed_act, permit_id) IN (0, 3)),  -- law-free: the columns counted
    CHECK (awarded_on IS NULL OR (place > 0 AND excluded_on IS NULL)),
    CHECK (lost_on IS NULL OR (awarded_on IS NOT NULL AND signed_on IS NULL)),
    CHECK (signed_on IS NULL OR awarded_on IS NOT NULL)
);
CREATE INDEX selection_candidate_in_line ON selection_candidate (tenant_id, call_id, place, id);
CREATE INDEX selection_candidate_of_holder ON selection_candidate (tenant_id, holder_id, id);
CREATE INDEX selection_candidate_of_vehicle ON selection_candidate (tenant_id, vehicle_id, id);
CREATE INDEX selection_candidate_of_permit ON selection_candidate (tenant_id, permit_id, id) WHERE permit_id IS NOT NULL;

-- What was published before the seed was known, letter by letter. Never changed: a correction is the next revision.
CREATE TABLE selection_list (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    call_id uuid NOT NULL,
    revision integer NOT NULL CHECK (revision > 0),
    text text NOT NULL CHECK (text <> ''),
    sha256 text NOT NULL CHECK (sha256 = encode(sha256(convert_to(text, 'UTF8')), 'hex')),
    published_on date NOT NULL,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, call_id, revision),
    FOREIGN KEY (tenant_id, call_id) REFERENCES selection_call,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);

CREATE TABLE selection_judgement (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    call_id uuid NOT NULL,
    step integer NOT NULL CHECK (step > 0),
    places jsonb NOT NULL CHECK (jsonb_typeof(places) = 'object'),
    office text NOT NULL CHECK (office <> ''),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, call_id) REFERENCES selection_call,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);

CREATE INDEX selection_judgement_of_call ON selection_judgement (tenant_id, call_id, step, id);

CREATE TABLE selection_objection (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    call_id uuid NOT NULL,
    candidate_id uuid NOT NULL,
    says text NOT NULL CHECK (says <> ''),
    filed_on date NOT NULL,
    filed_act uuid NOT NULL,
    upheld boolean,
    decided_on date,
    decided_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, call_id) REFERENCES selection_call,
    FOREIGN KEY (tenant_id, candidate_id) REFERENCES selection_candidate,
    FOREIGN KEY (tenant_id, filed_act) REFERENCES act,
    FOREIGN KEY (tenant_id, decided_act) REFERENCES act,
    CHECK (num_nulls(upheld, decided_on, decided_act) IN (0, 3))  -- law-free: the columns counted
);
CREATE INDEX selection_objection_of_call ON selection_objection (tenant_id, call_id, id);
CREATE INDEX selection_objection_of_candidate ON selection_objection (tenant_id, candidate_id, id);

CREATE FUNCTION state(it selection_call, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.ended_on <= day THEN 'ended'
        WHEN it.awarded_on <= day THEN 'awarded'
        WHEN it.result_on <= day THEN 'published'
        WHEN it.frozen_on <= day THEN 'frozen'
        WHEN it.closes_on < day THEN 'closed'
        WHEN it.opens_on <= day THEN 'open'
        ELSE 'announced'
    END
$$;

CREATE FUNCTION state(it selection_candidate, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.signed_on <= day THEN 'signed'
        WHEN it.lost_on <= day THEN 'lost'
        WHEN it.awarded_on <= day THEN 'awarded'
        WHEN it.excluded_on <= day THEN 'excluded'
        WHEN it.enrolled_on <= day THEN 'enrolled'
        ELSE 'future'
    END
$$;

SELECT guard_town_rows();

-- What was published or judged stays as it is.
REVOKE UPDATE ON selection_list, selection_judgement FROM praca_app;
