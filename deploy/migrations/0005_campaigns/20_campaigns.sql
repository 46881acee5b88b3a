-- Calls to all of a group (recadastramento), and each of those who are called.
CREATE TABLE campaign (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    rule text NOT NULL CHECK (rule <> ''),
    title text NOT NULL CHECK (title <> ''),
    whom text NOT NULL CHECK (whom IN ('holders', 'drivers', 'vehicles')),
    edition integer NOT NULL,
    opens_on date NOT NULL,
    opened_on date NOT NULL CHECK (opened_on >= opens_on),
    opened_act uuid NOT NULL,
    closed_on date CHECK (closed_on >= opened_on),
    closed_act uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, rule, edition),
    FOREIGN KEY (tenant_id, opened_act) REFERENCES act,
    FOREIGN KEY (tenant_id, closed_act) REFERENCES act,
    CHECK ((closed_on IS NULL) = (closed_act IS NULL))
);

CREATE TABLE campaign_call (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    campaign_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    driver_id uuid,
    category text NOT NULL CHECK (category <> ''),
    last_day date NOT NULL,
    infraction text,
    deadline_id uuid NOT NULL,
    missed_on date,
    attended_on date,
    attended_act uuid,
    decision jsonb,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, campaign_id) REFERENCES campaign,
    FOREIGN KEY (tenant_id, permit_id) REFERENCES permit,
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver,
    FOREIGN KEY (tenant_id, deadline_id) REFERENCES deadline,
    FOREIGN KEY (tenant_id, attended_act) REFERENCES act,
    CHECK ((attended_on IS NULL) = (attended_act IS NULL))
);
CREATE UNIQUE INDEX a_permit_is_called_once ON campaign_call (tenant_id, campaign_id, permit_id)
    WHERE driver_id IS NULL;
CREATE UNIQUE INDEX a_driver_is_called_once ON campaign_call (tenant_id, campaign_id, driver_id)
    WHERE driver_id IS NOT NULL;
CREATE INDEX campaign_call_in_order ON campaign_call (tenant_id, campaign_id, id);
CREATE INDEX campaign_call_of_permit ON campaign_call (tenant_id, permit_id, id);
CREATE INDEX campaign_call_of_driver ON campaign_call (tenant_id, driver_id, id);
CREATE INDEX campaign_call_of_deadline ON campaign_call (tenant_id, deadline_id, id);

-- One word for how it is with a call on a day; who comes after the last day has missed it all the same.
CREATE FUNCTION state(it campaign_call, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.attended_on <= day AND it.attended_on <= it.last_day THEN 'attended'
        WHEN it.attended_on <= day THEN 'late'
        WHEN it.last_day < day THEN 'missed'
        ELSE 'called'
    END
$$;

SELECT guard_town_rows();
