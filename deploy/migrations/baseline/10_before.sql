-- What must be there before the migration, and what the tables need.
DO $$
DECLARE
    missing text;
BEGIN
    SELECT string_agg(role, ', ') INTO missing
    FROM unnest(ARRAY['praca_app', 'praca_sweeper']) AS role
    WHERE to_regrole(role) IS NULL;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION 'role(s) % missing: run deploy/roles.sql as a superuser first', missing;
    END IF;
END
$$;

CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- By what a name sorts and is looked for. Declared immutable, as an index needs: the dictionary is the one installed with it.
CREATE FUNCTION sortable(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(public.unaccent('public.unaccent'::regdictionary, name));
