-- Terms of the authority that run already come before whom the law names when they are over, as those opened from now on.
DO $$
DECLARE
    town uuid;
BEGIN
    FOR town IN SELECT id FROM municipality LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        UPDATE deadline SET follows = '[{"do": "escalate"}]'
        WHERE tenant_id = town AND state = 'open' AND subject_kind IN ('complaint', 'tariff') AND kind = rule;
    END LOOP;
    PERFORM set_config('app.tenant_id', '', true);
END
$$;
