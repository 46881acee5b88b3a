-- Registers that towns bring in files: the file as it came, its rows as they were read, what is wrong with them.
CREATE TABLE import_file (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (name <> ''),
    media_type text NOT NULL CHECK (media_type <> ''),
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),  -- law-free: digits of SHA-256
    size integer NOT NULL CHECK (size > 0),
    content bytea NOT NULL,
    state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'checked', 'imported')),
    options jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(options) = 'object'),
    columns jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(columns) = 'array'),
    rows integer CHECK (rows >= 0),
    counts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(counts) = 'object'),
    received_at timestamptz NOT NULL,
    received_act uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sha256),
    FOREIGN KEY (tenant_id, received_act) REFERENCES act
);

CREATE TABLE import_row (
    tenant_id uuid NOT NULL REFERENCES municipality,
    import_id uuid NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    cells text[] NOT NULL,
    record jsonb,
    plan text CHECK (plan IN ('create', 'change', 'leave', 'skip')),
    outcome text CHECK (outcome IN ('create', 'change', 'leave', 'skip')),
    PRIMARY KEY (tenant_id, import_id, number),
    FOREIGN KEY (tenant_id, import_id) REFERENCES import_file
);

-- By what a row's people, vehicles and numbers are found again.
CREATE TABLE import_key (
    tenant_id uuid NOT NULL REFERENCES municipality,
    import_id uuid NOT NULL,
    key text NOT NULL,
    number integer NOT NULL,
    PRIMARY KEY (tenant_id, import_id, key, number),
    FOREIGN KEY (tenant_id, import_id) REFERENCES import_file
);

CREATE TABLE import_issue (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    import_id uuid NOT NULL,
    stage text NOT NULL CHECK (stage IN ('check', 'run')),
    row integer NOT NULL CHECK (row > 0),
    severity text NOT NULL CHECK (severity IN ('error', 'warning')),
    code text NOT NULL CHECK (code <> ''),
    field text,
    header text,
    letter text,
    message text NOT NULL CHECK (message <> ''),
    hint text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, import_id) REFERENCES import_file
);
CREATE INDEX import_issue_in_order ON import_issue (tenant_id, import_id, row, id);

SELECT guard_town_rows();
-- Read anew when a file is checked again: what they say of the register is in it, and in its acts.
GRANT DELETE ON import_row, import_key, import_issue TO praca_app;
