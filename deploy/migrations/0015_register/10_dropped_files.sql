-- Of a file that a town brought, the cells are kept only so long; its report and its acts stay.
ALTER TABLE import_file NO FORCE ROW LEVEL SECURITY;  -- the new key is checked across all towns
ALTER TABLE import_file
    ADD COLUMN dropped_on date,
    ADD COLUMN dropped_act uuid,
    ADD FOREIGN KEY (tenant_id, dropped_act) REFERENCES act,
    ADD CONSTRAINT dropped_by_an_act CHECK ((dropped_on IS NULL) = (dropped_act IS NULL)),
    ADD CONSTRAINT dropped_is_empty CHECK (dropped_on IS NULL OR content = ''::bytea);
ALTER TABLE import_file FORCE ROW LEVEL SECURITY;
CREATE INDEX import_file_kept ON import_file (tenant_id, received_at) WHERE dropped_on IS NULL;

-- Of these towns, those that keep a file which came before a moment: whom services/importing/dropping.py has to visit.
CREATE FUNCTION towns_with_old_files(towns uuid[], before timestamptz) RETURNS SETOF uuid
    LANGUAGE plpgsql VOLATILE SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
    town uuid;
BEGIN
    FOREACH town IN ARRAY towns LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        IF EXISTS (
            SELECT FROM import_file AS f
            WHERE f.tenant_id = town AND f.received_at < before AND f.dropped_on IS NULL
        ) THEN
            RETURN NEXT town;
        END IF;
    END LOOP;
END
$$;
