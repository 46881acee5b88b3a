-- What was paid of a fine, and what was sent to be collected. Never changed.
CREATE TABLE payment (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    fine_id uuid NOT NULL,
    paid_on date NOT NULL,
    brl numeric NOT NULL CHECK (brl > 0),
    reference text NOT NULL CHECK (reference <> ''),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, reference),
    FOREIGN KEY (tenant_id, fine_id) REFERENCES fine,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);
CREATE INDEX payment_of_fine ON payment (tenant_id, fine_id, id);

CREATE TABLE active_debt (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    number text NOT NULL CHECK (number <> ''),
    fine_id uuid NOT NULL,
    entered_on date NOT NULL,
    brl numeric NOT NULL CHECK (brl > 0),
    decision jsonb NOT NULL CHECK (jsonb_typeof(decision) = 'object'),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    UNIQUE (tenant_id, fine_id),
    FOREIGN KEY (tenant_id, fine_id) REFERENCES fine,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);

SELECT guard_town_rows();

REVOKE UPDATE ON payment, active_debt FROM praca_app;
