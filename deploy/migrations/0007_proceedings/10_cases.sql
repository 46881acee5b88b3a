-- Administrative cases: who answers for what, how each was served, and the file of pieces. Days are the town's.
CREATE TABLE proceeding (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    number text CHECK (number <> ''),  -- given as the last write of the opening
    process text NOT NULL CHECK (process <> ''),
    opened_by text NOT NULL CHECK (opened_by <> ''),
    source_kind text CHECK (source_kind <> ''),
    source_id uuid,
    category text CHECK (category <> ''),
    permit_id uuid,
    seen_on date NOT NULL,
    opened_on date NOT NULL,
    opened_act uuid NOT NULL,
    decision jsonb NOT NULL CHECK (jsonb_typeof(decision) = 'object'),
    step text CHECK (step <> ''),
    back text CHECK (back <> ''),
    archived_on date,
    archived_act uuid,
    held_on date,
    held_act uuid,
    held_why text,
    disposed_on date,
    disposed_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, opened_act) REFERENCES act,
    FOREIGN KEY (tenant_id, archived_act) REFERENCES act,
    FOREIGN KEY (tenant_id, held_act) REFERENCES act,
    FOREIGN KEY (tenant_id, disposed_act) REFERENCES act,
    CHECK (seen_on <= opened_on),
    CHECK (num_nulls(source_kind, source_id) IN (0, 2)),
    CHECK (num_nulls(archived_on, archived_act) IN (0, 2)),
    CHECK (num_nulls(held_on, held_act, held_why) IN (0, 3)),  -- law-free: the columns counted
    CHECK (num_nulls(disposed_on, disposed_act) IN (0, 2)),
    CHECK (archived_on IS NULL OR step IS NULL),
    CHECK (disposed_on IS NULL OR (disposed_on > archived_on AND held_on IS NULL))
);
-- One fact has one file.
CREATE UNIQUE INDEX one_case_of_a_source ON proceeding (tenant_id, source_kind, source_id)
    WHERE source_id IS NOT NULL;
CREATE INDEX proceeding_of_permit ON proceeding (tenant_id, permit_id, id) WHERE permit_id IS NOT NULL;

CREATE TABLE proceeding_party (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    proceeding_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('respondent', 'representative')),
    holder_id uuid,
    driver_id uuid,
    person_id uuid,
    name text CHECK (name <> ''),
    acts_for uuid,
    since date NOT NULL,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, proceeding_id) REFERENCES proceeding,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, person_id) REFERENCES person,
    FOREIGN KEY (tenant_id, acts_for) REFERENCES proceeding_party,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CHECK ((acts_for IS NULL) = (role = 'respondent')),
    CHECK (num_nonnulls(holder_id, driver_id, person_id) <= 1)
);
CREATE INDEX proceeding_party_of_case ON proceeding_party (tenant_id, proceeding_id, id);

-- An infraction that the case is about: what it draws, what became of it. Without a party it is every respondent's.
CREATE TABLE proceeding_charge (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    proceeding_id uuid NOT NULL,
    party_id uuid,
    infraction text NOT NULL CHECK (infraction <> ''),
    title text NOT NULL,
    effects jsonb NOT NULL CHECK (jsonb_typeof(effects) = 'array'),
    applied boolean NOT NULL DEFAULT false,
    fine_id uuid,
    proposal_id uuid,
    outcome text CHECK (outcome IN ('upheld', 'dismissed')),
    decided_on date,
    decided_act uuid,
    appealed_on date,
    appealed_act uuid,
    suspended_on date,
    suspended_act uuid,
    final_on date,
    final_act uuid,
    enforced_on date,
    enforced_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, proceeding_id, infraction),
    FOREIGN KEY (tenant_id, proceeding_id) REFERENCES proceeding,
    FOREIGN KEY (tenant_id, party_id) REFERENCES proceeding_party,
    FOREIGN KEY (tenant_id, fine_id) REFERENCES fine,
    FOREIGN KEY (tenant_id, proposal_id) REFERENCES proposal,
    FOREIGN KEY (tenant_id, decided_act) REFERENCES act,
    FOREIGN KEY (tenant_id, appealed_act) REFERENCES act,
    FOREIGN KEY (tenant_id, suspended_act) REFERENCES act,
    FOREIGN KEY (tenant_id, final_act) REFERENCES act,
    FOREIGN KEY (tenant_id, enforced_act) REFERENCES act,
    CHECK (num_nulls(outcome, decided_on, decided_act) IN (0, 3)),  -- law-free: the columns counted
    CHECK (num_nulls(appealed_on, appealed_act) IN (0, 2)),
    CHECK (num_nulls(suspended_on, suspended_act) IN (0, 2)),
    CHECK (num_nulls(final_on, final_act) IN (0, 2)),
    CHECK (num_nulls(enforced_on, enforced_act) IN (0, 2)),
    CHECK (final_on IS NULL OR (outcome IS NOT NULL AND suspended_on IS NULL)),
    CHECK (enforced_on IS NULL OR (final_on IS NOT NULL AND outcome = 'upheld'))
);
CREATE UNIQUE INDEX one_case_of_a_fine ON proceeding_charge (tenant_id, fine_id) WHERE fine_id IS NOT NULL;
CREATE UNIQUE INDEX one_case_of_a_proposal ON proceeding_charge (tenant_id, proposal_id) WHERE proposal_id IS NOT NULL;

-- An attempt to serve a person: when it counts as done, or that it failed. Never changed.
CREATE TABLE proceeding_service (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    proceeding_id uuid NOT NULL,
    party_id uuid NOT NULL,
    step text NOT NULL CHECK (step <> ''),
    way text NOT NULL CHECK (way <> ''),
    dates jsonb NOT NULL CHECK (jsonb_typeof(dates) = 'object'),
    refused boolean NOT NULL,
    where_unknown boolean NOT NULL,
    failed_on date,
    served_on date,
    why text,
    decision jsonb NOT NULL CHECK (jsonb_typeof(decision) = 'object'),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, proceeding_id) REFERENCES proceeding,
    FOREIGN KEY (tenant_id, party_id) REFERENCES proceeding_party,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CHECK (num_nonnulls(failed_on, served_on) = 1)
);
CREATE INDEX proceeding_service_of_case ON proceeding_service (tenant_id, proceeding_id, id);
-- Served once for each step.
CREATE UNIQUE INDEX served_once ON proceeding_service (tenant_id, party_id, step) WHERE served_on IS NOT NULL;

-- What stands in the file, in order and with its pages. Only its content may go, once, when retention is over.
CREATE TABLE proceeding_piece (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    proceeding_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq > 0),
    kind text NOT NULL CHECK (kind <> ''),
    title text NOT NULL CHECK (title <> ''),
    restricted boolean NOT NULL,
    filed_on date NOT NULL,
    filed_at timestamptz NOT NULL,
    late boolean NOT NULL,
    party_id uuid,
    office text CHECK (office <> ''),
    first_page integer NOT NULL CHECK (first_page > 0),
    pages integer NOT NULL CHECK (pages > 0),
    content text CHECK (sha256 = encode(sha256(convert_to(content, 'UTF8')), 'hex')),
    sha256 text NOT NULL,
    previous text NOT NULL,
    chain text NOT NULL,
    act_id uuid NOT NULL,
    disposed_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, proceeding_id, seq),
    UNIQUE (tenant_id, proceeding_id, chain),
    FOREIGN KEY (tenant_id, proceeding_id) REFERENCES proceeding,
    FOREIGN KEY (tenant_id, party_id) REFERENCES proceeding_party,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, disposed_act) REFERENCES act,
    CHECK ((content IS NULL) = (disposed_act IS NOT NULL))
);

CREATE FUNCTION content_only_goes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.content IS NOT NULL OR OLD.content IS NULL THEN
        RAISE EXCEPTION 'the content of a piece only goes, and only once';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER content_only_goes BEFORE UPDATE ON proceeding_piece FOR EACH ROW EXECUTE FUNCTION content_only_goes();

CREATE FUNCTION state(it proceeding, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN day < it.opened_on THEN 'future'
        WHEN it.disposed_on <= day THEN 'disposed'
        WHEN it.archived_on <= day THEN 'archived'
        WHEN it.step IS NULL THEN 'final'
        ELSE 'open'
    END
$$;

SELECT guard_town_rows();

REVOKE UPDATE ON proceeding_service, proceeding_piece FROM praca_app;
GRANT UPDATE (content, disposed_act) ON proceeding_piece TO praca_app;
