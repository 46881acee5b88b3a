"""Stands as the law of a day has them, beside what the register knows of them: taken and free slots."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.database import Reader
from services.registry.facts import facts
from services.stands import store
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.stands import Stand
from tenants.law.law import InForce, Law
from tenants.law.quantity import Hours


@dataclass(frozen=True, slots=True)
class StandView:
    """``slots`` None: it takes nobody of its own; ``hours`` None: at any hour, or not known yet."""

    found: InForce
    stand: Stand
    hours: Hours | None
    takes_slot: bool
    taken: int

    @property
    def free(self) -> int | None:
        return None if self.stand.slots is None else max(self.stand.slots - self.taken, 0)


async def stands(tx: Reader, law: Law, category: str | None = None) -> list[StandView]:
    """The stands of a category, or all, in the order of the law."""
    taken = await store.taken(tx, law.on)
    keys = {"category": category} if category else None
    return [
        view(law, found, stand, taken) for found, stand in law.all(Stand) if keys is None or law.concerns(stand, keys)
    ]


async def one(tx: Reader, law: Law, code: str) -> StandView | None:
    """None: the law has no such stand that day."""
    return next((each for each in await stands(tx, law) if each.stand.code == code), None)


def view(law: Law, found: InForce, stand: Stand, taken: Mapping[str, int]) -> StandView:
    ev = Evaluation(law, facts(law))
    hours = ev.typed(stand.hours, Hours) if stand.hours else None
    return StandView(found, stand, hours, ev.word(stand.counts) != "no", taken.get(stand.code, 0))
