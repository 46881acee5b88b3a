-- What befalls a permit between its grant and its end. A range never holds the day after its last: '[)'.
CREATE TABLE renewal_request (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    permit_id uuid NOT NULL,
    licence_id uuid NOT NULL,
    requested_on date NOT NULL,
    complete boolean NOT NULL,
    decision jsonb NOT NULL,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, licence_id) REFERENCES licence,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);
CREATE INDEX renewal_request_of_permit ON renewal_request (tenant_id, permit_id, requested_on, id);
CREATE INDEX renewal_request_of_licence ON renewal_request (tenant_id, licence_id, requested_on, id);
CREATE UNIQUE INDEX renewal_is_asked_in_full_once ON renewal_request (tenant_id, licence_id) WHERE complete;

CREATE TABLE extension (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    permit_id uuid NOT NULL,
    during daterange NOT NULL CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during)),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CONSTRAINT one_extension_at_a_time EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX extension_of_permit ON extension (tenant_id, permit_id, id);

CREATE TABLE substitute (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    rule text NOT NULL CHECK (rule <> ''),
    role text,
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: gone on the day they came
    act_id uuid NOT NULL,
    ended_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, ended_act) REFERENCES act,
    CONSTRAINT one_substitute_at_a_time EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX substitute_of_permit ON substitute (tenant_id, permit_id, id);
CREATE INDEX substitute_of_driver ON substitute (tenant_id, driver_id, id);

CREATE TABLE transfer (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    from_permit uuid NOT NULL,
    to_permit uuid NOT NULL,
    cause text NOT NULL CHECK (cause <> ''),
    rule text NOT NULL CHECK (rule <> ''),
    requested_on date NOT NULL,
    event_on date,
    transferred_on date NOT NULL CHECK (requested_on <= transferred_on),
    remaining text NOT NULL CHECK (remaining IN ('rest', 'new')),
    locked_until date,
    barred_until date,
    fee_units numeric CHECK (fee_units >= 0),
    fee_unit text,
    fee_rate numeric CHECK (fee_rate >= 0),
    fee_brl numeric CHECK (fee_brl >= 0),
    declared jsonb NOT NULL DEFAULT '{}',
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, from_permit),
    UNIQUE (tenant_id, to_permit),
    FOREIGN KEY (tenant_id, from_permit) REFERENCES permit,
    FOREIGN KEY (tenant_id, to_permit) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CHECK (from_permit <> to_permit)
);

CREATE TABLE absence (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: back on the day of leaving
    justified boolean NOT NULL DEFAULT false,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CONSTRAINT one_absence_at_a_time EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX absence_of_permit ON absence (tenant_id, permit_id, id);

CREATE TABLE proposal (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    effect text NOT NULL CHECK (effect IN ('end', 'suspend')),
    cause text,
    ground text NOT NULL CHECK (ground <> ''),
    proposed_on date NOT NULL,
    office text,
    decision jsonb NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'applied', 'dismissed')),
    closed_on date,
    act_id uuid NOT NULL,
    closed_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, closed_act) REFERENCES act,
    CHECK ((effect = 'end') = (cause IS NOT NULL)),
    CHECK ((state = 'open') = (closed_on IS NULL)),
    CHECK ((closed_on IS NULL) = (closed_act IS NULL))
);
CREATE INDEX proposal_of_permit ON proposal (tenant_id, permit_id, id);
CREATE UNIQUE INDEX one_thing_is_proposed_once ON proposal (tenant_id, permit_id, effect, ground) WHERE state = 'open';

CREATE TABLE suspension (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    proposal_id uuid NOT NULL,
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: lifted on the day it began
    act_id uuid NOT NULL,
    lifted_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, proposal_id) REFERENCES proposal,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, lifted_act) REFERENCES act,
    CONSTRAINT one_suspension_at_a_time EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX suspension_of_permit ON suspension (tenant_id, permit_id, id);

-- A licence that was to begin after the permit's end never does: its range is then empty.
ALTER TABLE licence DROP CONSTRAINT licence_during_check;
ALTER TABLE licence ADD CONSTRAINT licence_during_check CHECK (NOT lower_inf(during));

CREATE FUNCTION state(it substitute, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.during @> day THEN 'active'
        WHEN day < lower(it.during) THEN 'future'
        ELSE 'ended'
    END
$$;

CREATE FUNCTION state(it suspension, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.during @> day THEN 'active'
        WHEN day < lower(it.during) THEN 'future'
        ELSE 'ended'
    END
$$;

SELECT guard_town_rows();
REVOKE UPDATE ON renewal_request, extension, transfer FROM praca_app;
