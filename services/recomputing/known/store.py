"""The SQL of what such deadlines rest on, and of what moves with them: always many rows at once."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.transactions import Reader, Transaction

# The last publication that was known when a deadline was counted last.
SEQ = """
coalesce((
    SELECT max(p.seq) FROM publication AS p WHERE p.tenant_id = d.tenant_id
      AND p.act_id <= coalesce(CAST(d.inputs #>> '{recounted,-1,act}' AS uuid), d.opened_act)
), 0) AS seq
"""
# Vehicles as they were on the day whose law counted: that of an inspection, or on which they entered or were changed.
VEHICLES = f"""
SELECT d.id, {SEQ}, w.day, w.renews, v.id AS vehicle_id, v.plate, v.holder_id, v.manufacture_year, v.model_year,
       v.first_registration, v.doors, v.seats, v.fuel, v.attributes, o.id AS permit_id, o.granted_on,
       coalesce(i.category, o.category, '') AS category, coalesce(o.holder_id, v.holder_id) AS permit_holder_id,
       s.rule, s.inspected_on, s.passed, s.carried, s.seen, g.passed_on, a.approved
FROM deadline AS d
JOIN act AS c ON c.tenant_id = d.tenant_id AND c.id = d.opened_act
JOIN vehicle AS v ON v.tenant_id = d.tenant_id AND v.id = d.subject_id
LEFT JOIN inspection AS i ON c.subject_kind = 'inspection' AND i.tenant_id = d.tenant_id AND i.id = c.subject_id
CROSS JOIN LATERAL (
    SELECT renews, CASE WHEN renews AND i.id IS NULL THEN c.legal_day ELSE d.opened_on END AS day FROM (
        SELECT EXISTS (
            SELECT FROM inspection AS x WHERE x.tenant_id = d.tenant_id AND x.vehicle_id = v.id AND x.rule = d.rule
              AND x.passed AND x.inspected_on = d.opened_on
        ) AS renews
    ) AS x
) AS w
LEFT JOIN permit_vehicle AS u ON u.tenant_id = d.tenant_id AND u.vehicle_id = v.id AND u.during @> w.day
LEFT JOIN permit AS o ON o.tenant_id = u.tenant_id AND o.id = u.permit_id
LEFT JOIN LATERAL (
    SELECT rule, inspected_on, passed, carried, seen FROM inspection AS x
    WHERE x.tenant_id = d.tenant_id AND x.vehicle_id = v.id AND x.what = 'vehicle' AND x.inspected_on <= w.day
    ORDER BY x.inspected_on DESC, x.id DESC LIMIT 1
) AS s ON true
LEFT JOIN LATERAL (
    SELECT max(x.inspected_on) AS passed_on FROM inspection AS x
    WHERE x.tenant_id = d.tenant_id AND x.vehicle_id = v.id AND x.rule = s.rule AND x.passed AND x.inspected_on <= w.day
) AS g ON true
LEFT JOIN LATERAL (
    SELECT jsonb_object_agg(f.key, f.value ORDER BY x.id) AS approved
    FROM approval AS x CROSS JOIN LATERAL jsonb_each(x.facts) AS f (key, value)
    WHERE x.tenant_id = d.tenant_id AND x.vehicle_id = v.id AND x.during @> w.day
) AS a ON true
WHERE d.tenant_id = :tenant AND d.id = ANY(CAST(:ids AS uuid[]))
"""  # noqa: S608 - our own column
EXTENSIONS = """
SELECT d.id, d.subject_id, ARRAY(
    SELECT e ->> 'needs' FROM jsonb_array_elements(d.counted -> 'extensions') AS e WHERE e ->> 'state' = 'granted'
) AS granted
FROM deadline AS d
WHERE d.tenant_id = :tenant AND d.id = ANY(CAST(:ids AS uuid[])) AND jsonb_typeof(d.counted -> 'extensions') = 'array'
  AND d.counted -> 'extensions' @> jsonb_build_array(jsonb_build_object('state', 'granted'))
"""
PAPERS = f"""
SELECT d.id, {SEQ}, f.code, f.subject_kind, f.issued_on, f.valid_until
FROM deadline AS d
JOIN paper AS f ON f.tenant_id = d.tenant_id AND f.id = CAST(d.inputs ->> 'paper' AS uuid)
WHERE d.tenant_id = :tenant AND d.id = ANY(CAST(:ids AS uuid[]))
"""  # noqa: S608 - our own column
# ``bound``: the last day that the permit leaves, or whoever comes after.
SUBSTITUTES = f"""
SELECT d.id, {SEQ}, s.rule, s.role, c.legal_day, p.category, p.granted_on, h.kind AS holder_kind, least(
    upper(p.during), (
        SELECT min(lower(o.during)) FROM substitute AS o
        WHERE o.tenant_id = s.tenant_id AND o.permit_id = s.permit_id AND lower(o.during) > lower(s.during)
          AND NOT isempty(o.during)
    )
) - 1 AS bound
FROM deadline AS d
JOIN act AS c ON c.tenant_id = d.tenant_id AND c.id = d.opened_act
JOIN substitute AS s ON s.tenant_id = d.tenant_id AND s.id = d.subject_id
JOIN permit AS p ON p.tenant_id = s.tenant_id AND p.id = s.permit_id
JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
WHERE d.tenant_id = :tenant AND d.id = ANY(CAST(:ids AS uuid[]))
"""  # noqa: S608 - our own column


async def vehicles(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    """The vehicles that deadlines are of."""
    return await tx.rows(VEHICLES, ids=list(ids))


async def extended(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    """Of those to whose vehicles more time was given: on which papers."""
    return await tx.rows(EXTENSIONS, ids=list(ids))


async def papers(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    """The papers whose ends deadlines are."""
    return await tx.rows(PAPERS, ids=list(ids))


async def substitutes(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    """Who drives until the deadlines' last days."""
    return await tx.rows(SUBSTITUTES, ids=list(ids))


# What an inspection says of the days that it has set running.
INSPECTED = """
UPDATE inspection AS i SET version = i.version + 1,
    due_on = CASE WHEN d.kind = d.rule THEN d.last_day ELSE i.due_on END,
    cure_until = CASE WHEN d.kind <> d.rule THEN d.last_day ELSE i.cure_until END
FROM deadline AS d JOIN act AS a ON a.tenant_id = d.tenant_id AND a.id = d.opened_act
WHERE d.tenant_id = :tenant AND d.id = ANY(CAST(:ids AS uuid[])) AND d.subject_kind = 'vehicle'
  AND a.subject_kind = 'inspection' AND i.tenant_id = d.tenant_id AND i.id = a.subject_id AND i.rule = d.rule
"""


async def inspected(tx: "Transaction", ids: Sequence[UUID]) -> None:
    await tx.rows(INSPECTED, ids=list(ids))


DRIVE = """
UPDATE substitute AS s SET during = daterange(lower(s.during), m.upper), version = s.version + 1
FROM unnest(CAST(:ids AS uuid[]), CAST(:olds AS date[]), CAST(:uppers AS date[])) AS m (id, old, upper)
WHERE s.tenant_id = :tenant AND s.id = m.id AND upper(s.during) = m.old AND lower(s.during) < m.upper
"""


async def drive(tx: "Transaction", moved: Sequence[tuple[UUID, date, date]]) -> None:
    """Whoever drives in a holder's stead: id, first day without them before and now."""
    await tx.rows(
        DRIVE,
        ids=[id for id, _, _ in moved],
        olds=[old for _, old, _ in moved],
        uppers=[upper for _, _, upper in moved],
    )


DEMANDED = """
UPDATE deadline AS d SET rule = m.rule, article = m.article
FROM unnest(CAST(:ids AS uuid[]), CAST(:rules AS text[]), CAST(:articles AS text[])) AS m (id, rule, article)
WHERE d.tenant_id = :tenant AND d.id = m.id
"""


async def demanded(tx: "Transaction", by: Sequence[tuple[UUID, str, str]]) -> None:
    """Under which demand a paper now ends: the deadline's id, the rule, its articles."""
    await tx.rows(
        DEMANDED,
        ids=[id for id, _, _ in by],
        rules=[rule for _, rule, _ in by],
        articles=[article for _, _, article in by],
    )
