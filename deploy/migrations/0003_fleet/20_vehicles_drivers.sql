-- Vehicles in service: inspections, what was approved on them, their sale. Drivers: enrolments and what keeps them away.
CREATE TABLE inspection (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    vehicle_id uuid NOT NULL,
    permit_id uuid,
    category text NOT NULL CHECK (category <> ''),
    rule text NOT NULL CHECK (rule <> ''),
    what text NOT NULL CHECK (what <> ''),
    scheduled_on date,
    again_of uuid,
    number text CHECK (number <> ''),
    inspected_on date,
    passed boolean,
    carried text[] NOT NULL DEFAULT '{}',
    seen jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(seen) = 'object'),
    faults jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(faults) = 'array'),
    cure_until date,
    due_on date,
    scheduled_act uuid,
    recorded_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, vehicle_id) REFERENCES vehicle,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, again_of) REFERENCES inspection,
    FOREIGN KEY (tenant_id, scheduled_act) REFERENCES act,
    FOREIGN KEY (tenant_id, recorded_act) REFERENCES act,
    CHECK (num_nulls(number, inspected_on, passed, recorded_act) IN (0, 4)),  -- law-free: the columns counted
    CHECK (inspected_on IS NOT NULL OR scheduled_on IS NOT NULL),
    CHECK (passed IS NULL OR passed = (faults = '[]'::jsonb)),
    CHECK (cure_until IS NULL OR NOT passed)
);
CREATE INDEX inspection_of_vehicle ON inspection (tenant_id, vehicle_id, inspected_on, id);
CREATE INDEX inspection_of_permit ON inspection (tenant_id, permit_id, id);
CREATE INDEX inspection_again ON inspection (tenant_id, again_of, id);
CREATE UNIQUE INDEX inspection_scheduled_once ON inspection (tenant_id, vehicle_id, rule) WHERE inspected_on IS NULL;
CREATE INDEX inspection_scheduled ON inspection (tenant_id, scheduled_on, id) WHERE inspected_on IS NULL;

CREATE TABLE approval (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    vehicle_id uuid NOT NULL,
    matter text NOT NULL CHECK (matter <> ''),
    number text NOT NULL CHECK (number <> ''),
    facts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(facts) = 'object'),
    contents text[] NOT NULL DEFAULT '{}',
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: taken back on its first day
    act_id uuid NOT NULL,
    ended_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, vehicle_id) REFERENCES vehicle,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, ended_act) REFERENCES act,
    CONSTRAINT one_approval_at_a_time
        EXCLUDE USING gist (tenant_id WITH =, vehicle_id WITH =, matter WITH =, during WITH &&)
);
CREATE INDEX approval_of_vehicle ON approval (tenant_id, vehicle_id, id) INCLUDE (during);

CREATE TABLE sale (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    vehicle_id uuid NOT NULL,
    sold_on date NOT NULL,
    plate_released_on date CHECK (plate_released_on <= sold_on),
    from_holder_id uuid,
    to_holder_id uuid,
    act_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, vehicle_id) REFERENCES vehicle,
    FOREIGN KEY (tenant_id, from_holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, to_holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act
);
CREATE INDEX sale_of_vehicle ON sale (tenant_id, vehicle_id, sold_on, id);
CREATE INDEX sale_by_holder ON sale (tenant_id, from_holder_id, id);

CREATE TABLE enrolment (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    driver_id uuid NOT NULL,
    holder_id uuid NOT NULL,
    category text NOT NULL CHECK (category <> ''),
    role text NOT NULL CHECK (role <> ''),
    number text NOT NULL CHECK (number <> ''),
    employed boolean,
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: gone on the day it came
    act_id uuid NOT NULL,
    ended_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, ended_act) REFERENCES act,
    CONSTRAINT enrolled_once EXCLUDE USING gist (
        tenant_id WITH =, driver_id WITH =, holder_id WITH =, category WITH =, during WITH &&
    )
);
CREATE INDEX enrolment_of_driver ON enrolment (tenant_id, driver_id, id) INCLUDE (during);
CREATE INDEX enrolment_of_holder ON enrolment (tenant_id, holder_id, id) INCLUDE (driver_id, during);

CREATE TABLE driver_bar (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    driver_id uuid NOT NULL,
    what text NOT NULL CHECK (what IN ('suspended', 'struck_off')),
    during daterange NOT NULL CHECK (NOT lower_inf(during)),  -- empty: lifted on its first day
    act_id uuid NOT NULL,
    lifted_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, act_id) REFERENCES act,
    FOREIGN KEY (tenant_id, lifted_act) REFERENCES act,
    CONSTRAINT one_bar_at_a_time EXCLUDE USING gist (tenant_id WITH =, driver_id WITH =, what WITH =, during WITH &&)
);
CREATE INDEX driver_bar_of ON driver_bar (tenant_id, driver_id, id) INCLUDE (what, during);

SELECT guard_town_rows();
REVOKE UPDATE ON sale FROM praca_app;
