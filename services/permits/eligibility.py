"""May this holder, with this vehicle, serve in this category? Every demand of the law with its own answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from services.database import Reader
from services.errors import Invalid, NotFound
from services.permits import store
from services.registry import store as registry
from services.registry.facts import facts, holder_facts, paper_facts, vehicle_facts
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import Facts, FactValue
from tenants.law.kinds.grants import Category
from tenants.law.law import Law
from tenants.law.questions import EligibilityQuestion, PaperFact, PastEnding


@dataclass(frozen=True, slots=True)
class Pairing:
    """A holder and a vehicle in a category; ``granted_on``: of the permit in which they are, if they are in one."""

    category: str
    holder_id: UUID
    vehicle_id: UUID | None
    granted_on: date | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """What the register knows of a pairing on a day."""

    category: str
    holder_kind: str
    facts: Facts
    papers: tuple[PaperFact, ...]
    endings: tuple[PastEnding, ...]

    def eligible(self, law: Law, at: str) -> Decision:
        """Every demand of the law on the occasion ``at``."""
        question = EligibilityQuestion(
            category=self.category, holder=self.holder_kind, at=at, papers=self.papers, endings=self.endings
        )
        return decide(law, question, self.facts)


async def cases_of(
    tx: Reader, law: Law, pairings: Sequence[Pairing], suppose: Mapping[str, FactValue] | None = None
) -> list[Case]:
    """Gather the facts of many pairings in a handful of statements. ``suppose``: hypothetical facts, which win.

    Raises:
        NotFound: A holder or a vehicle is not the town's.
        Invalid: The law of the day has no such category.
    """
    for category in sorted({pairing.category for pairing in pairings}):
        if law.get(Category, category) is None:
            raise Invalid("category", "unknown_code", f"A lei não tem a categoria {category} em {law.on:%d/%m/%Y}.")
    holder_ids = [pairing.holder_id for pairing in pairings]
    vehicle_ids = [pairing.vehicle_id for pairing in pairings if pairing.vehicle_id]
    holders, vehicles = await registry.candidates(tx, holder_ids), await registry.vehicles(tx, vehicle_ids)
    drivers = [row.driver_id for row in holders.values() if row.driver_id]
    filed = await registry.papers(tx, [*holder_ids, *drivers, *vehicle_ids])
    held, endings = await store.held(tx, holder_ids, law.on), await store.endings(tx, holder_ids, law.on)
    cases = []
    for pairing in pairings:
        holder, vehicle = (
            holders.get(pairing.holder_id),
            vehicles.get(pairing.vehicle_id) if pairing.vehicle_id else None,
        )
        if holder is None or (pairing.vehicle_id and vehicle is None):
            raise NotFound("holder" if holder is None else "vehicle")
        ended = endings.get(pairing.holder_id, ())
        known: dict[str, FactValue | None] = {
            "holder.permits": held.get(pairing.holder_id, 0),
            "holder.vehicles": held.get(pairing.holder_id, 0),
            "holder.endings": tuple(dict.fromkeys(past.cause for past in ended)),
            "permit.category": pairing.category,
            "permit.active": pairing.granted_on is not None,
            "permit.granted_on": pairing.granted_on or law.on,  # what is asked for is not granted before
            "vehicle.in_service": pairing.granted_on is not None,
        }
        of_vehicle = vehicle_facts(law, vehicle, holder_id=pairing.holder_id) if vehicle else {}
        gathered = facts(law, holder_facts(law, holder, law.on), of_vehicle, known, suppose or {})
        papers = paper_facts(filed, [pairing.holder_id, holder.driver_id, pairing.vehicle_id])
        cases.append(Case(pairing.category, holder.kind, gathered, papers, ended))
    return cases


async def case_of(tx: Reader, law: Law, pairing: Pairing, suppose: Mapping[str, FactValue] | None = None) -> Case:
    """One pairing's facts. Raises as ``cases_of``."""
    (case,) = await cases_of(tx, law, [pairing], suppose)
    return case


async def eligibility(
    tx: Reader,
    *,
    category: str,
    holder_id: UUID,
    vehicle_id: UUID | None,
    at: str = "entry",
    on: date | None = None,
    suppose: Mapping[str, FactValue] | None = None,
) -> Decision:
    """Every demand on the holder, driver and vehicle with its outcome, articles and facts, and all that is missing.

    Args:
        at: The occasion (``entry``, ``renewal``, ``swap`` …): which demands count is the law's.
    """
    law = await tx.law(on=on or tx.today)
    case = await case_of(tx, law, Pairing(category, holder_id, vehicle_id), suppose)
    return case.eligible(law, at)
