"""What the law draws for one fact: whose it is, what went before, and the decision of the day of the fact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader
from services.enforcement import store
from services.registry.facts import facts, vehicle_facts
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import FactValue
from tenants.law.law import Law
from tenants.law.questions import InfractionsQuestion


@dataclass(frozen=True, slots=True)
class Offender:
    """Whose fact it is (autuado): the holder of a permit, a driver, a vehicle without any; or only a name.

    ``known_holder``: one who had no permit for it; ``person_id``: of the register and no more. Both are known later.
    """

    permit: Row[Any] | None = None
    vehicle: Row[Any] | None = None
    driver_id: UUID | None = None
    plate: str | None = None
    name: str | None = None
    told_category: str | None = None
    known_holder: UUID | None = None
    person_id: UUID | None = None

    @property
    def permit_id(self) -> UUID | None:
        return self.permit.id if self.permit is not None else None

    @property
    def holder_id(self) -> UUID | None:
        return self.permit.holder_id if self.permit is not None else self.known_holder

    @property
    def category(self) -> str | None:
        return self.permit.category if self.permit is not None else self.told_category

    @property
    def case(self) -> dict[str, str]:
        """What a rule may ask for: the category."""
        return {"category": self.category} if self.category else {}

    @property
    def keys(self) -> dict[str, str]:
        """Also whose it is, as repetition matches it."""
        own = {"holder": self.holder_id, "driver": self.driver_id, "vehicle": self.plate}
        return {**self.case, **{key: str(value) for key, value in own.items() if value is not None}}


async def draw(
    tx: Reader,
    law: Law,
    offender: Offender,
    infractions: Sequence[str],
    seen: Mapping[str, FactValue],
    *,
    by_holder: bool | None = None,
) -> Decision:
    """What the law draws for a fact that is all these infractions, after what there was before.

    ``seen``: what is known of the fact itself; what the register knows wins. ``by_holder``: where no permit says it.
    """
    past = await store.events(tx, offender.holder_id, law.on, driver_id=offender.driver_id, plate=offender.plate)
    question = InfractionsQuestion(codes=tuple(infractions), keys=offender.keys, events=past)
    own: dict[str, FactValue | None] = {
        "permit.category": offender.category,
        "offence.by_holder": by_holder if by_holder is not None else offender.permit is not None,
    }
    car = vehicle_facts(law, offender.vehicle, holder_id=offender.holder_id) if offender.vehicle is not None else {}
    return decide(law, question, facts(law, seen, car, own))
