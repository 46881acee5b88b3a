-- What a town's nights need of its law, for a stretch of days: derived from a publication, made anew at any time.
-- `reminders`: rule, lead, mark, receiver, template; a reminder tells of the last days after `after` (a length from
-- the day on; none: from the day itself) and up to `reach`. `offices`: what words of receivers mean (0011_notices).
CREATE TABLE night_law (
    tenant_id uuid NOT NULL REFERENCES municipality,
    first_day date NOT NULL,
    last_day date NOT NULL CHECK (last_day >= first_day),
    publication_id uuid NOT NULL,
    reminders jsonb NOT NULL CHECK (jsonb_typeof(reminders) = 'array'),
    offices jsonb NOT NULL CHECK (jsonb_typeof(offices) = 'object'),
    PRIMARY KEY (tenant_id, first_day),
    FOREIGN KEY (tenant_id, publication_id) REFERENCES publication
);
SELECT guard_town_rows();
GRANT DELETE ON night_law TO praca_app;

-- The stretch that holds a day, as long as nothing has been published since it was derived.
CREATE FUNCTION night_law_of(of_town uuid, day date) RETURNS SETOF night_law
    LANGUAGE sql STABLE AS $$
    SELECT l.* FROM night_law AS l
    WHERE l.tenant_id = of_town AND l.first_day <= day AND l.last_day >= day AND l.publication_id = (
        SELECT p.id FROM publication AS p WHERE p.tenant_id = of_town ORDER BY p.seq DESC LIMIT 1
    )
    ORDER BY l.first_day DESC LIMIT 1
$$;

-- A notice to write, before it is known whom it reaches.
CREATE TYPE wanted_notice AS (
    key text, template text, subject_kind text, subject_id uuid, receiver text, deadline_id uuid, holds_while text,
    lead text
);

-- Reminders that are due and not yet written. Whoever opens a term when its lead is over already says so in
-- `inputs.told`: an import tells nobody.
CREATE FUNCTION due_reminders(of_town uuid, day date, reminders jsonb, most integer) RETURNS SETOF wanted_notice
    LANGUAGE sql STABLE AS $$
    WITH told AS MATERIALIZED (
        SELECT r.rule, r.lead, r.mark, r.receiver, r.template, (day + r.reach::interval)::date AS latest,
               CASE WHEN r.after IS NULL THEN day ELSE (day + r.after::interval)::date + 1 END AS first
        FROM jsonb_to_recordset(reminders)
             AS r (rule text, lead text, mark text, receiver text, template text, reach text, after text)
    )
    SELECT 'reminder:' || d.id || ':' || t.mark, t.template, d.subject_kind, d.subject_id, t.receiver, d.id, 'open',
           t.lead
    FROM deadline AS d JOIN told AS t ON (d.rule = t.rule OR d.kind = t.rule) AND d.last_day BETWEEN t.first AND t.latest
    WHERE d.tenant_id = of_town AND d.state = 'open'
      AND d.last_day BETWEEN day AND (SELECT max(latest) FROM told)
      AND NOT coalesce(jsonb_exists(d.inputs -> 'told', t.lead), false)
      AND NOT EXISTS (
          SELECT FROM notice AS n WHERE n.tenant_id = of_town AND n.key = 'reminder:' || d.id || ':' || t.mark
      )
    ORDER BY d.last_day, d.id LIMIT most
$$;

-- What `notify` of a deadline that is over writes: to whom and in which words its row says.
CREATE FUNCTION expiry_told(of_kind text, of_id uuid, deadline uuid, follow jsonb) RETURNS wanted_notice
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'expired:' || deadline, coalesce(follow ->> 'template', 'term_expired'), of_kind, of_id,
           coalesce(follow ->> 'to', 'holder'), deadline, 'expired', NULL::text
$$;

-- Writes them, each key once, with a row for each whom it reaches. What is of one holder and no more is found by a way
-- that is short enough for every notice of a night; the rest by `recipients`, which says the same of those too.
CREATE FUNCTION tell(
    of_town uuid, wanted wanted_notice[], offices jsonb, moment timestamptz, today date, domain text, trace text
) RETURNS void LANGUAGE plpgsql AS $$  -- a column of it comes with a later migration
DECLARE
    written integer;
BEGIN
    INSERT INTO notice (tenant_id, key, template, subject_kind, subject_id, deadline_id, holds_while, lead,
                        person_id, company_id, address, message_id, created_at, traceparent)
    SELECT of_town, w.key, w.template, w.subject_kind, w.subject_id, w.deadline_id, w.holds_while, w.lead,
           n.id, c.id, nullif(coalesce(n.email, c.email), ''), '<' || uuidv7() || '@' || domain || '>', moment, trace
    FROM (
        SELECT u.*, coalesce(p.holder_id, v.holder_id) AS holder_id
        FROM unnest(wanted) WITH ORDINALITY AS u
        LEFT JOIN licence AS l ON u.subject_kind = 'licence' AND l.tenant_id = of_town AND l.id = u.subject_id
        LEFT JOIN permit AS p ON p.tenant_id = of_town
         AND p.id = CASE u.subject_kind WHEN 'permit' THEN u.subject_id ELSE l.permit_id END
        LEFT JOIN vehicle AS v ON u.subject_kind = 'vehicle' AND v.tenant_id = of_town AND v.id = u.subject_id
        WHERE u.receiver = 'holder' OFFSET 0  -- so that a holder is looked for by id
    ) AS w
    JOIN holder AS h ON h.tenant_id = of_town AND h.id = w.holder_id
    LEFT JOIN person AS n ON n.tenant_id = of_town AND n.id = h.person_id
    LEFT JOIN company AS c ON c.tenant_id = of_town AND c.id = h.company_id
    ORDER BY w.ordinality
    ON CONFLICT (tenant_id, key) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written = cardinality(wanted) THEN
        RETURN;
    END IF;
    INSERT INTO notice (tenant_id, key, template, subject_kind, subject_id, deadline_id, holds_while, lead,
                        person_id, company_id, account_id, office, address, message_id, created_at, traceparent)
    SELECT of_town, w.key || coalesce(r.suffix, ''), w.template, w.subject_kind, w.subject_id, w.deadline_id,
           w.holds_while, w.lead, r.person_id, r.company_id, r.account_id, r.office, r.address,
           '<' || uuidv7() || '@' || domain || '>', moment, trace
    FROM unnest(wanted) WITH ORDINALITY AS w
    LEFT JOIN LATERAL recipients(of_town, w.receiver, w.subject_kind, w.subject_id, w.deadline_id, offices, today) AS r
      ON true
    WHERE NOT EXISTS (SELECT FROM notice AS n WHERE n.tenant_id = of_town AND n.key = w.key)
    ORDER BY w.ordinality, r.suffix
    ON CONFLICT (tenant_id, key) DO NOTHING;
END
$$;

-- Does nothing follow but that somebody is told, and that another term runs? Neither changes what else is due.
CREATE FUNCTION changes_nothing_due(follows jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT follows = '[]' OR NOT EXISTS (
        SELECT FROM jsonb_array_elements(follows) AS f WHERE (f ->> 'do' IN ('notify', 'open')) IS NOT TRUE
    )
$$;

-- Records what is over in a town, until nothing is, as long as that changes nothing else that is due; what is then to
-- be told. Raises where something of another kind follows, or where it is more than `most`.
CREATE FUNCTION expire_plain(of_town uuid, today date, moment timestamptz, most integer,
    OUT expired integer, OUT wanted wanted_notice[]
) LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
    plain boolean;
    told wanted_notice[];
    ended uuid[];
    said jsonb[];
BEGIN
    expired := 0;
    wanted := '{}';
    LOOP
        ids := ARRAY(
            SELECT id FROM deadline WHERE tenant_id = of_town AND state = 'open' AND last_day < today FOR UPDATE
        );
        EXIT WHEN cardinality(ids) = 0;
        WITH closed AS MATERIALIZED (
            SELECT * FROM expire(of_town, ids, moment, today)
        ), follow AS (
            SELECT c.*, f.follow, f.follow ->> 'do' AS word, row_number() OVER (ORDER BY c.last_day, c.id, f.place) AS nr
            FROM closed AS c CROSS JOIN jsonb_array_elements(c.follows) WITH ORDINALITY AS f (follow, place)
        )
        SELECT (SELECT bool_and(changes_nothing_due(follows)) FROM closed),
            array_agg(expiry_told(subject_kind, subject_id, id, follow) ORDER BY nr) FILTER (WHERE word = 'notify'),
            array_agg(id ORDER BY nr) FILTER (WHERE word = 'open'),
            array_agg(follow -> 'deadline' ORDER BY nr) FILTER (WHERE word = 'open')
        INTO plain, told, ended, said FROM follow;
        expired := expired + cardinality(ids);
        IF expired > most OR NOT plain THEN
            RAISE EXCEPTION 'no plain night' USING ERRCODE = 'PRACA';  -- undone by `night`
        END IF;
        wanted := wanted || told;
        IF ended IS NOT NULL THEN
            PERFORM open_after(of_town, ended, said);
        END IF;
    END LOOP;
END
$$;

-- The whole night of one town in which nothing changes what else is due, so that the order of its days is all one.
-- False: it has a night of its own, in services/nights/night.py, which knows everything that may follow: more than
-- `most` to do, a follow of another kind, a law not yet derived, or a run that is there.
CREATE FUNCTION night_of_town(
    of_town uuid, today date, moment timestamptz, most integer, domain text, trace text,
    OUT done boolean, OUT expired integer, OUT reminded integer
) LANGUAGE plpgsql AS $$
DECLARE
    law night_law;
    plain boolean;
    wanted wanted_notice[] := '{}';
    reminders wanted_notice[];
BEGIN
    done := false;
    SELECT l.* INTO law FROM night_law_of(of_town, today) AS l
    WHERE NOT EXISTS (SELECT FROM run AS r WHERE r.tenant_id = of_town AND r.day = today AND r.kind = 'night');
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT count(*), coalesce(bool_and(changes_nothing_due(d.follows)), true) INTO expired, plain FROM (
        SELECT follows FROM deadline WHERE tenant_id = of_town AND state = 'open' AND last_day < today LIMIT most + 1
    ) AS d;
    IF expired > most OR NOT plain THEN
        RETURN;
    END IF;
    IF expired > 0 THEN
        SELECT e.expired, e.wanted INTO expired, wanted FROM expire_plain(of_town, today, moment, most) AS e;
    END IF;
    reminders := ARRAY(SELECT r FROM due_reminders(of_town, today, law.reminders, most + 1) AS r);
    reminded := cardinality(reminders);
    IF reminded > most THEN
        RAISE EXCEPTION 'no plain night' USING ERRCODE = 'PRACA';
    END IF;
    wanted := wanted || reminders;
    IF cardinality(wanted) > 0 THEN
        PERFORM tell(of_town, wanted, law.offices, moment, today, domain, trace);
    END IF;
    INSERT INTO run (tenant_id, day, kind, started_at, ended_at, attempts, counts)
    VALUES (of_town, today, 'night', moment, moment + (clock_timestamp() - transaction_timestamp()), 1, jsonb_strip_nulls(
        jsonb_build_object('expired', nullif(expired, 0), 'reminded', nullif(reminded, 0))
    )) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN  -- another night was faster
        RAISE EXCEPTION 'no plain night' USING ERRCODE = 'PRACA';
    END IF;
    UPDATE run SET ended_at = moment, error = NULL
    WHERE tenant_id = of_town AND day < today AND kind = 'night' AND ended_at IS NULL;
    done := true;
END
$$;

-- The night of many towns in one transaction, each under its own row-level security and undone alone when it fails or
-- waits longer than `patience_ms` for another's lock. `error`: why one was undone; it has a night of its own.
CREATE FUNCTION night(
    towns uuid[], days date[], moment timestamptz, most integer, domain text, trace text, patience_ms integer
) RETURNS TABLE (town uuid, done boolean, expired integer, reminded integer, error text)
    LANGUAGE plpgsql
    SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off  -- by index, row by row
AS $$
DECLARE
    day date;
BEGIN
    PERFORM set_config('lock_timeout', patience_ms::text, true);
    FOR town, day IN SELECT * FROM unnest(towns, days) LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        error := NULL;
        BEGIN
            SELECT n.done, n.expired, n.reminded INTO done, expired, reminded
            FROM night_of_town(town, day, moment, most, domain, trace) AS n;
        EXCEPTION WHEN OTHERS THEN
            done := false;
            error := SQLSTATE;
        END;
        RETURN NEXT;
    END LOOP;
END
$$;

-- Of these towns, those in which evidence that came before a moment belongs to no record, or was left half done: whom
-- services/evidence/cleaning.py has to visit.
CREATE FUNCTION towns_with_orphans(towns uuid[], before timestamptz) RETURNS SETOF uuid
    LANGUAGE plpgsql VOLATILE SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
    town uuid;
BEGIN
    FOREACH town IN ARRAY towns LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        IF EXISTS (
            SELECT FROM evidence AS e
            WHERE e.tenant_id = town AND e.received_at < before AND e.state IN ('pending', 'stored', 'dropping')
              AND (e.state <> 'stored' OR NOT EXISTS (
                  SELECT FROM occurrence AS o WHERE o.tenant_id = town AND o.client_id = e.client_id
              ))
        ) THEN
            RETURN NEXT town;
        END IF;
    END LOOP;
END
$$;

-- Towns whose local day has no finished night, and in which a deadline is over, a reminder may tell of one, or a night
-- was cut short. Which lead times count is the law's to say, so every open deadline within `ahead` days is reason enough
-- to look.
SET LOCAL ROLE praca_sweeper;  -- whose function it is
CREATE OR REPLACE FUNCTION towns_with_due(moment timestamptz, ahead integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT town.id
    FROM (SELECT id, (moment AT TIME ZONE zone)::date AS today FROM municipality) AS town
    WHERE (EXISTS (
        SELECT FROM deadline AS d WHERE d.tenant_id = town.id AND d.state = 'open' AND d.last_day <= town.today + ahead
    ) OR EXISTS (
        SELECT FROM run AS r
        WHERE r.tenant_id = town.id AND r.day <= town.today AND r.kind = 'night' AND r.ended_at IS NULL
    ))
    AND NOT EXISTS (
        SELECT FROM run AS r
        WHERE r.tenant_id = town.id AND r.day = town.today AND r.kind = 'night' AND r.ended_at IS NOT NULL
    )
    ORDER BY town.id
$$;
RESET ROLE;
