"""What words may name of a subject, in SQL: one statement for all of a batch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

if TYPE_CHECKING:
    from services.database import Reader


KNOWN = """
WITH wanted AS (
    SELECT * FROM unnest(
        CAST(:notices AS uuid[]), CAST(:kinds AS text[]), CAST(:ids AS uuid[]), CAST(:deadlines AS uuid[])
    ) AS w (notice, kind, id, deadline)
)
SELECT w.notice, t.opened_on, f.brl, f.units, f.unit, s.place, g.answer,
       coalesce(p.number, l.number, f.number, v.plate, e.number, k.number, g.number, o.number, u.number,
                q.number) AS number,
       coalesce(p.category, lp.category, fp.category, e.category, k.category, o.category, y.category)
           AS category,
       coalesce(f.decision, k.decision, g.decision, o.decision, r.decision,
                CASE WHEN a.body LIKE '{%' THEN CAST(a.body AS jsonb) -> 'decision' END) AS decision,
       CASE WHEN f.id IS NOT NULL THEN ARRAY[f.infraction] WHEN z.id IS NOT NULL THEN ARRAY[z.infraction]
            WHEN o.id IS NOT NULL THEN o.infractions
            WHEN k.id IS NOT NULL THEN ARRAY(
                SELECT h.infraction FROM proceeding_charge AS h
                WHERE h.tenant_id = k.tenant_id AND h.proceeding_id = k.id ORDER BY h.id
            ) END AS infractions
FROM wanted AS w
LEFT JOIN deadline AS t ON t.tenant_id = :tenant AND t.id = w.deadline
LEFT JOIN act AS a ON a.tenant_id = :tenant AND a.id = t.opened_act
LEFT JOIN permit AS p ON w.kind = 'permit' AND p.tenant_id = :tenant AND p.id = w.id
LEFT JOIN licence AS l ON w.kind = 'licence' AND l.tenant_id = :tenant AND l.id = w.id
LEFT JOIN permit AS lp ON lp.tenant_id = l.tenant_id AND lp.id = l.permit_id
LEFT JOIN penalty AS z ON w.kind = 'penalty' AND z.tenant_id = :tenant AND z.id = w.id
LEFT JOIN fine AS f ON w.kind IN ('fine', 'penalty') AND f.tenant_id = :tenant
                   AND f.id = coalesce(z.fine_id, w.id)
LEFT JOIN permit AS fp ON fp.tenant_id = f.tenant_id AND fp.id = f.permit_id
LEFT JOIN vehicle AS v ON w.kind = 'vehicle' AND v.tenant_id = :tenant AND v.id = w.id
LEFT JOIN selection_candidate AS s ON w.kind = 'candidate' AND s.tenant_id = :tenant AND s.id = w.id
LEFT JOIN selection_call AS e ON w.kind IN ('candidate', 'selection') AND e.tenant_id = :tenant
                             AND e.id = coalesce(s.call_id, w.id)
LEFT JOIN proceeding AS k ON w.kind = 'case' AND k.tenant_id = :tenant AND k.id = w.id
LEFT JOIN complaint AS g ON w.kind = 'complaint' AND g.tenant_id = :tenant AND g.id = w.id
LEFT JOIN occurrence AS o ON w.kind = 'occurrence' AND o.tenant_id = :tenant AND o.id = w.id
LEFT JOIN tariff AS y ON w.kind = 'tariff' AND y.tenant_id = :tenant AND y.id = w.id
LEFT JOIN proposal AS r ON w.kind = 'proposal' AND r.tenant_id = :tenant AND r.id = w.id
LEFT JOIN permit AS u ON u.tenant_id = r.tenant_id AND u.id = r.permit_id
LEFT JOIN substitute AS b ON w.kind = 'substitute' AND b.tenant_id = :tenant AND b.id = w.id
LEFT JOIN suspension AS j ON w.kind = 'suspension' AND j.tenant_id = :tenant AND j.id = w.id
LEFT JOIN permit AS q ON q.tenant_id = :tenant AND q.id = coalesce(b.permit_id, j.permit_id)
"""


async def known(tx: "Reader", notices: Sequence[Any]) -> dict[UUID, Row[Any]]:
    """By notice, what the register says of its subject: by what number people know it, what was decided, for how much.

    The decision is the subject's own, else that of the act which set its deadline running.
    """
    found = await tx.rows(
        KNOWN,
        notices=[each.id for each in notices],
        kinds=[each.subject_kind for each in notices],
        ids=[each.subject_id for each in notices],
        deadlines=[each.deadline_id for each in notices],
    )
    return {row.notice: row for row in found}
