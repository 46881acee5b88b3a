-- The next seal of a town: the oldest committed acts that no seal holds, at most so many; how many it were. One sealer
-- at a time. The body stands as services/acts/body.py would write it.
CREATE FUNCTION set_seal(of_town uuid, moment timestamptz, most integer) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    last seal;
    listed text;
    how_many integer;
    body text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('seal ' || of_town, 0));
    WITH taken AS (
        DELETE FROM act_unsealed WHERE tenant_id = of_town AND act_id = ANY(ARRAY(
            SELECT act_id FROM act_unsealed WHERE tenant_id = of_town ORDER BY act_id LIMIT most
        )) RETURNING act_id
    )
    SELECT count(*), string_agg('["' || a.id || '","' || encode(a.hash, 'hex') || '"]', ',' ORDER BY a.id)
    INTO how_many, listed
    FROM taken AS t JOIN act AS a ON a.tenant_id = of_town AND a.id = t.act_id;
    IF how_many = 0 THEN
        RETURN 0;
    END IF;
    SELECT * INTO last FROM seal WHERE tenant_id = of_town ORDER BY seq DESC LIMIT 1;
    body := '{"acts":[' || listed || '],"at":"' || said(moment) || '","previous":'
        || coalesce('"' || encode(last.hash, 'hex') || '"', 'null') || ',"seq":' || coalesce(last.seq, 0) + 1
        || ',"town":"' || of_town || '"}';
    INSERT INTO seal (tenant_id, seq, at, body, previous, hash)
    VALUES (of_town, coalesce(last.seq, 0) + 1, moment, body, last.hash, sha256(convert_to(body, 'UTF8')));
    RETURN how_many;
END
$$;

-- One seal in each of many towns, in one transaction, each under its own row-level security and undone alone when it
-- fails. `sealed` is NULL then, and where somebody else seals.
CREATE FUNCTION set_seals(towns uuid[], moment timestamptz, most integer, patience_ms integer)
RETURNS TABLE (town uuid, sealed integer, error text)
    LANGUAGE plpgsql
    SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
    PERFORM set_config('lock_timeout', patience_ms::text, true);
    FOREACH town IN ARRAY towns LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        sealed := NULL;
        error := NULL;
        BEGIN
            IF pg_try_advisory_xact_lock(hashtextextended('seal ' || town, 0)) THEN
                sealed := set_seal(town, moment, most);
            END IF;
        EXCEPTION WHEN OTHERS THEN
            sealed := NULL;
            error := SQLSTATE;
        END;
        RETURN NEXT;
    END LOOP;
END
$$;
