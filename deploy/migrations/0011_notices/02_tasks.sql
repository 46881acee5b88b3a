-- Who has read what, and what a clerk must see to because a notice reached nobody.
CREATE TABLE notice_reading (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    notice_id uuid NOT NULL,
    reader text NOT NULL CHECK (reader <> ''),
    read_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, notice_id, reader),
    FOREIGN KEY (tenant_id, notice_id) REFERENCES notice
);

CREATE TABLE clerk_task (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    kind text NOT NULL CHECK (kind IN ('address_failing', 'no_address', 'nobody', 'template', 'drawn', 'refund')),
    about text NOT NULL CHECK (about <> ''),  -- an address, a person, a subject, a template, what a term draws: once for each
    detail text NOT NULL DEFAULT '',
    notice_id uuid,
    subject_kind text,
    subject_id uuid,
    person_id uuid,
    company_id uuid,
    opened_at timestamptz NOT NULL,
    closed_on date,
    closed_act uuid,
    done text CHECK (done <> ''),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, notice_id) REFERENCES notice,
    FOREIGN KEY (tenant_id, person_id) REFERENCES person,
    FOREIGN KEY (tenant_id, company_id) REFERENCES company,
    FOREIGN KEY (tenant_id, closed_act) REFERENCES act,
    CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
    CHECK (num_nulls(closed_on, closed_act, done) IN (0, 3))  -- law-free: the columns counted
);
-- Whoever has no address is asked for it once; an address that fails again after a clerk saw to it is a task again.
CREATE UNIQUE INDEX clerk_task_once ON clerk_task (tenant_id, kind, about)
    WHERE closed_act IS NULL OR kind = 'no_address';
CREATE INDEX clerk_task_open ON clerk_task (tenant_id, id) WHERE closed_act IS NULL;

-- An attempt may also turn out later to have failed: the other server says so in a message of its own.
ALTER TABLE notice_attempt DROP CONSTRAINT notice_attempt_outcome_check,
    ADD CONSTRAINT notice_attempt_outcome_check CHECK (outcome IN ('sent', 'refused', 'unreachable', 'bounced'));
CREATE INDEX notice_by_message ON notice (tenant_id, message_id);

SELECT guard_town_rows();
REVOKE UPDATE ON notice_reading FROM praca_app;
