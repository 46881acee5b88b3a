-- How many dead letters are tried again by themselves, and how many wait for somebody.
CREATE FUNCTION watched_letters() RETURNS TABLE (waiting bigint, dead bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'dead')
    FROM dead_letter WHERE state <> 'closed'
$$;
ALTER FUNCTION watched_letters() OWNER TO praca_sweeper;
REVOKE EXECUTE ON FUNCTION watched_letters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION watched_letters() TO praca_app;
