-- What a publication would have counted otherwise and is closed, paid or over: an office looks at each.
CREATE TABLE recomputation_review (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    publication_id uuid NOT NULL,
    subject_kind text NOT NULL CHECK (subject_kind IN ('deadline', 'fine', 'licence', 'transfer')),
    subject_id uuid NOT NULL,
    finding text NOT NULL CHECK (finding <> ''),
    before jsonb NOT NULL CHECK (jsonb_typeof(before) = 'object'),
    after jsonb NOT NULL CHECK (jsonb_typeof(after) = 'object'),
    decision jsonb NOT NULL,
    found_on date NOT NULL,
    found_act uuid NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'decided')),
    outcome text CHECK (outcome IN ('kept', 'to_correct')),
    why text,
    decided_on date,
    decided_by text,
    decided_act uuid,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT reviewed_once_a_publication UNIQUE (tenant_id, publication_id, subject_kind, subject_id),
    FOREIGN KEY (tenant_id, publication_id) REFERENCES publication,
    FOREIGN KEY (tenant_id, found_act) REFERENCES act,
    FOREIGN KEY (tenant_id, decided_act) REFERENCES act,
    CHECK ((state = 'decided') = (num_nulls(outcome, why, decided_on, decided_by, decided_act) = 0)),
    CHECK (state = 'decided' OR num_nonnulls(outcome, why, decided_on, decided_by, decided_act) = 0)
);
CREATE INDEX recomputation_review_open ON recomputation_review (tenant_id, id) WHERE state = 'open';
