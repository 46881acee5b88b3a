-- Whom a notice reaches, and by what address: told in SQL, so that a night can write its notices in one statement.
ALTER TABLE account ADD COLUMN email text CHECK (email <> '');
ALTER TABLE complaint ADD COLUMN email text CHECK (email <> '');

ALTER TABLE notice NO FORCE ROW LEVEL SECURITY;  -- the new key is checked across all towns
ALTER TABLE notice
    ADD COLUMN account_id uuid,
    ADD COLUMN office text CHECK (office <> ''),
    ADD COLUMN subject text,  -- the words as they were sent: a template may change later
    ADD COLUMN body text,
    ADD COLUMN html text,
    ADD FOREIGN KEY (tenant_id, account_id) REFERENCES account,
    ADD CONSTRAINT notice_words_check CHECK (num_nulls(subject, body, html) IN (0, 3)),  -- law-free: the columns counted
    DROP CONSTRAINT notice_state_check,
    DROP CONSTRAINT notice_check1,  -- one without an address waits too, until it is known that it still holds
    ADD CONSTRAINT notice_state_check CHECK (state IN ('queued', 'sent', 'kept', 'failed', 'dropped'));
ALTER TABLE notice FORCE ROW LEVEL SECURITY;
CREATE INDEX notice_to_person ON notice (tenant_id, person_id, id) WHERE person_id IS NOT NULL;
CREATE INDEX notice_to_company ON notice (tenant_id, company_id, id) WHERE company_id IS NOT NULL;
CREATE INDEX notice_to_office ON notice (tenant_id, office, id) WHERE office IS NOT NULL AND account_id IS NULL;

CREATE INDEX appointment_to_office ON appointment (tenant_id, office, id);

-- What was written before has no address and no inbox; from now on it is kept for its person to read.
DO $$
DECLARE
    town uuid;
BEGIN
    FOR town IN SELECT id FROM municipality LOOP
        PERFORM set_config('app.tenant_id', town::text, true);
        UPDATE notice SET state = 'kept' WHERE tenant_id = town AND state = 'dropped' AND reason = 'no address';
    END LOOP;
    PERFORM set_config('app.tenant_id', '', true);
END
$$;

-- The people of a subject: who holds, drives, applies, answers for it or complained of it. The first is the one whom
-- it is about. `receiver`: holder, driver, candidate, party, representative, complainant.
CREATE FUNCTION people_of(
    town uuid, receiver text, of_kind text, of_id uuid, of_deadline uuid, on_day date
) RETURNS TABLE (place integer, via uuid, holder_id uuid, driver_id uuid, person_id uuid, address text)
    LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT 0, p.id, p.holder_id, NULL::uuid, NULL::uuid, NULL::text FROM permit AS p
    WHERE of_kind = 'permit' AND receiver = 'holder' AND p.tenant_id = town AND p.id = of_id
    UNION ALL
    SELECT 0, l.id, p.holder_id, NULL, NULL, NULL FROM licence AS l
    JOIN permit AS p ON p.tenant_id = l.tenant_id AND p.id = l.permit_id
    WHERE of_kind = 'licence' AND receiver = 'holder' AND l.tenant_id = town AND l.id = of_id
    UNION ALL
    SELECT 0, v.id, v.holder_id, NULL, NULL, NULL FROM vehicle AS v
    WHERE of_kind = 'vehicle' AND receiver = 'holder' AND v.tenant_id = town AND v.id = of_id
    UNION ALL
    SELECT 0, h.id, h.id, NULL, NULL, NULL FROM holder AS h
    WHERE of_kind = 'holder' AND receiver IN ('holder', 'driver') AND h.tenant_id = town AND h.id = of_id
    UNION ALL
    SELECT 0, d.id, NULL, d.id, NULL, NULL FROM driver AS d
    WHERE of_kind = 'driver' AND receiver IN ('holder', 'driver') AND d.tenant_id = town AND d.id = of_id
    UNION ALL
    SELECT 0, f.id, coalesce(p.holder_id, o.holder_id), CASE WHEN p.id IS NULL THEN o.driver_id END, NULL, NULL
    FROM fine AS f LEFT JOIN permit AS p ON p.tenant_id = f.tenant_id AND p.id = f.permit_id
    LEFT JOIN occurrence AS o ON o.tenant_id = f.tenant_id AND o.id = f.occurrence_id
    WHERE of_kind = 'fine' AND receiver = 'holder' AND f.tenant_id = town AND f.id = of_id
      AND (p.id IS NOT NULL OR num_nonnulls(o.holder_id, o.driver_id) > 0)
    UNION ALL
    SELECT 0, o.id, o.holder_id, CASE WHEN o.holder_id IS NULL THEN o.driver_id END, NULL, NULL FROM occurrence AS o
    WHERE of_kind = 'occurrence' AND receiver = 'holder' AND o.tenant_id = town AND o.id = of_id
      AND num_nonnulls(o.holder_id, o.driver_id) > 0
    UNION ALL
    SELECT 0, y.id, y.holder_id, CASE WHEN y.holder_id IS NULL THEN y.driver_id END, NULL, NULL FROM penalty AS y
    WHERE of_kind = 'penalty' AND receiver = 'holder' AND y.tenant_id = town AND y.id = of_id
      AND num_nonnulls(y.holder_id, y.driver_id) > 0
    UNION ALL
    SELECT 0, o.id, NULL, o.driver_id, NULL, NULL FROM occurrence AS o
    WHERE of_kind = 'occurrence' AND receiver = 'driver' AND o.tenant_id = town AND o.id = of_id
      AND o.driver_id IS NOT NULL
    UNION ALL
    SELECT 0, y.id, NULL, y.driver_id, NULL, NULL FROM penalty AS y
    WHERE of_kind = 'penalty' AND receiver = 'driver' AND y.tenant_id = town AND y.id = of_id
      AND y.driver_id IS NOT NULL
    UNION ALL
    SELECT 0, f.id, NULL, o.driver_id, NULL, NULL FROM fine AS f
    JOIN occurrence AS o ON o.tenant_id = f.tenant_id AND o.id = f.occurrence_id
    WHERE of_kind = 'fine' AND receiver = 'driver' AND f.tenant_id = town AND f.id = of_id AND o.driver_id IS NOT NULL
    UNION ALL
    SELECT 0, s.id, p.holder_id, NULL, NULL, NULL FROM substitute AS s
    JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
    WHERE of_kind = 'substitute' AND receiver = 'holder' AND s.tenant_id = town AND s.id = of_id
    UNION ALL
    SELECT 0, s.id, NULL, s.driver_id, NULL, NULL FROM substitute AS s
    WHERE of_kind = 'substitute' AND receiver = 'driver' AND s.tenant_id = town AND s.id = of_id
    UNION ALL
    SELECT 0, r.id, p.holder_id, NULL, NULL, NULL FROM proposal AS r
    JOIN permit AS p ON p.tenant_id = r.tenant_id AND p.id = r.permit_id
    WHERE of_kind = 'proposal' AND receiver = 'holder' AND r.tenant_id = town AND r.id = of_id
    UNION ALL
    SELECT 0, r.id, p.holder_id, NULL, NULL, NULL FROM suspension AS r
    JOIN permit AS p ON p.tenant_id = r.tenant_id AND p.id = r.permit_id
    WHERE of_kind = 'suspension' AND receiver = 'holder' AND r.tenant_id = town AND r.id = of_id
    UNION ALL
    -- Who drives for a permit's holder on that day: what concerns "the driver" of a permit concerns each of them.
    SELECT 1, e.driver_id, NULL, e.driver_id, NULL, NULL FROM (
        SELECT p.holder_id, p.category FROM permit AS p
        WHERE of_kind = 'permit' AND p.tenant_id = town AND p.id = of_id
        UNION ALL
        SELECT p.holder_id, p.category FROM licence AS l
        JOIN permit AS p ON p.tenant_id = l.tenant_id AND p.id = l.permit_id
        WHERE of_kind = 'licence' AND l.tenant_id = town AND l.id = of_id
    ) AS held
    JOIN enrolment AS e ON e.tenant_id = town AND e.holder_id = held.holder_id AND e.category = held.category
     AND e.during @> on_day
    WHERE receiver = 'driver'
    UNION ALL
    -- A tariff agreed with one holder is theirs; a town-wide one is of all who hold a permit of its category.
    SELECT 0, t.id, t.holder_id, NULL, NULL, NULL FROM tariff AS t
    WHERE of_kind = 'tariff' AND receiver = 'holder' AND t.tenant_id = town AND t.id = of_id AND t.holder_id IS NOT NULL
    UNION ALL
    SELECT DISTINCT 1, p.holder_id, p.holder_id, NULL::uuid, NULL::uuid, NULL::text FROM tariff AS t
    JOIN permit AS p ON p.tenant_id = t.tenant_id AND p.category = t.category AND p.during @> on_day
    WHERE of_kind = 'tariff' AND receiver = 'holder' AND t.tenant_id = town AND t.id = of_id AND t.holder_id IS NULL
    UNION ALL
    SELECT 0, s.id, s.holder_id, NULL, NULL, NULL FROM selection_candidate AS s
    WHERE of_kind = 'candidate' AND receiver IN ('holder', 'candidate') AND s.tenant_id = town AND s.id = of_id
    UNION ALL
    SELECT 1, s.id, s.holder_id, NULL, NULL, NULL FROM selection_candidate AS s
    WHERE of_kind = 'selection' AND receiver IN ('holder', 'candidate') AND s.tenant_id = town AND s.call_id = of_id
      AND s.enrolled_on <= on_day AND (s.excluded_on IS NULL OR s.excluded_on > on_day)
    UNION ALL
    -- Of a case: the party whose term it is, else every respondent; and whoever represents them.
    SELECT CASE y.role WHEN 'respondent' THEN 0 ELSE 1 END, y.id, y.holder_id, y.driver_id, y.person_id, NULL
    FROM proceeding_party AS y
    LEFT JOIN deadline AS t ON t.tenant_id = y.tenant_id AND t.id = of_deadline
    WHERE of_kind = 'case' AND y.tenant_id = town AND y.proceeding_id = of_id
      AND (y.ended_on IS NULL OR y.ended_on > on_day)
      AND (receiver IN ('holder', 'driver', 'party') OR (receiver = 'representative' AND y.role = 'representative'))
      AND coalesce(t.inputs ->> 'party', '') IN ('', y.id::text, y.acts_for::text)
    UNION ALL
    SELECT 0, c.id, NULL, NULL, NULL, c.email FROM complaint AS c
    WHERE of_kind = 'complaint' AND receiver = 'complainant' AND c.tenant_id = town AND c.id = of_id
    UNION ALL
    SELECT 0, c.id, p.holder_id, NULL, NULL, NULL FROM complaint AS c
    JOIN permit AS p ON p.tenant_id = c.tenant_id AND p.id = c.permit_id
    WHERE of_kind = 'complaint' AND receiver = 'holder' AND c.tenant_id = town AND c.id = of_id
$$;

-- Who answers for a fact without a permit or a card: a person of the register who was identified, or whoever answers in
-- the case from which the fine comes. Each respondent is a row, also one known by name only: whom nothing reaches is a
-- clerk's task.
CREATE FUNCTION people_answering(town uuid, receiver text, of_kind text, of_id uuid)
    RETURNS TABLE (place integer, via uuid, holder_id uuid, driver_id uuid, person_id uuid, address text)
    LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT 0, o.id, NULL::uuid, NULL::uuid, o.person_id, NULL::text FROM occurrence AS o
    WHERE of_kind = 'occurrence' AND receiver = 'holder' AND o.tenant_id = town AND o.id = of_id
      AND o.person_id IS NOT NULL AND num_nonnulls(o.holder_id, o.driver_id) = 0
    UNION ALL
    SELECT 0, y.id, NULL, NULL, y.person_id, NULL FROM penalty AS y
    WHERE of_kind = 'penalty' AND receiver = 'holder' AND y.tenant_id = town AND y.id = of_id
      AND y.person_id IS NOT NULL AND num_nonnulls(y.holder_id, y.driver_id) = 0
    UNION ALL
    SELECT 0, f.id, NULL, NULL, o.person_id, NULL FROM fine AS f
    JOIN occurrence AS o ON o.tenant_id = f.tenant_id AND o.id = f.occurrence_id
    WHERE of_kind = 'fine' AND receiver = 'holder' AND f.tenant_id = town AND f.id = of_id
      AND f.permit_id IS NULL AND o.person_id IS NOT NULL AND num_nonnulls(o.holder_id, o.driver_id) = 0
    UNION ALL
    SELECT 0, y.id, y.holder_id, y.driver_id, y.person_id, NULL FROM fine AS f
    JOIN proceeding_party AS y ON y.tenant_id = f.tenant_id AND y.proceeding_id = f.proceeding_id
    LEFT JOIN occurrence AS o ON o.tenant_id = f.tenant_id AND o.id = f.occurrence_id
    WHERE of_kind = 'fine' AND receiver = 'holder' AND f.tenant_id = town AND f.id = of_id
      AND f.permit_id IS NULL AND num_nonnulls(o.holder_id, o.driver_id, o.person_id) = 0
      AND y.role = 'respondent'
$$;

-- What rows a notice becomes: one for each recipient. `suffix` goes behind the notice's key; that of the first is
-- empty, so that a key is taken as soon as its notice is written. `offices`: of each word that stands for offices
-- (an office's code, a power, "office/<kind of subject>"), which offices of the day's law it means; each has one row
-- for its inbox, and one with the address of everybody who is appointed to it on the day.
-- No rows: nobody is known. Write the notice all the same (LEFT JOIN LATERAL … ON true, coalesce(suffix, '')), in the
-- state 'queued': the relay looks whether it holds, keeps or drops it, and opens a task for the clerk.
CREATE FUNCTION recipients(
    town uuid, receiver text, of_kind text, of_id uuid, of_deadline uuid, offices jsonb, on_day date
) RETURNS TABLE (suffix text, person_id uuid, company_id uuid, account_id uuid, office text, address text)
    LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN row_number() OVER (ORDER BY r.place, r.via) = 1 THEN '' ELSE ':' || r.via END,
           r.person_id, r.company_id, r.account_id, r.office, nullif(r.address, '')
    FROM (
        SELECT w.place, w.via::text AS via, n.id AS person_id, c.id AS company_id, NULL::uuid AS account_id,
               NULL::text AS office, coalesce(w.address, n.email, c.email) AS address
        FROM (
            SELECT * FROM people_of(town, receiver, of_kind, of_id, of_deadline, on_day)
            UNION ALL
            SELECT * FROM people_answering(town, receiver, of_kind, of_id)
        ) AS w
        LEFT JOIN holder AS h ON h.tenant_id = town AND h.id = w.holder_id
        LEFT JOIN driver AS d ON d.tenant_id = town AND d.id = w.driver_id
        LEFT JOIN person AS n ON n.tenant_id = town AND n.id = coalesce(w.person_id, h.person_id, d.person_id)
        LEFT JOIN company AS c ON c.tenant_id = town AND c.id = h.company_id
        UNION ALL
        SELECT 0, o.code, NULL, NULL, NULL, o.code, NULL
        FROM jsonb_array_elements_text(
            coalesce(offices -> (receiver || '/' || of_kind), offices -> receiver, '[]')
        ) AS o (code)
        UNION ALL
        SELECT 1, a.id::text, a.person_id, a.company_id, a.id, min(p.office), min(coalesce(a.email, n.email, c.email))
        FROM jsonb_array_elements_text(
            coalesce(offices -> (receiver || '/' || of_kind), offices -> receiver, '[]')
        ) AS o (code)
        JOIN appointment AS p ON p.tenant_id = town AND p.office = o.code AND p.during @> on_day
        JOIN account AS a ON a.tenant_id = p.tenant_id AND a.id = p.account_id
        LEFT JOIN person AS n ON n.tenant_id = a.tenant_id AND n.id = a.person_id
        LEFT JOIN company AS c ON c.tenant_id = a.tenant_id AND c.id = a.company_id
        WHERE coalesce(nullif(a.email, ''), nullif(n.email, ''), nullif(c.email, '')) IS NOT NULL
        GROUP BY a.id, a.person_id, a.company_id
    ) AS r
$$;
