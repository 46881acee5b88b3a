-- What an inspector saw (registro de ocorrência), what the law drew for it, and the photographs that show it.
CREATE TABLE occurrence (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    client_id text NOT NULL CHECK (client_id <> ''),  -- made by the device: sent twice, it is recorded once
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),  -- law-free: bytes of SHA-256
    number text CHECK (number <> ''),  -- given as the last write
    seen_at timestamptz NOT NULL,
    seen_on date NOT NULL,
    received_at timestamptz NOT NULL,
    place text NOT NULL CHECK (place <> ''),
    plate text CHECK (plate <> ''),
    vehicle_id uuid,
    permit_id uuid,
    holder_id uuid,
    driver_id uuid,
    offender_name text CHECK (offender_name <> ''),
    category text CHECK (category <> ''),
    infractions text[] NOT NULL CHECK (cardinality(infractions) > 0),
    facts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(facts) = 'object'),
    notes text NOT NULL DEFAULT '',
    statement text NOT NULL DEFAULT '',
    refused_to_sign boolean NOT NULL DEFAULT false,
    notified_on date,
    inspector text NOT NULL CHECK (inspector <> ''),
    office text NOT NULL CHECK (office <> ''),
    state text NOT NULL CHECK (state IN ('open', 'applied', 'to_be_tried', 'dismissed')),
    decision jsonb NOT NULL CHECK (jsonb_typeof(decision) = 'object'),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, client_id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, vehicle_id) REFERENCES vehicle,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CHECK (notified_on >= seen_on),
    CHECK ((permit_id IS NULL) = (holder_id IS NULL)),
    CHECK (num_nonnulls(plate, permit_id, driver_id, offender_name) > 0)
);
CREATE INDEX occurrence_of_permit ON occurrence (tenant_id, permit_id, id) WHERE permit_id IS NOT NULL;
CREATE INDEX occurrence_of_driver ON occurrence (tenant_id, driver_id, id) WHERE driver_id IS NOT NULL;
CREATE INDEX occurrence_of_plate ON occurrence (tenant_id, plate, id) WHERE plate IS NOT NULL;

-- Who drives without a permit is fined too: the record says who it was.
ALTER TABLE fine NO FORCE ROW LEVEL SECURITY;  -- the new key is checked across all towns
ALTER TABLE fine ALTER COLUMN permit_id DROP NOT NULL, ADD COLUMN occurrence_id uuid,
    ADD FOREIGN KEY (tenant_id, occurrence_id) REFERENCES occurrence,
    ADD CHECK (num_nonnulls(permit_id, occurrence_id) > 0);
ALTER TABLE fine FORCE ROW LEVEL SECURITY;
CREATE INDEX fine_of_occurrence ON fine (tenant_id, occurrence_id) WHERE occurrence_id IS NOT NULL;

-- What was applied for an infraction, or waits for its process: warning, fine, points, suspension …; one row for each.
CREATE TABLE penalty (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    occurrence_id uuid,
    permit_id uuid,
    holder_id uuid,
    driver_id uuid,
    plate text CHECK (plate <> ''),
    infraction text NOT NULL CHECK (infraction <> ''),
    infraction_group text NOT NULL DEFAULT '',
    reported_as text CHECK (reported_as <> ''),
    what text NOT NULL CHECK (what <> ''),
    nth integer NOT NULL CHECK (nth > 0),
    points integer CHECK (points >= 0),
    seen_on date NOT NULL,
    notified_on date,
    state text NOT NULL CHECK (state IN ('applied', 'to_be_tried', 'withdrawn')),
    may_open text[] NOT NULL DEFAULT '{}',
    fine_id uuid,
    defence_id uuid,
    final_on date,  -- at once, where the law has no process
    effect jsonb NOT NULL CHECK (jsonb_typeof(effect) = 'object'),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, fine_id),
    FOREIGN KEY (tenant_id, occurrence_id) REFERENCES occurrence,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, fine_id) REFERENCES fine,
    FOREIGN KEY (tenant_id, defence_id) REFERENCES deadline,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CHECK (notified_on >= seen_on),
    CHECK (state <> 'to_be_tried' OR fine_id IS NULL)
);
CREATE INDEX penalty_of_occurrence ON penalty (tenant_id, occurrence_id, id) WHERE occurrence_id IS NOT NULL;
CREATE INDEX penalty_of_holder ON penalty (tenant_id, holder_id, seen_on, id) WHERE holder_id IS NOT NULL;
CREATE INDEX penalty_of_driver ON penalty (tenant_id, driver_id, seen_on, id) WHERE driver_id IS NOT NULL;
CREATE INDEX penalty_of_plate ON penalty (tenant_id, plate, seen_on, id) WHERE plate IS NOT NULL;

-- A photograph or paper that shows it. The bytes are elsewhere; here stand their hash and whose record they belong to.
CREATE TABLE evidence (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL,  -- made by the device
    version integer NOT NULL DEFAULT 1,
    client_id text NOT NULL CHECK (client_id <> ''),  -- of its record, which may come later
    media_type text NOT NULL CHECK (media_type <> ''),
    size integer NOT NULL CHECK (size > 0),
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),  -- law-free: SHA-256 in hexadecimal
    received_at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'stored', 'dropping', 'dropped')),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);
CREATE INDEX evidence_of_client ON evidence (tenant_id, client_id, id);
CREATE INDEX evidence_unsettled ON evidence (tenant_id, received_at) WHERE state IN ('pending', 'stored', 'dropping');
