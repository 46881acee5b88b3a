"""May this holder, with this vehicle, serve in this category? Every demand of the law with its own answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from services.database import Reader
from services.errors import Invalid
from services.permits.gathering import Gathered, gather
from services.registry.facts import facts
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

    def telling(self, told: Mapping[str, FactValue]) -> "Case":
        """The same with facts that are told beside the register's, which they stand above."""
        return replace(self, facts=self.facts.with_({c: v for c, v in told.items() if c in self.facts.vocabulary}))

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
    vehicle_ids = [pairing.vehicle_id for pairing in pairings if pairing.vehicle_id]
    found = await gather(tx, law, [pairing.holder_id for pairing in pairings], vehicle_ids)
    return [_case(law, found, pairing, suppose or {}) for pairing in pairings]


def _case(law: Law, found: Gathered, pairing: Pairing, suppose: Mapping[str, FactValue]) -> Case:
    category, holder_id, granted_on = pairing.category, pairing.holder_id, pairing.granted_on
    holder, of_holder = found.holder(holder_id), found.of_holder(law, holder_id, category)
    driver = found.driver(holder, category)
    papers, proven = found.papers(law, [holder_id, driver.driver_id if driver else None, pairing.vehicle_id])
    known: dict[str, FactValue | None] = {
        "permit.category": category,
        "permit.active": granted_on is not None,
        "permit.granted_on": granted_on or law.on,  # what is asked for is not granted before
        "vehicle.in_service": granted_on is not None,
    }
    of_permit = found.of_permit(law, holder_id, category) if granted_on else {}
    of_vehicle = found.of_vehicle(law, pairing.vehicle_id, category, holder_id)
    gathered = facts(law, of_holder, of_vehicle, of_permit, proven, known, suppose)
    return Case(category, holder.kind, gathered, papers, found.endings.get(holder_id, ()))


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
