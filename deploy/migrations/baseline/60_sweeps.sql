-- What looks across towns: functions of a role that nobody logs in as, which sees these columns and returns only ids.
-- "now" is the caller's, so that a clock can be set; leases run on the machine's own time.
GRANT SELECT ON municipality TO praca_sweeper;
GRANT SELECT (tenant_id, state, last_day) ON deadline TO praca_sweeper;
GRANT SELECT (tenant_id, day, kind, ended_at) ON run TO praca_sweeper;
GRANT SELECT (tenant_id, state, claimed_until) ON notice TO praca_sweeper;
GRANT SELECT (tenant_id, act_id) ON act_unsealed TO praca_sweeper;
CREATE POLICY sweeper ON deadline FOR SELECT TO praca_sweeper USING (true);
CREATE POLICY sweeper ON run FOR SELECT TO praca_sweeper USING (true);
CREATE POLICY sweeper ON notice FOR SELECT TO praca_sweeper USING (true);
CREATE POLICY sweeper ON act_unsealed FOR SELECT TO praca_sweeper USING (true);

-- Towns whose local day has no finished night and which have a deadline that is over, or that a reminder may tell of.
-- Which lead times count is the law's to say, so every open deadline within `ahead` days is reason enough to look.
CREATE FUNCTION towns_with_due(moment timestamptz, ahead integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id
    FROM (SELECT id, (moment AT TIME ZONE zone)::date AS today FROM municipality) AS town
    WHERE EXISTS (
        SELECT FROM deadline AS d WHERE d.tenant_id = town.id AND d.state = 'open' AND d.last_day <= town.today + ahead
    )
    AND NOT EXISTS (
        SELECT FROM run AS r
        WHERE r.tenant_id = town.id AND r.day = town.today AND r.kind = 'night' AND r.ended_at IS NOT NULL
    )
    ORDER BY town.id
$$;

CREATE FUNCTION towns_with_notices() RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM municipality AS town
    WHERE EXISTS (
        SELECT FROM notice AS n
        WHERE n.tenant_id = town.id AND n.state = 'queued'
          AND (n.claimed_until IS NULL OR n.claimed_until < clock_timestamp())
    )
    ORDER BY town.id
$$;

CREATE FUNCTION towns_to_seal() RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM municipality AS town
    WHERE EXISTS (SELECT FROM act_unsealed AS u WHERE u.tenant_id = town.id)
    ORDER BY town.id
$$;

ALTER FUNCTION towns_with_due(timestamptz, integer) OWNER TO praca_sweeper;
ALTER FUNCTION towns_with_notices() OWNER TO praca_sweeper;
ALTER FUNCTION towns_to_seal() OWNER TO praca_sweeper;
