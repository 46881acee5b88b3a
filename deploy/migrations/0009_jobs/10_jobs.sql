-- Work that is longer than one request: claimed for a while, done in steps, taken up again after a crash.
CREATE TABLE job (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    kind text NOT NULL CHECK (kind <> ''),
    subject_kind text NOT NULL CHECK (subject_kind <> ''),
    subject_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    done integer NOT NULL DEFAULT 0 CHECK (done >= 0),
    total integer CHECK (total >= 0),
    cursor jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(cursor) = 'object'),
    result jsonb,
    error text,
    requested_by text NOT NULL CHECK (requested_by <> ''),
    office text,
    requested_at timestamptz NOT NULL,
    requested_act uuid NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    lease uuid,
    claimed_until timestamptz,
    worked_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, requested_act) REFERENCES act,
    CHECK ((state IN ('done', 'failed')) = (ended_at IS NOT NULL)),
    CHECK ((state = 'failed') = (error IS NOT NULL)),
    CHECK (state <> 'running' OR (lease IS NOT NULL AND claimed_until IS NOT NULL))
);
CREATE INDEX job_of_subject ON job (tenant_id, subject_kind, subject_id, id);
CREATE INDEX job_unfinished ON job (tenant_id, id) WHERE state IN ('queued', 'running');
CREATE UNIQUE INDEX one_job_at_a_time ON job (tenant_id) WHERE state = 'running';
CREATE UNIQUE INDEX one_job_of_a_kind_waits ON job (tenant_id, kind, subject_id) WHERE state IN ('queued', 'running');

GRANT SELECT (tenant_id, id, state, claimed_until, worked_at) ON job TO praca_sweeper;
CREATE POLICY sweeper ON job FOR SELECT TO praca_sweeper USING (true);

-- Towns with a job that somebody may take up now, those first that were longest without: each has its turn.
CREATE FUNCTION towns_with_jobs() RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM municipality AS town
    CROSS JOIN LATERAL (
        SELECT j.state, j.claimed_until FROM job AS j
        WHERE j.tenant_id = town.id AND j.state IN ('queued', 'running')
        ORDER BY j.state = 'running' DESC, j.id LIMIT 1
    ) AS next
    WHERE next.state = 'queued' OR next.claimed_until < clock_timestamp()
    ORDER BY (SELECT max(w.worked_at) FROM job AS w WHERE w.tenant_id = town.id) NULLS FIRST, town.id
$$;
ALTER FUNCTION towns_with_jobs() OWNER TO praca_sweeper;
REVOKE EXECUTE ON FUNCTION towns_with_jobs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION towns_with_jobs() TO praca_app;

SELECT guard_town_rows();
