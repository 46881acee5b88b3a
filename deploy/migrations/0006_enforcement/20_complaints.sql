-- Complaints (reclamações) of the public: whoever has the protocol number and the secret may follow one.
CREATE TABLE complaint (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    number text CHECK (number <> ''),  -- given as the last write
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),  -- law-free: bytes of SHA-256
    received_at timestamptz NOT NULL,
    received_on date NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    plate text CHECK (plate <> ''),
    happened_on date,
    permit_id uuid,
    deadline_id uuid,
    decision jsonb NOT NULL CHECK (jsonb_typeof(decision) = 'object'),
    answer text CHECK (answer <> ''),
    founded boolean,
    answered_on date,
    answered_act uuid,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, deadline_id) REFERENCES deadline,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, answered_act) REFERENCES act,
    CHECK (happened_on <= received_on),
    CHECK (num_nulls(answer, founded, answered_on, answered_act) IN (0, 4))  -- law-free: the columns counted
);
CREATE INDEX complaint_received ON complaint (tenant_id, received_at);

SELECT guard_town_rows();
