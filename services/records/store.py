"""The record's SQL: what belongs to a subject, and everything about it by the day on which it counts."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader

OWNER = {
    "holder": "SELECT person_id, company_id FROM holder WHERE tenant_id = :tenant AND id = :id",
    "driver": "SELECT person_id, CAST(NULL AS uuid) AS company_id FROM driver WHERE tenant_id = :tenant AND id = :id",
    "vehicle": """
        SELECT h.person_id, h.company_id FROM vehicle AS v
        LEFT JOIN holder AS h ON h.tenant_id = v.tenant_id AND h.id = v.holder_id
        WHERE v.tenant_id = :tenant AND v.id = :id
    """,
}


async def owner(tx: Reader, kind: str, id: UUID) -> Row[Any] | None:
    """Whose it is: a person or a company, or nobody's; None: the town has no such thing."""
    return await tx.row(OWNER[kind], id=id)


# What belongs to a holder: who they are, their permits with all that hangs on these, and their vehicles while they were
# theirs. `span`: only what falls on these days; NULL: all.
OF_HOLDER = """
WITH permits AS (
    SELECT id FROM permit WHERE tenant_id = :tenant AND holder_id = :id
), had AS (
    SELECT v.id, daterange((
        SELECT max(s.sold_on) FROM sale AS s
        WHERE s.tenant_id = :tenant AND s.vehicle_id = v.id AND s.to_holder_id = CAST(:id AS uuid)
    ), NULL) AS during
    FROM vehicle AS v WHERE v.tenant_id = :tenant AND v.holder_id = :id
    UNION ALL
    SELECT vehicle_id, daterange(NULL, sold_on, '[]') FROM sale WHERE tenant_id = :tenant AND from_holder_id = :id
    UNION ALL
    SELECT pv.vehicle_id, pv.during FROM permit_vehicle AS pv JOIN permits AS p ON p.id = pv.permit_id
    WHERE pv.tenant_id = :tenant
), vehicles AS (
    SELECT id, range_agg(during) AS span FROM had GROUP BY id
)
SELECT 'holder' AS kind, CAST(:id AS uuid) AS id, CAST(NULL AS text) AS span
UNION ALL
SELECT 'person', person_id, NULL FROM holder WHERE tenant_id = :tenant AND id = :id AND person_id IS NOT NULL
UNION ALL
SELECT 'company', company_id, NULL FROM holder WHERE tenant_id = :tenant AND id = :id AND company_id IS NOT NULL
UNION ALL
SELECT 'driver', d.id, NULL FROM driver AS d JOIN holder AS h ON h.tenant_id = d.tenant_id AND h.person_id = d.person_id
WHERE d.tenant_id = :tenant AND h.id = :id
UNION ALL
SELECT 'enrolment', id, NULL FROM enrolment WHERE tenant_id = :tenant AND holder_id = :id
UNION ALL
SELECT 'permit', id, NULL FROM permits
UNION ALL
SELECT 'vehicle', id, CAST(span AS text) FROM vehicles
UNION ALL
SELECT 'licence', l.id, NULL FROM licence AS l JOIN permits AS p ON p.id = l.permit_id WHERE l.tenant_id = :tenant
UNION ALL
SELECT 'fine', f.id, NULL FROM fine AS f JOIN permits AS p ON p.id = f.permit_id WHERE f.tenant_id = :tenant
UNION ALL
SELECT 'substitute', s.id, NULL FROM substitute AS s JOIN permits AS p ON p.id = s.permit_id WHERE s.tenant_id = :tenant
UNION ALL
SELECT 'renewal_request', r.id, NULL FROM renewal_request AS r JOIN permits AS p ON p.id = r.permit_id
WHERE r.tenant_id = :tenant
UNION ALL
SELECT 'proposal', o.id, NULL FROM proposal AS o JOIN permits AS p ON p.id = o.permit_id WHERE o.tenant_id = :tenant
UNION ALL
SELECT 'suspension', s.id, NULL FROM suspension AS s JOIN permits AS p ON p.id = s.permit_id WHERE s.tenant_id = :tenant
UNION ALL
SELECT 'occurrence', o.id, NULL FROM occurrence AS o WHERE o.tenant_id = :tenant AND o.holder_id = :id
UNION ALL
SELECT 'occurrence', o.id, NULL FROM occurrence AS o JOIN holder AS h ON h.tenant_id = o.tenant_id
AND h.person_id = o.person_id WHERE o.tenant_id = :tenant AND h.id = :id
UNION ALL
SELECT 'case', c.id, NULL FROM proceeding AS c WHERE c.tenant_id = :tenant AND EXISTS (
    SELECT FROM proceeding_party AS y LEFT JOIN holder AS h ON h.tenant_id = y.tenant_id AND h.id = :id
    WHERE y.tenant_id = c.tenant_id AND y.proceeding_id = c.id AND y.role = 'respondent'
      AND (y.holder_id = :id OR y.person_id = h.person_id))
UNION ALL
SELECT 'candidate', id, NULL FROM selection_candidate WHERE tenant_id = :tenant AND holder_id = :id
UNION ALL
SELECT 'inspection', i.id, CAST(v.span AS text) FROM inspection AS i JOIN vehicles AS v ON v.id = i.vehicle_id
WHERE i.tenant_id = :tenant
UNION ALL
SELECT 'approval', a.id, CAST(v.span AS text) FROM approval AS a JOIN vehicles AS v ON v.id = a.vehicle_id
WHERE a.tenant_id = :tenant
"""
OF_DRIVER = """
SELECT 'driver' AS kind, CAST(:id AS uuid) AS id, CAST(NULL AS text) AS span
UNION ALL
SELECT 'person', person_id, NULL FROM driver WHERE tenant_id = :tenant AND id = :id
UNION ALL
SELECT 'enrolment', id, NULL FROM enrolment WHERE tenant_id = :tenant AND driver_id = :id
UNION ALL
SELECT 'substitute', id, NULL FROM substitute WHERE tenant_id = :tenant AND driver_id = :id
UNION ALL
SELECT 'occurrence', id, NULL FROM occurrence WHERE tenant_id = :tenant AND driver_id = :id
UNION ALL
SELECT 'case', proceeding_id, NULL FROM proceeding_party
WHERE tenant_id = :tenant AND driver_id = :id AND role = 'respondent'
"""
# Of the permits that a vehicle served, what fell on the days of its service; and what was seen of its plate, also when
# the register did not know it yet.
OF_VEHICLE = """
SELECT 'vehicle' AS kind, CAST(:id AS uuid) AS id, CAST(NULL AS text) AS span
UNION ALL
SELECT 'permit', permit_id, CAST(range_agg(during) AS text) FROM permit_vehicle
WHERE tenant_id = :tenant AND vehicle_id = :id GROUP BY permit_id
UNION ALL
SELECT 'inspection', id, NULL FROM inspection WHERE tenant_id = :tenant AND vehicle_id = :id
UNION ALL
SELECT 'approval', id, NULL FROM approval WHERE tenant_id = :tenant AND vehicle_id = :id
UNION ALL
SELECT 'occurrence', o.id, NULL FROM vehicle AS v
JOIN occurrence AS o ON o.tenant_id = v.tenant_id AND o.plate = v.plate WHERE v.tenant_id = :tenant AND v.id = :id
"""
BELONGINGS = {"holder": OF_HOLDER, "driver": OF_DRIVER, "vehicle": OF_VEHICLE}


async def belonging(tx: Reader, kind: str, id: UUID) -> list[Row[Any]]:
    """The kinds and ids of all that belongs to a subject, itself first: one statement."""
    return await tx.rows(BELONGINGS[kind], id=id)


# One row for each thing that happened or holds, with the act that made it. A deadline's own acts stand beside it.
ENTRIES = """
WITH about AS (
    SELECT kind, id, CAST(span AS datemultirange) AS span
    FROM unnest(CAST(:kinds AS text[]), CAST(:ids AS uuid[]), CAST(:spans AS text[])) AS a (kind, id, span)
), entry AS (
    SELECT 'act' AS kind, a.legal_day AS day, a.id, a.subject_kind AS of_kind, a.subject_id AS of_id, a.verb AS code,
           CAST(NULL AS text) AS number, CAST(NULL AS date) AS until, CAST(NULL AS text) AS state,
           CAST(NULL AS text) AS article, a.id AS act_id, s.span
    FROM act AS a JOIN about AS s ON s.kind = a.subject_kind AND s.id = a.subject_id WHERE a.tenant_id = :tenant
    UNION ALL
    SELECT 'deadline', d.opened_on, d.id, d.subject_kind, d.subject_id, d.rule, NULL, d.last_day,
           state(d, CAST(:day AS date)), d.article, d.opened_act, s.span
    FROM deadline AS d JOIN about AS s ON s.kind = d.subject_kind AND s.id = d.subject_id WHERE d.tenant_id = :tenant
    UNION ALL
    SELECT 'paper', coalesce(p.issued_on, f.legal_day, CAST(:day AS date)), p.id, p.subject_kind, p.subject_id, p.code,
           p.number, p.valid_until, NULL, NULL, f.id, s.span
    FROM paper AS p JOIN about AS s ON s.kind = p.subject_kind AND s.id = p.subject_id
    LEFT JOIN act AS f ON f.tenant_id = p.tenant_id AND f.subject_kind = 'paper' AND f.subject_id = p.id
    WHERE p.tenant_id = :tenant
    UNION ALL
    SELECT 'permit', p.granted_on, p.id, 'holder', p.holder_id, p.category, p.number, upper(p.during) - 1,
           state(p, CAST(:day AS date)), NULL, p.granted_act, NULL
    FROM permit AS p JOIN about AS s ON s.kind = 'permit' AND s.id = p.id WHERE p.tenant_id = :tenant
    UNION ALL
    SELECT 'licence', lower(l.during), l.id, 'permit', l.permit_id, 'licence', l.number, upper(l.during) - 1,
           state(l, CAST(:day AS date)), NULL, l.act_id, s.span
    FROM licence AS l JOIN about AS s ON s.kind = 'permit' AND s.id = l.permit_id
    WHERE l.tenant_id = :tenant AND NOT isempty(l.during)
    UNION ALL
    SELECT 'fine', f.seen_on, f.id, 'permit', f.permit_id, f.infraction, f.number, NULL, NULL, NULL, f.act_id, s.span
    FROM fine AS f JOIN about AS s ON s.kind = 'permit' AND s.id = f.permit_id WHERE f.tenant_id = :tenant
    UNION ALL
    SELECT 'inspection', i.inspected_on, i.id, 'vehicle', i.vehicle_id, i.rule, i.number, i.due_on,
           CASE WHEN i.passed THEN 'passed' ELSE 'failed' END, NULL, i.recorded_act, s.span
    FROM inspection AS i JOIN about AS s ON s.kind = 'inspection' AND s.id = i.id
    WHERE i.tenant_id = :tenant AND i.inspected_on IS NOT NULL
    UNION ALL
    SELECT 'approval', lower(a.during), a.id, 'vehicle', a.vehicle_id, a.matter, a.number, upper(a.during) - 1, NULL,
           NULL, a.act_id, s.span
    FROM approval AS a JOIN about AS s ON s.kind = 'approval' AND s.id = a.id
    WHERE a.tenant_id = :tenant AND NOT isempty(a.during)
    UNION ALL
    SELECT 'occurrence', o.seen_on, o.id, 'occurrence', o.id, array_to_string(o.infractions, ', '), o.number, NULL,
           o.state, NULL, o.act_id, s.span
    FROM occurrence AS o JOIN about AS s ON s.kind = 'occurrence' AND s.id = o.id WHERE o.tenant_id = :tenant
    UNION ALL
    SELECT 'case', c.opened_on, c.id, 'case', c.id, c.process, c.number, NULL, state(c, CAST(:day AS date)), NULL,
           c.opened_act, s.span
    FROM proceeding AS c JOIN about AS s ON s.kind = 'case' AND s.id = c.id WHERE c.tenant_id = :tenant
    UNION ALL
    SELECT 'enrolment', lower(e.during), e.id, 'driver', e.driver_id, e.role, e.number, upper(e.during) - 1, NULL, NULL,
           e.act_id, s.span
    FROM enrolment AS e JOIN about AS s ON s.kind = 'enrolment' AND s.id = e.id
    WHERE e.tenant_id = :tenant AND NOT isempty(e.during)
)
SELECT kind, day, id, of_kind, of_id, code, number, until, state, article, act_id FROM entry
WHERE day <= CAST(:day AS date) AND (span IS NULL OR span @> day) {later}
ORDER BY day, id LIMIT :limit
"""
FIRST, LATER = (
    ENTRIES.format(later=""),
    ENTRIES.format(later="AND (day, id) > (CAST(:after AS date), CAST(:last AS uuid))"),
)


async def entries(
    tx: Reader, about: Sequence[Row[Any]], day: date, limit: int, after: tuple[date, UUID] | None
) -> list[Row[Any]]:
    """Everything about these up to a day, in order of time; ``after``: day and id of the row before."""
    more = {"after": after[0], "last": after[1]} if after else {}
    return await tx.rows(
        LATER if after else FIRST,
        kinds=[row.kind for row in about],
        ids=[row.id for row in about],
        spans=[row.span for row in about],
        day=day,
        limit=limit,
        **more,
    )


async def bodies(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """Acts by their ids, whole."""
    rows = await tx.rows(
        "SELECT id, verb, actor, office, at, body FROM act "
        "WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))",
        ids=list(ids),
    )
    return {row.id: row for row in rows}
