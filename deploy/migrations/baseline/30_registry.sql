-- People, companies, vehicles and their papers; who may act for the town.
CREATE TABLE person (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    cpf text NOT NULL CHECK (cpf ~ '^[0-9]{11}$'),  -- law-free: digits of a CPF
    name text NOT NULL CHECK (name <> ''),
    email text,
    birth_on date,
    attributes jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, cpf)
);
CREATE INDEX person_by_name ON person (tenant_id, sortable(name), id);

CREATE TABLE company (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    cnpj text NOT NULL CHECK (cnpj ~ '^[0-9A-Z]{12}[0-9]{2}$'),  -- law-free: signs of a CNPJ
    name text NOT NULL CHECK (name <> ''),
    email text,
    attributes jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, cnpj)
);
CREATE INDEX company_by_name ON company (tenant_id, sortable(name), id);

CREATE TABLE holder (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    kind text NOT NULL CHECK (kind <> ''),
    person_id uuid,
    company_id uuid,
    attributes jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, person_id) REFERENCES person,
    FOREIGN KEY (tenant_id, company_id) REFERENCES company,
    CHECK (num_nonnulls(person_id, company_id) = 1)
);
CREATE INDEX holder_of_person ON holder (tenant_id, person_id, id);
CREATE INDEX holder_of_company ON holder (tenant_id, company_id, id);

CREATE TABLE driver (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    person_id uuid NOT NULL,
    cnh_number text,
    cnh_categories text[] NOT NULL DEFAULT '{}',
    cnh_ear boolean,
    cnh_first_on date,
    cnh_until date,
    attributes jsonb NOT NULL DEFAULT '{}',
    review text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, person_id),
    FOREIGN KEY (tenant_id, person_id) REFERENCES person
);

CREATE TABLE vehicle (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    plate text NOT NULL CHECK (plate ~ '^[A-Z]{3}[0-9][0-9A-Z][0-9]{2}$'),  -- law-free: signs of a plate
    renavam text CHECK (renavam ~ '^[0-9]{11}$'),  -- law-free: digits of a RENAVAM
    holder_id uuid,
    manufacture_year integer,
    model_year integer,
    first_registration date,
    doors integer CHECK (doors > 0),
    seats integer CHECK (seats > 0),
    fuel text,
    attributes jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, plate),
    UNIQUE (tenant_id, renavam),
    FOREIGN KEY (tenant_id, holder_id) REFERENCES holder
);
CREATE INDEX vehicle_of_holder ON vehicle (tenant_id, holder_id, id);

CREATE TABLE paper (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    subject_kind text NOT NULL CHECK (subject_kind <> ''),
    subject_id uuid NOT NULL,
    code text NOT NULL CHECK (code <> ''),
    number text,
    issued_on date,
    valid_until date,
    PRIMARY KEY (tenant_id, id),
    CHECK (issued_on <= valid_until)
);
CREATE INDEX paper_of_subject ON paper (tenant_id, subject_kind, subject_id, code, id);

CREATE TABLE account (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    subject text NOT NULL CHECK (subject <> ''),
    name text NOT NULL DEFAULT '',
    person_id uuid,
    company_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, subject),
    FOREIGN KEY (tenant_id, person_id) REFERENCES person,
    FOREIGN KEY (tenant_id, company_id) REFERENCES company
);

CREATE TABLE appointment (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    account_id uuid NOT NULL,
    office text NOT NULL CHECK (office <> ''),
    during daterange NOT NULL CHECK (NOT isempty(during)),
    appointed_act uuid NOT NULL,
    removed_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES account,
    FOREIGN KEY (tenant_id, appointed_act) REFERENCES act,
    FOREIGN KEY (tenant_id, removed_act) REFERENCES act,
    CONSTRAINT appointment_once EXCLUDE USING gist (tenant_id WITH =, account_id WITH =, office WITH =, during WITH &&)
);
CREATE INDEX appointment_of_account ON appointment (tenant_id, account_id, id) INCLUDE (office, during);
