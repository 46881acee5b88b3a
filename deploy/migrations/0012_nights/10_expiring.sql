-- That a deadline is over is recorded here and nowhere else: for the night of many towns, and for whoever acts on a
-- subject. A moment and a text stand in an act as services/acts/body.py writes them, so that one value has one text.
CREATE FUNCTION said(moment timestamptz) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        || CASE WHEN date_trunc('second', moment) = moment THEN '' ELSE to_char(moment AT TIME ZONE 'UTC', '.US') END
        || '+00:00'
$$;

-- Closes these open deadlines of the town whose rows the transaction holds, each by an act of its own last day.
CREATE FUNCTION expire(of_town uuid, ids uuid[], moment timestamptz, today date) RETURNS TABLE (
    id uuid, kind text, rule text, subject_kind text, subject_id uuid, opened_on date, last_day date, article text,
    follows jsonb, act_id uuid
) LANGUAGE sql VOLATILE SET datestyle = 'ISO' AS $$
    WITH due AS MATERIALIZED (
        SELECT d.*, uuidv7() AS made, uuid_send(gen_random_uuid()) AS salt,  -- 122 random bits
            '{"actor":"system","at":"' || (SELECT said(moment)) || '","changes":{"article":' || to_json(d.article)
            || ',"kind":' || to_json(d.kind) || ',"lastDay":"' || d.last_day || '","of":{"id":"' || d.subject_id
            || '","kind":' || to_json(d.subject_kind) || '},"openedOn":"' || d.opened_on || '","rule":'
            || to_json(d.rule) || ',"state":"expired"},"decision":null,"legalDay":"' || d.last_day
            || '","localDay":"' || today || '","office":null,"on":{"id":"' || d.id
            || '","kind":"deadline"},"request":null,"result":null,"verb":"deadline.expired","why":null}' AS body
        FROM (
            SELECT o.* FROM deadline AS o
            WHERE o.tenant_id = of_town AND o.id = ANY(ids) AND o.state = 'open' ORDER BY o.last_day, o.id
        ) AS d
    ), recorded AS (
        INSERT INTO act (tenant_id, id, verb, actor, at, local_day, legal_day, subject_kind, subject_id,
                         body, salt, hash)
        SELECT of_town, made, 'deadline.expired', 'system', moment, today, last_day, 'deadline', due.id,
               body, salt, sha256(salt || convert_to(body, 'UTF8'))
        FROM due
    )
    UPDATE deadline AS d SET state = 'expired', closed_on = d.last_day, closed_act = due.made, version = d.version + 1
    FROM due WHERE d.tenant_id = of_town AND d.id = due.id
    RETURNING d.id, d.kind, d.rule, d.subject_kind, d.subject_id, d.opened_on, d.last_day, d.article, d.follows, made
$$;

-- The deadlines that the ends of others open, as those say: by default of the same subject, from the other's last day.
CREATE FUNCTION open_after(of_town uuid, ended uuid[], said jsonb[]) RETURNS void
    LANGUAGE sql VOLATILE AS $$
    INSERT INTO deadline (tenant_id, kind, rule, subject_kind, subject_id, opened_on, last_day, article, opened_act,
                          inputs, counted, follows)
    SELECT of_town, coalesce(o.next ->> 'kind', d.kind), o.next ->> 'rule', d.subject_kind, d.subject_id,
           coalesce((o.next ->> 'opened_on')::date, d.last_day), (o.next ->> 'last_day')::date,
           coalesce(o.next ->> 'article', d.article), d.closed_act,
           coalesce(o.next -> 'inputs', '{}') || jsonb_build_object('after', d.id),
           coalesce(o.next -> 'counted', '{}'), coalesce(o.next -> 'follows', '[]')
    FROM unnest(ended, said) WITH ORDINALITY AS o (id, next, place)
    JOIN deadline AS d ON d.tenant_id = of_town AND d.id = o.id
    ORDER BY o.place
$$;
