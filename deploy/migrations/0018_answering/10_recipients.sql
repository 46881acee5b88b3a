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

CREATE OR REPLACE FUNCTION recipients(
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
