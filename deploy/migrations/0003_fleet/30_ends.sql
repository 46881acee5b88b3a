-- A permit whose term is over has ended, by the act that records it, also where the law names no cause for it.
ALTER TABLE permit DROP CONSTRAINT permit_check;
ALTER TABLE permit ADD CONSTRAINT permit_ended_by_an_act
    CHECK (num_nulls(ended_on, ended_act) IN (0, 2) AND (ended_cause IS NULL OR ended_on IS NOT NULL));

-- A unit that is a small part of another may round to nothing, as a sum may.
ALTER TABLE licence DROP CONSTRAINT licence_fee_rate_check, ADD CHECK (fee_rate >= 0);
ALTER TABLE fine DROP CONSTRAINT fine_rate_check, ADD CHECK (rate >= 0);
