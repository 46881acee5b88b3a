"""The SQL of fines that are looked at again, of what is kept of their facts, and of what they come to then."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.recomputing.store import written

if TYPE_CHECKING:
    from services.transactions import Reader, Transaction

# A fine with what is paid of it, whose it is and what its fact was taken for; one that was dismissed is nobody's.
FINES = """
SELECT f.id, f.number, coalesce(y.infraction, f.infraction) AS infraction, f.seen_on, f.units, f.unit, f.rate, f.brl,
       f.permit_id, coalesce(y.holder_id, p.holder_id) AS holder_id, y.driver_id, y.plate,
       coalesce(y.category, p.category) AS category, y.effect,
       coalesce(CAST(y.effect -> 'money' ->> 'rate_on' AS date), f.seen_on) AS rate_on,
       coalesce(
           nullif(ARRAY(
               SELECT e.value ->> 'infraction' FROM jsonb_array_elements(
                   coalesce(f.decision #> '{value,kept}', '[]') || coalesce(f.decision #> '{value,struck}', '[]')
               ) AS e
           ), '{}'), o.infractions, ARRAY[f.infraction]
       ) AS codes,
       coalesce((SELECT sum(m.brl) FROM payment AS m WHERE m.tenant_id = f.tenant_id AND m.fine_id = f.id), 0) AS paid,
       EXISTS (SELECT FROM active_debt AS a WHERE a.tenant_id = f.tenant_id AND a.fine_id = f.id) AS indebted
FROM fine AS f
LEFT JOIN penalty AS y ON y.tenant_id = f.tenant_id AND y.fine_id = f.id
LEFT JOIN permit AS p ON p.tenant_id = f.tenant_id AND p.id = f.permit_id
LEFT JOIN occurrence AS o ON o.tenant_id = f.tenant_id AND o.id = f.occurrence_id
WHERE f.tenant_id = :tenant AND f.id > :after AND NOT EXISTS (
    SELECT FROM proceeding_charge AS g
    WHERE g.tenant_id = f.tenant_id AND g.fine_id = f.id AND g.outcome = 'dismissed' AND g.final_on IS NOT NULL
)
ORDER BY f.id LIMIT :most
"""
NEXT = "SELECT id FROM fine WHERE tenant_id = :tenant AND id > :after ORDER BY id LIMIT :most"


async def fines(tx: "Reader", *, after: UUID, most: int) -> list[Row[Any]]:
    return await tx.rows(FINES, after=after, most=most)


async def lock_fines(tx: "Transaction", after: UUID, most: int) -> None:
    """Nobody pays them, or sends them on, meanwhile; nor is a case decided that is about them."""
    await tx.rows(
        f"SELECT id FROM proceeding_charge WHERE tenant_id = :tenant AND fine_id IN ({NEXT}) ORDER BY id FOR UPDATE",  # noqa: S608 - our own statement
        after=after,
        most=most,
    )
    await tx.rows(f"{NEXT} FOR UPDATE", after=after, most=most)


# What was recorded of the fact wins over what the record of it said: it is what the decision drew on.
TOLD = """
SELECT f.id, coalesce(o.facts, '{}') || coalesce(f.decision -> 'facts', '{}') AS facts,
       f.decision - '{facts,parts,rules,readings,citations}'::text[] AS decision
FROM fine AS f LEFT JOIN occurrence AS o ON o.tenant_id = f.tenant_id AND o.id = f.occurrence_id
WHERE f.tenant_id = :tenant AND f.id = ANY(CAST(:ids AS uuid[]))
"""


async def told(tx: "Reader", ids: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    """What is kept of the facts of fines."""
    return {row.id: row for row in await tx.rows(TOLD, ids=list(ids))}


async def charges(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    """What cases show of fines."""
    return await tx.rows(
        "SELECT id, fine_id, effects FROM proceeding_charge "
        "WHERE tenant_id = :tenant AND fine_id = ANY(CAST(:ids AS uuid[]))",
        ids=list(ids),
    )


@dataclass(frozen=True, slots=True)
class Amount:
    """What a fine comes to, the decision that it rests on, and what its penalty's effect says of it."""

    id: UUID
    units: Decimal
    unit: str
    rate: Decimal
    brl: Decimal
    decision: Any
    effect: Any


async def revalue(tx: "Transaction", new: Sequence[Amount]) -> None:
    """The decision that a fine rests on keeps what it said, and has this as a part."""
    await tx.rows(
        """
        UPDATE fine AS f SET units = n.units, unit = n.unit, rate = n.rate, brl = n.brl, version = f.version + 1,
            decision = jsonb_set(
                f.decision, '{parts}', coalesce(f.decision -> 'parts', '[]') || CAST(n.decision AS jsonb)
            )
        FROM unnest(
            CAST(:ids AS uuid[]), CAST(:units AS numeric[]), CAST(:names AS text[]), CAST(:rates AS numeric[]),
            CAST(:amounts AS numeric[]), CAST(:decisions AS text[])
        ) AS n (id, units, unit, rate, brl, decision)
        WHERE f.tenant_id = :tenant AND f.id = n.id
        """,
        ids=[each.id for each in new],
        units=[each.units for each in new],
        names=[each.unit for each in new],
        rates=[each.rate for each in new],
        amounts=[each.brl for each in new],
        decisions=[written([each.decision]) for each in new],
    )
    await tx.rows(
        """
        UPDATE penalty AS y SET effect = y.effect || CAST(n.effect AS jsonb), version = y.version + 1
        FROM unnest(CAST(:ids AS uuid[]), CAST(:effects AS text[])) AS n (id, effect)
        WHERE y.tenant_id = :tenant AND y.fine_id = n.id
        """,
        ids=[each.id for each in new],
        effects=[written(each.effect) for each in new],
    )


async def show(tx: "Transaction", new: Sequence[tuple[UUID, Any]]) -> None:
    """Charges by their ids, and what their effects come to."""
    await tx.rows(
        """
        UPDATE proceeding_charge AS g SET effects = CAST(n.effects AS jsonb), version = g.version + 1
        FROM unnest(CAST(:ids AS uuid[]), CAST(:effects AS text[])) AS n (id, effects)
        WHERE g.tenant_id = :tenant AND g.id = n.id
        """,
        ids=[id for id, _ in new],
        effects=[written(effects) for _, effects in new],
    )
