-- Numbers of the whole register, for those who watch the instance: functions of the role that nobody logs in as, which
-- return counts, ages and ids of towns, never a row. "moment" is the caller's, so that a clock can be set.
GRANT SELECT (started_at, error) ON run TO praca_sweeper;
GRANT SELECT (created_at) ON notice TO praca_sweeper;
GRANT SELECT (ended_at) ON job TO praca_sweeper;

CREATE INDEX run_unfinished ON run (tenant_id, day, kind) WHERE ended_at IS NULL;
CREATE INDEX job_failed ON job (tenant_id, ended_at) WHERE state = 'failed';

CREATE FUNCTION watched_numbers(moment timestamptz, failed_since timestamptz)
RETURNS TABLE (
    deadlines_overdue bigint, overdue_days integer, notices_queued bigint, notice_age double precision,
    runs_unfinished bigint, runs_failed bigint, jobs_queued bigint, jobs_running bigint, jobs_failed bigint,
    acts_unsealed bigint, unsealed_age double precision
)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT d.many, d.days, n.many, n.age, r.many, r.failed, j.queued, j.running, f.many, u.many, u.age
    FROM (
        SELECT count(*) AS many, max(town.today - d.last_day) AS days
        FROM (SELECT id, (moment AT TIME ZONE zone)::date AS today FROM municipality) AS town
        JOIN deadline AS d ON d.tenant_id = town.id AND d.state = 'open' AND d.last_day < town.today
    ) AS d
    CROSS JOIN (
        SELECT count(*) AS many, extract(epoch FROM moment - min(created_at))::double precision AS age
        FROM notice WHERE state = 'queued'
    ) AS n
    CROSS JOIN (
        SELECT count(*) AS many, count(*) FILTER (WHERE error IS NOT NULL) AS failed FROM run WHERE ended_at IS NULL
    ) AS r
    CROSS JOIN (
        SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'running') AS running
        FROM job WHERE state IN ('queued', 'running')
    ) AS j
    CROSS JOIN (SELECT count(*) AS many FROM job WHERE state = 'failed' AND ended_at >= failed_since) AS f
    CROSS JOIN (
        SELECT count(*) AS many, extract(
            epoch FROM clock_timestamp() - min(uuid_extract_timestamp(act_id))
        )::double precision AS age FROM act_unsealed
    ) AS u
$$;

-- The latest night that has ended in each time zone.
CREATE FUNCTION watched_nights() RETURNS TABLE (zone text, towns bigint, ended_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.zone, count(*), max(latest.ended_at) FROM municipality AS town
    LEFT JOIN LATERAL (
        SELECT r.ended_at FROM run AS r
        WHERE r.tenant_id = town.id AND r.kind = 'night' AND r.ended_at IS NOT NULL ORDER BY r.day DESC LIMIT 1
    ) AS latest ON true
    GROUP BY town.zone ORDER BY town.zone
$$;

-- Towns with a night that failed, or with a notice or an act that waits for longer than it should.
CREATE FUNCTION towns_in_trouble(moment timestamptz, late_seconds double precision)
RETURNS TABLE (town uuid, trouble text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id, found.trouble FROM municipality AS town
    CROSS JOIN LATERAL (
        SELECT 'night' WHERE EXISTS (
            SELECT FROM run AS r WHERE r.tenant_id = town.id AND r.ended_at IS NULL AND r.error IS NOT NULL
        )
        UNION ALL
        SELECT 'notices' WHERE EXISTS (
            SELECT FROM notice AS n WHERE n.tenant_id = town.id AND n.state = 'queued'
              AND n.created_at < moment - make_interval(secs => late_seconds)
        )
        UNION ALL
        SELECT 'seals' WHERE (
            SELECT uuid_extract_timestamp(u.act_id) FROM act_unsealed AS u
            WHERE u.tenant_id = town.id ORDER BY u.act_id LIMIT 1
        ) < clock_timestamp() - make_interval(secs => late_seconds)
    ) AS found (trouble)
    ORDER BY town.id, found.trouble
$$;

-- Towns with a run that has not ended: those that failed and those that were cut short.
CREATE FUNCTION towns_with_unfinished_runs() RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT DISTINCT r.tenant_id FROM run AS r WHERE r.ended_at IS NULL ORDER BY r.tenant_id
$$;

ALTER FUNCTION watched_numbers(timestamptz, timestamptz) OWNER TO praca_sweeper;
ALTER FUNCTION watched_nights() OWNER TO praca_sweeper;
ALTER FUNCTION towns_in_trouble(timestamptz, double precision) OWNER TO praca_sweeper;
ALTER FUNCTION towns_with_unfinished_runs() OWNER TO praca_sweeper;
REVOKE EXECUTE ON FUNCTION watched_numbers(timestamptz, timestamptz), watched_nights(),
    towns_in_trouble(timestamptz, double precision), towns_with_unfinished_runs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION watched_numbers(timestamptz, timestamptz), watched_nights(),
    towns_in_trouble(timestamptz, double precision), towns_with_unfinished_runs() TO praca_app;
