"""What a count rests on beside the row itself: of a vehicle, of a paper, of who drives in a holder's stead."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.recomputing.known import store
from services.registry import store as registry
from services.registry.facts import paper_facts
from tenants.law.questions import PaperFact

if TYPE_CHECKING:
    from services.transactions import Reader

VEHICLE, SUBSTITUTE, PAPER, BY_LAW = "vehicle", "substitute", "paper", "by_law"


@dataclass(frozen=True, slots=True)
class Known:
    """Of one deadline: the day whose law counted it, the last publication known then, and what it was counted from.

    ``papers``: those for which a vehicle was given more time.
    """

    of: str
    day: date
    seq: int
    row: Row[Any]
    papers: tuple[PaperFact, ...] = ()


async def known(tx: "Reader", rows: Sequence[Row[Any]]) -> dict[UUID, Known]:
    """Of those deadlines whose days do not follow from their rows alone."""
    vehicles = [row.id for row in rows if row.subject_kind == VEHICLE and PAPER not in row.inputs]
    papers = {row.id: row.opened_on for row in rows if PAPER in row.inputs}
    substitutes = [row.id for row in rows if row.subject_kind == SUBSTITUTE and row.inputs.get(BY_LAW)]
    found = await _vehicles(tx, vehicles) if vehicles else {}
    if papers:
        for row in await store.papers(tx, list(papers)):
            found[row.id] = Known(PAPER, papers[row.id], row.seq, row)
    if substitutes:
        for row in await store.substitutes(tx, substitutes):
            found[row.id] = Known(SUBSTITUTE, row.legal_day, row.seq, row)
    return found


async def _vehicles(tx: "Reader", ids: list[UUID]) -> dict[UUID, Known]:
    extended = {row.id: row for row in await store.extended(tx, ids)}
    filed = await registry.papers(tx, [row.subject_id for row in extended.values()]) if extended else {}
    found: dict[UUID, Known] = {}
    for row in await store.vehicles(tx, ids):
        more = extended.get(row.id)
        there = paper_facts(filed, [row.vehicle_id]) if more is not None else ()
        papers = tuple(paper for paper in there if more is not None and paper.code in more.granted)
        found[row.id] = Known(VEHICLE, row.day, row.seq, row, papers)
    return found
