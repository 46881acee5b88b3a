-- Rosters (escalas): proposed, agreed upon by each holder, approved. A shift is on the town's clock.
CREATE TABLE roster (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    category text NOT NULL CHECK (category <> ''),
    first_day date NOT NULL,
    last_day date NOT NULL CHECK (last_day >= first_day),
    during daterange NOT NULL CHECK (NOT lower_inf(during) AND NOT upper_inf(during)),  -- empty: gone before its day
    exempt jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(exempt) = 'object'),
    proposed_act uuid NOT NULL,
    basis text CHECK (basis IN ('law', 'agreement', 'decree')),
    norm text CHECK (norm <> ''),
    approved_act uuid,
    closed_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, proposed_act) REFERENCES act,
    FOREIGN KEY (tenant_id, approved_act) REFERENCES act,
    FOREIGN KEY (tenant_id, closed_act) REFERENCES act,
    CHECK ((basis IS NULL) = (approved_act IS NULL)),
    CHECK ((basis IS NOT DISTINCT FROM 'decree') = (norm IS NOT NULL)),
    CONSTRAINT one_roster_at_a_time EXCLUDE USING gist (tenant_id WITH =, category WITH =, during WITH &&)
        WHERE (approved_act IS NOT NULL)
);
CREATE INDEX roster_of_category ON roster (tenant_id, category, id);

CREATE FUNCTION state(it roster, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.approved_act IS NULL AND it.closed_act IS NOT NULL THEN 'withdrawn'
        WHEN it.approved_act IS NULL THEN 'proposed'
        WHEN isempty(it.during) THEN 'withdrawn'
        WHEN day < lower(it.during) THEN 'future'
        WHEN it.during @> day THEN 'active'
        ELSE 'ended'
    END
$$;

CREATE TABLE roster_shift (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    roster_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    during tsrange NOT NULL CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during)),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, roster_id) REFERENCES roster,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    CONSTRAINT one_shift_at_a_time
        EXCLUDE USING gist (tenant_id WITH =, roster_id WITH =, permit_id WITH =, during WITH &&)
        DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX roster_shift_of_roster ON roster_shift (tenant_id, roster_id, id);
CREATE INDEX roster_shift_of_permit ON roster_shift (tenant_id, permit_id, id);

CREATE TABLE roster_member (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    roster_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    agrees boolean,
    answered_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, roster_id, permit_id),
    FOREIGN KEY (tenant_id, roster_id) REFERENCES roster,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, answered_act) REFERENCES act,
    CHECK ((agrees IS NULL) = (answered_act IS NULL))
);
CREATE INDEX roster_member_of_permit ON roster_member (tenant_id, permit_id, id);

CREATE TABLE roster_swap (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    shift_id uuid NOT NULL,
    other_shift_id uuid NOT NULL,
    asked_by uuid NOT NULL,
    asked_of uuid NOT NULL,
    asked_act uuid NOT NULL,
    agrees boolean,
    answered_act uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, shift_id) REFERENCES roster_shift,
    FOREIGN KEY (tenant_id, other_shift_id) REFERENCES roster_shift,
    FOREIGN KEY (tenant_id, asked_by) REFERENCES permit,
    FOREIGN KEY (tenant_id, asked_of) REFERENCES permit,
    FOREIGN KEY (tenant_id, asked_act) REFERENCES act,
    FOREIGN KEY (tenant_id, answered_act) REFERENCES act,
    CHECK (shift_id <> other_shift_id),
    CHECK ((agrees IS NULL) = (answered_act IS NULL))
);
CREATE INDEX roster_swap_of_shift ON roster_swap (tenant_id, shift_id, id);
CREATE INDEX roster_swap_of_other ON roster_swap (tenant_id, other_shift_id, id);
CREATE INDEX roster_swap_asked_by ON roster_swap (tenant_id, asked_by, id);
CREATE INDEX roster_swap_asked_of ON roster_swap (tenant_id, asked_of, id);
