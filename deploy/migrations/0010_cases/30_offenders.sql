-- Who did it may be known only later (identificação do autuado): somebody with or without a permit, in any category.
ALTER TABLE occurrence NO FORCE ROW LEVEL SECURITY;  -- the new keys are checked across all towns
ALTER TABLE occurrence ADD COLUMN person_id uuid, ADD FOREIGN KEY (tenant_id, person_id) REFERENCES person;
ALTER TABLE occurrence FORCE ROW LEVEL SECURITY;
DO $$
DECLARE
    old text;
BEGIN
    SELECT conname INTO STRICT old FROM pg_constraint
    WHERE conrelid = 'occurrence'::regclass AND contype = 'c'
      AND pg_get_constraintdef(oid) LIKE '%(permit_id IS NULL) = (holder_id IS NULL)%';
    EXECUTE format('ALTER TABLE occurrence DROP CONSTRAINT %I', old);
END
$$;
ALTER TABLE occurrence ADD CONSTRAINT occurrence_holder_check CHECK (permit_id IS NULL OR holder_id IS NOT NULL);
CREATE INDEX occurrence_of_person ON occurrence (tenant_id, person_id, id) WHERE person_id IS NOT NULL;
CREATE INDEX occurrence_of_holder ON occurrence (tenant_id, holder_id, id) WHERE holder_id IS NOT NULL;

-- Repetition counts within a category where the law says so: the one of the day of the fact.
ALTER TABLE penalty NO FORCE ROW LEVEL SECURITY;
ALTER TABLE penalty ADD COLUMN category text CHECK (category <> ''), ADD COLUMN person_id uuid,
    ADD FOREIGN KEY (tenant_id, person_id) REFERENCES person;
ALTER TABLE penalty FORCE ROW LEVEL SECURITY;
CREATE INDEX penalty_of_person ON penalty (tenant_id, person_id, seen_on, id) WHERE person_id IS NOT NULL;
DO $$
DECLARE
    town uuid;
BEGIN
    FOR town IN SELECT id FROM municipality LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        UPDATE penalty AS p SET category = coalesce(
            (SELECT m.category FROM permit AS m WHERE m.tenant_id = town AND m.id = p.permit_id),
            (SELECT o.category FROM occurrence AS o WHERE o.tenant_id = town AND o.id = p.occurrence_id)
        ) WHERE p.tenant_id = town;
    END LOOP;
    PERFORM set_config('app.tenant_id', '', true);
END
$$;

-- Who acted for somebody does so no more (renúncia, revogação): `ended_on` is the first day without.
ALTER TABLE proceeding_party NO FORCE ROW LEVEL SECURITY;
ALTER TABLE proceeding_party ADD COLUMN ended_on date, ADD COLUMN ended_act uuid,
    ADD FOREIGN KEY (tenant_id, ended_act) REFERENCES act,
    ADD CHECK (num_nulls(ended_on, ended_act) IN (0, 2)),
    ADD CHECK (ended_on >= since),
    ADD CHECK (ended_on IS NULL OR role = 'representative');
ALTER TABLE proceeding_party FORCE ROW LEVEL SECURITY;
