-- The tariff of each category (tarifa), and what goes before a table of it: requests, hearings, papers, decision.
CREATE TABLE tariff (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    category text NOT NULL CHECK (category <> ''),
    holder_id uuid,
    set_on date,
    reviewed_on date,
    publication_id uuid,
    set_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, category),
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, publication_id) REFERENCES publication,
    FOREIGN KEY (tenant_id, set_act) REFERENCES act,
    CHECK (num_nulls(set_on, publication_id, set_act) IN (0, 3))  -- law-free: the columns counted
);

CREATE TABLE tariff_review (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    tariff_id uuid NOT NULL,
    holder_id uuid,
    because text NOT NULL CHECK (because <> ''),
    requested_on date NOT NULL,
    sheet jsonb CHECK (jsonb_typeof(sheet) = 'object'),
    requested_act uuid NOT NULL,
    granted boolean,
    decided_on date,
    decided_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, tariff_id) REFERENCES tariff,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, requested_act) REFERENCES act,
    FOREIGN KEY (tenant_id, decided_act) REFERENCES act,
    CHECK (num_nulls(granted, decided_on, decided_act) IN (0, 3))  -- law-free: the columns counted
);
CREATE INDEX tariff_review_of_tariff ON tariff_review (tenant_id, tariff_id, id);
CREATE INDEX tariff_review_of_holder ON tariff_review (tenant_id, holder_id, id);

CREATE TABLE tariff_step (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    review_id uuid NOT NULL,
    what text NOT NULL CHECK (what IN ('heard', 'approved', 'papers')),
    code text NOT NULL CHECK (code <> ''),
    met_on date NOT NULL,
    source text NOT NULL CHECK (source <> ''),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, review_id, what, code),
    FOREIGN KEY (tenant_id, review_id) REFERENCES tariff_review,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);

SELECT guard_town_rows();
REVOKE UPDATE ON tariff_step FROM praca_app;
