-- Permits and what hangs on them. A range never holds the day after its last: '[)'.
CREATE TABLE permit (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    number text NOT NULL CHECK (number <> ''),
    category text NOT NULL CHECK (category <> ''),
    instrument text NOT NULL CHECK (instrument <> ''),
    holder_id uuid NOT NULL,
    granted_on date NOT NULL,
    during daterange NOT NULL CHECK (NOT isempty(during) AND NOT lower_inf(during)),
    ended_on date,
    ended_cause text,
    granted_act uuid NOT NULL,
    ended_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, category, number),
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, granted_act) REFERENCES act,
    FOREIGN KEY (tenant_id, ended_act) REFERENCES act,
    CHECK (num_nulls(ended_on, ended_cause, ended_act) IN (0, 3))  -- law-free: the columns counted
);
CREATE INDEX permit_of_holder ON permit (tenant_id, holder_id, id);
CREATE INDEX permit_of_category ON permit (tenant_id, category, id);

CREATE TABLE permit_vehicle (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    vehicle_id uuid NOT NULL,
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: gone on the day it came
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, vehicle_id) REFERENCES vehicle,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CONSTRAINT one_permit_per_vehicle EXCLUDE USING gist (tenant_id WITH =, vehicle_id WITH =, during WITH &&),
    CONSTRAINT one_vehicle_per_permit EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX permit_vehicle_of_permit ON permit_vehicle (tenant_id, permit_id, id) INCLUDE (vehicle_id, during);
CREATE INDEX permit_vehicle_of_vehicle ON permit_vehicle (tenant_id, vehicle_id, id) INCLUDE (permit_id, during);

CREATE TABLE licence (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    number text NOT NULL CHECK (number <> ''),
    during daterange NOT NULL CHECK (NOT isempty(during) AND NOT lower_inf(during)),
    fee_units numeric CHECK (fee_units >= 0),
    fee_unit text,
    fee_rate numeric CHECK (fee_rate > 0),
    fee_brl numeric CHECK (fee_brl >= 0),
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CONSTRAINT one_licence_at_a_time EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX licence_of_permit ON licence (tenant_id, permit_id, id) INCLUDE (number, during);

CREATE TABLE stand_assignment (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    permit_id uuid NOT NULL,
    stand text NOT NULL CHECK (stand <> ''),
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: gone on the day it came
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    CONSTRAINT one_stand_per_permit EXCLUDE USING gist (tenant_id WITH =, permit_id WITH =, during WITH &&)
);
CREATE INDEX stand_assignment_of_permit ON stand_assignment (tenant_id, permit_id, id) INCLUDE (stand, during);
CREATE INDEX stand_assignment_at ON stand_assignment (tenant_id, stand, id) INCLUDE (permit_id, during);

CREATE TABLE deadline (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    kind text NOT NULL CHECK (kind <> ''),
    rule text NOT NULL CHECK (rule <> ''),
    subject_kind text NOT NULL CHECK (subject_kind <> ''),
    subject_id uuid NOT NULL,
    opened_on date NOT NULL,
    inputs jsonb NOT NULL DEFAULT '{}',
    counted jsonb NOT NULL DEFAULT '{}',
    last_day date NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'suspended', 'met', 'expired', 'replaced')),
    suspended_on date,
    closed_on date,
    article text NOT NULL CHECK (article <> ''),
    follows jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(follows) = 'array'),
    opened_act uuid NOT NULL,
    closed_act uuid,
    replaced_by uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, opened_act) REFERENCES act,
    FOREIGN KEY (tenant_id, closed_act) REFERENCES act,
    FOREIGN KEY (tenant_id, replaced_by) REFERENCES deadline,
    CHECK ((state IN ('open', 'suspended')) = (closed_on IS NULL)),
    CHECK (state <> 'suspended' OR suspended_on IS NOT NULL),
    CHECK (state <> 'expired' OR closed_on = last_day),
    CHECK ((state = 'replaced') = (replaced_by IS NOT NULL))
);
CREATE INDEX deadline_due ON deadline (tenant_id, last_day, id) WHERE state = 'open';
CREATE INDEX deadline_of_subject ON deadline (tenant_id, subject_kind, subject_id, last_day, id);

CREATE TABLE fine (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    number text NOT NULL CHECK (number <> ''),
    permit_id uuid NOT NULL,
    infraction text NOT NULL CHECK (infraction <> ''),
    seen_on date NOT NULL,
    units numeric CHECK (units >= 0),
    unit text,
    rate numeric CHECK (rate > 0),
    brl numeric NOT NULL CHECK (brl >= 0),
    decision jsonb NOT NULL,
    act_id uuid NOT NULL,
    due_deadline_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, due_deadline_id) REFERENCES deadline
);
CREATE INDEX fine_of_permit ON fine (tenant_id, permit_id, seen_on, id);

CREATE TABLE notice (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    key text NOT NULL CHECK (key <> ''),
    template text NOT NULL CHECK (template <> ''),
    subject_kind text NOT NULL CHECK (subject_kind <> ''),
    subject_id uuid NOT NULL,
    deadline_id uuid,
    holds_while text,
    lead text,
    person_id uuid,
    company_id uuid,
    address text,
    payload jsonb NOT NULL DEFAULT '{}',
    message_id text NOT NULL CHECK (message_id ~ '^<.+@.+>$'),
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed', 'dropped')),
    reason text,
    claimed_until timestamptz,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, key),
    FOREIGN KEY (tenant_id, deadline_id) REFERENCES deadline,
    FOREIGN KEY (tenant_id, person_id) REFERENCES person,
    FOREIGN KEY (tenant_id, company_id) REFERENCES company,
    CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
    CHECK (state <> 'queued' OR address IS NOT NULL)
);
CREATE INDEX notice_queued ON notice (tenant_id, claimed_until, id) WHERE state = 'queued';
CREATE INDEX notice_of_subject ON notice (tenant_id, subject_kind, subject_id, id);

CREATE TABLE notice_attempt (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    notice_id uuid NOT NULL,
    at timestamptz NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('sent', 'refused', 'unreachable')),
    detail text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, notice_id) REFERENCES notice
);
CREATE INDEX notice_attempt_of ON notice_attempt (tenant_id, notice_id, id);
