-- What failed and is to be tried again, or was tried for the last time: once for each thing, whoever looks at it when.
CREATE TABLE dead_letter (
    tenant_id uuid NOT NULL REFERENCES municipality,
    id uuid NOT NULL DEFAULT uuidv7(),
    version integer NOT NULL DEFAULT 1,
    kind text NOT NULL CHECK (kind IN ('night', 'notice', 'job', 'message')),
    key text NOT NULL CHECK (key <> ''),
    day date,
    subject_id uuid,
    task text,
    state text NOT NULL CHECK (state IN ('waiting', 'dead', 'closed')),
    error text NOT NULL CHECK (error <> ''),
    attempts integer NOT NULL CHECK (attempts >= 1),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    again_at timestamptz,
    dead_at timestamptz,
    replays integer NOT NULL DEFAULT 0 CHECK (replays >= 0),
    replayed_at timestamptz,
    replayed_by text,
    replayed_act uuid,
    closed_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, key),
    FOREIGN KEY (tenant_id, replayed_act) REFERENCES act,
    CHECK ((kind = 'night') = (day IS NOT NULL)),
    CHECK ((kind IN ('notice', 'job')) = (subject_id IS NOT NULL)),
    CHECK ((kind = 'message') = (task IS NOT NULL)),
    CHECK ((state = 'waiting') = (again_at IS NOT NULL)),
    CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
    CHECK (state <> 'dead' OR dead_at IS NOT NULL),
    CHECK ((replays > 0) = (replayed_at IS NOT NULL) AND (replays > 0) = (replayed_by IS NOT NULL))
);
CREATE INDEX dead_letter_live ON dead_letter (tenant_id, kind, again_at) WHERE state <> 'closed';

-- When a town last had its turn with the relays.
CREATE TABLE relay_turn (
    tenant_id uuid PRIMARY KEY REFERENCES municipality,
    served_at timestamptz NOT NULL
);

-- The next to be sent, found at once among a hundred thousand.
CREATE INDEX notice_next ON notice (tenant_id, id) WHERE state = 'queued';

GRANT SELECT (tenant_id, kind, day, task, state, again_at) ON dead_letter TO praca_sweeper;
GRANT SELECT (tenant_id, served_at) ON relay_turn TO praca_sweeper;
CREATE POLICY sweeper ON dead_letter FOR SELECT TO praca_sweeper USING (true);
CREATE POLICY sweeper ON relay_turn FOR SELECT TO praca_sweeper USING (true);

-- Towns whose night of their own today has failed: sweeps leave it to whoever tries again, when the pause is over.
CREATE FUNCTION towns_held(moment timestamptz) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM municipality AS town
    WHERE EXISTS (
        SELECT FROM dead_letter AS d
        WHERE d.tenant_id = town.id AND d.kind = 'night' AND d.state <> 'closed'
          AND d.day = (moment AT TIME ZONE town.zone)::date
    )
    ORDER BY town.id
$$;

-- Towns with a night or a message whose pause is over.
CREATE FUNCTION towns_to_try_again() RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM municipality AS town
    WHERE EXISTS (
        SELECT FROM dead_letter AS d
        WHERE d.tenant_id = town.id AND d.kind IN ('night', 'message') AND d.state = 'waiting'
          AND d.again_at <= clock_timestamp()
    )
    ORDER BY town.id
$$;

-- Towns in which a night or a message of this task is not closed: what succeeds meanwhile closes it.
CREATE FUNCTION towns_with_letters(of_task text) RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM municipality AS town
    WHERE EXISTS (
        SELECT FROM dead_letter AS d
        WHERE d.tenant_id = town.id AND d.state <> 'closed'
          AND (d.kind = 'night' OR (d.kind = 'message' AND d.task = of_task))
    )
    ORDER BY town.id
$$;

-- Towns with a notice that somebody may send now, those first that were longest without a turn; not those in which it
-- has failed, which are tried again after a pause.
CREATE FUNCTION towns_to_relay(most integer) RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id FROM towns_with_notices() AS town (id) LEFT JOIN relay_turn AS t ON t.tenant_id = town.id
    WHERE NOT EXISTS (
        SELECT FROM dead_letter AS d
        WHERE d.tenant_id = town.id AND d.kind = 'message' AND d.task = 'relay' AND d.state <> 'closed'
    )
    ORDER BY t.served_at NULLS FIRST, town.id LIMIT most
$$;

ALTER FUNCTION towns_held(timestamptz) OWNER TO praca_sweeper;
ALTER FUNCTION towns_to_try_again() OWNER TO praca_sweeper;
ALTER FUNCTION towns_with_letters(text) OWNER TO praca_sweeper;
ALTER FUNCTION towns_to_relay(integer) OWNER TO praca_sweeper;
REVOKE EXECUTE ON FUNCTION towns_held(timestamptz), towns_to_try_again(), towns_with_letters(text),
    towns_to_relay(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION towns_held(timestamptz), towns_to_try_again(), towns_with_letters(text),
    towns_to_relay(integer) TO praca_app;

SELECT guard_town_rows();
