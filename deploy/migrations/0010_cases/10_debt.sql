-- An entry in active debt falls when its fine is challenged in time after all, or is dismissed; it may come again.
ALTER TABLE active_debt NO FORCE ROW LEVEL SECURITY;  -- the new key is checked across all towns
ALTER TABLE active_debt
    ADD COLUMN cancelled_on date,
    ADD COLUMN cancelled_act uuid,
    ADD FOREIGN KEY (tenant_id, cancelled_act) REFERENCES act,
    ADD CHECK (num_nulls(cancelled_on, cancelled_act) IN (0, 2)),
    ADD CHECK (cancelled_on >= entered_on),
    DROP CONSTRAINT active_debt_tenant_id_fine_id_key;
ALTER TABLE active_debt FORCE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX one_debt_of_a_fine ON active_debt (tenant_id, fine_id) WHERE cancelled_on IS NULL;
CREATE INDEX active_debt_of_fine ON active_debt (tenant_id, fine_id, id);
GRANT UPDATE (cancelled_on, cancelled_act) ON active_debt TO praca_app;
