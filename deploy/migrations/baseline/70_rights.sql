-- Every row of a town is seen by that town alone, also by the owner; without a town a statement fails.
CREATE FUNCTION guard_town_rows() RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    of_a_town text;
BEGIN
    FOR of_a_town IN
        SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant_id'
          AND NOT EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'town')
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', of_a_town);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', of_a_town);
        EXECUTE format(
            'CREATE POLICY town ON %I USING (tenant_id = (SELECT current_setting(''app.tenant_id'')::uuid)) '
            'WITH CHECK (tenant_id = (SELECT current_setting(''app.tenant_id'')::uuid))',
            of_a_town
        );
        EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO praca_app', of_a_town);
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION guard_town_rows() FROM PUBLIC;

-- Each migration that makes a table calls it again.
SELECT guard_town_rows();

-- What is published or done stays as it is.
REVOKE UPDATE ON publication, law_item, act, act_unsealed, seal, notice_attempt FROM praca_app;
GRANT DELETE ON act_unsealed TO praca_app;
GRANT SELECT, INSERT, UPDATE (name, zone, hosts) ON municipality TO praca_app;

REVOKE EXECUTE ON FUNCTION towns_with_due(timestamptz, integer), towns_with_notices(), towns_to_seal() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION towns_with_due(timestamptz, integer), towns_with_notices(), towns_to_seal() TO praca_app;
