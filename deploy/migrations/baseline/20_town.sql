-- The directory, what each town's law says, and every act.
CREATE TABLE municipality (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    name text NOT NULL CHECK (name <> ''),
    uf text NOT NULL CHECK (uf ~ '^[A-Z]{2}$'),
    ibge text NOT NULL UNIQUE CHECK (ibge ~ '^[0-9]{7}$'),  -- law-free: digits of the federal code
    zone text NOT NULL CHECK (timestamptz 'epoch' AT TIME ZONE zone IS NOT NULL),
    hosts text[] NOT NULL DEFAULT '{}',
    fictitious boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
);
CREATE INDEX municipality_hosts ON municipality USING gin (hosts);

CREATE TABLE act (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    verb text NOT NULL CHECK (verb <> ''),
    actor text NOT NULL CHECK (actor <> ''),
    office text,
    at timestamptz NOT NULL,
    local_day date NOT NULL,
    legal_day date NOT NULL,
    subject_kind text NOT NULL,
    subject_id uuid,
    request_id text,
    request_hash bytea,
    result jsonb,
    body text NOT NULL,
    salt bytea NOT NULL CHECK (length(salt) = 16),  -- law-free: bytes of a salt
    hash bytea NOT NULL CHECK (length(hash) = 32),  -- law-free: bytes of SHA-256
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, request_id),
    CHECK ((request_id IS NULL) = (request_hash IS NULL))
);
CREATE INDEX act_of_subject ON act (tenant_id, subject_kind, subject_id, id);

CREATE TABLE act_unsealed (
    tenant_id uuid NOT NULL REFERENCES municipality,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, act_id),
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);

-- No act can forget to wait for its seal; one that is still in flight is seen by the sealer once it is committed.
CREATE FUNCTION act_waits_for_its_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO act_unsealed (tenant_id, act_id) SELECT tenant_id, id FROM made;
    RETURN NULL;
END
$$;
CREATE TRIGGER waits_for_its_seal AFTER INSERT ON act
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION act_waits_for_its_seal();

CREATE TABLE seal (
    tenant_id uuid NOT NULL REFERENCES municipality,
    seq integer NOT NULL CHECK (seq > 0),
    at timestamptz NOT NULL,
    body text NOT NULL,
    previous bytea CHECK (length(previous) = 32),  -- law-free: bytes of SHA-256
    hash bytea NOT NULL CHECK (length(hash) = 32),  -- law-free: bytes of SHA-256
    PRIMARY KEY (tenant_id, seq),
    CHECK ((seq = 1) = (previous IS NULL))
);

CREATE TABLE publication (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    seq integer NOT NULL CHECK (seq > 0),
    official_on date,
    recorded_at timestamptz NOT NULL,
    norm text NOT NULL CHECK (norm <> ''),
    cause text NOT NULL,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, seq),
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);

CREATE TABLE law_item (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    publication_id uuid NOT NULL,
    position integer NOT NULL,
    kind text NOT NULL CHECK (kind <> ''),
    code text NOT NULL,
    payload jsonb NOT NULL CHECK (jsonb_typeof(payload) = 'object'),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, publication_id, position),
    FOREIGN KEY (tenant_id, publication_id) REFERENCES publication
);

CREATE TABLE counter (
    tenant_id uuid NOT NULL REFERENCES municipality,
    name text NOT NULL,
    year integer NOT NULL,
    value integer NOT NULL CHECK (value >= 0),
    PRIMARY KEY (tenant_id, name, year)
);

CREATE TABLE run (
    tenant_id uuid NOT NULL REFERENCES municipality,
    day date NOT NULL,
    kind text NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    counts jsonb NOT NULL DEFAULT '{}',
    error text,
    PRIMARY KEY (tenant_id, day, kind)
);
