-- One word for what a row is on a day, for answers, filters and the night alike. Simple enough to be inlined.
CREATE FUNCTION state(it permit, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN day < lower(it.during) THEN 'future'
        WHEN it.during @> day THEN 'active'
        ELSE 'ended'
    END
$$;

CREATE FUNCTION state(it licence, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN day < lower(it.during) THEN 'future'
        WHEN it.during @> day THEN 'active'
        ELSE 'expired'
    END
$$;

-- A deadline over and not yet recorded is expired all the same; one closed later was still open on the days before.
CREATE FUNCTION state(it deadline, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN day < it.opened_on THEN 'future'
        WHEN it.state IN ('met', 'replaced') AND it.closed_on <= day THEN it.state
        WHEN it.state = 'suspended' AND it.suspended_on <= day THEN 'suspended'
        WHEN it.last_day < day THEN 'expired'
        ELSE 'open'
    END
$$;
