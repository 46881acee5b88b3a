-- Who has no permit may be fined at the end of a case that no record opened.
ALTER TABLE fine NO FORCE ROW LEVEL SECURITY;  -- the new key is checked across all towns
ALTER TABLE fine ADD COLUMN proceeding_id uuid, ADD FOREIGN KEY (tenant_id, proceeding_id) REFERENCES proceeding;
DO $$
DECLARE
    old text;
BEGIN
    SELECT conname INTO STRICT old FROM pg_constraint
    WHERE conrelid = 'fine'::regclass AND contype = 'c'
      AND pg_get_constraintdef(oid) LIKE '%num_nonnulls(permit_id, occurrence_id)%';
    EXECUTE format('ALTER TABLE fine DROP CONSTRAINT %I', old);
END
$$;
ALTER TABLE fine ADD CONSTRAINT fine_of_something CHECK (num_nonnulls(permit_id, occurrence_id, proceeding_id) > 0);
ALTER TABLE fine FORCE ROW LEVEL SECURITY;
CREATE INDEX fine_of_case ON fine (tenant_id, proceeding_id) WHERE proceeding_id IS NOT NULL;
