-- A term that bound the authority is over and its duty is not done: whose matter it is by now, until it is.
CREATE TABLE escalation (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    deadline_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind <> ''),
    rule text NOT NULL CHECK (rule <> ''),
    subject_kind text NOT NULL CHECK (subject_kind <> ''),
    subject_id uuid NOT NULL,
    office text,  -- the law names none where it is absent
    level integer NOT NULL CHECK (level >= 1),
    due_on date NOT NULL,
    since date NOT NULL,
    article text NOT NULL,
    passes boolean NOT NULL DEFAULT false,
    act_id uuid NOT NULL,
    closed_on date,
    closed_as text CHECK (closed_as IN ('met', 'passed', 'no_more')),
    closed_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, deadline_id, level),
    FOREIGN KEY (tenant_id, deadline_id) REFERENCES deadline,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, closed_act) REFERENCES act,
    CHECK (num_nulls(closed_on, closed_as, closed_act) IN (0, 3))  -- law-free: the columns counted
);
CREATE INDEX escalation_open ON escalation (tenant_id, due_on, id) WHERE closed_on IS NULL;
CREATE INDEX escalation_of_subject ON escalation (tenant_id, subject_kind, subject_id, id);

SELECT guard_town_rows();
