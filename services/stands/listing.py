"""Stands as the law of a day has them, beside what the register knows of them: taken and free slots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.database import Reader
from services.permits import vacancies
from services.registry.facts import facts
from services.stands import store
from tenants.law.decision import Decision
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.grants import Quota
from tenants.law.kinds.quotas import AREA
from tenants.law.kinds.stands import Stand
from tenants.law.law import InForce, Law
from tenants.law.quantity import Hours
from tenants.law.questions import QuotaAnswer


@dataclass(frozen=True, slots=True)
class StandView:
    """``slots`` None: it takes nobody of its own; ``hours`` None: at any hour, or not known yet.

    ``quota``: what its area's own quota says of one more; None: it has none.
    """

    found: InForce
    stand: Stand
    hours: Hours | None
    takes_slot: bool
    taken: int
    quota: Decision | None

    @property
    def left(self) -> int | None:
        """What its area's quota still leaves."""
        value = self.quota.value if self.quota else None
        return value.room if isinstance(value, QuotaAnswer) else None

    @property
    def free(self) -> int | None:
        """The slots that nobody takes, as far as the area's quota leaves them."""
        if self.stand.slots is None:
            return None
        free = max(self.stand.slots - self.taken, 0)
        return free if self.left is None else min(free, self.left)


async def stands(tx: Reader, law: Law, category: str | None = None) -> list[StandView]:
    """The stands of a category, or all, in the order of the law."""
    taken = await store.taken(tx, law.on)
    keys = {"category": category} if category else None
    listed = [(found, stand) for found, stand in law.all(Stand) if keys is None or law.concerns(stand, keys)]
    quotas = await _quotas(tx, law, [stand for _, stand in listed])
    return [view(law, found, stand, taken, quotas) for found, stand in listed]


async def one(tx: Reader, law: Law, code: str) -> StandView | None:
    """None: the law has no such stand that day."""
    return next((each for each in await stands(tx, law) if each.stand.code == code), None)


async def _quotas(tx: Reader, law: Law, listed: Sequence[Stand]) -> dict[tuple[str, str], Decision]:
    """What the quotas of areas say, by category and area; nothing is counted where no law has any."""
    ruled = {area for _, rule in law.all(Quota) for area in rule.applies.get(AREA, ())}
    asked = {(category_of(stand), stand.area) for stand in listed if stand.area in ruled}
    counts = {category: await vacancies.counted(tx, law, category) for category, _ in asked}
    return {(category, area): counts[category].inside(area) for category, area in asked if area}


def category_of(stand: Stand) -> str:
    """Whom it is for, as far as the law says it."""
    return next(iter(stand.applies.get("category", ())), "")


def view(
    law: Law,
    found: InForce,
    stand: Stand,
    taken: Mapping[str, int],
    quotas: Mapping[tuple[str, str], Decision],
) -> StandView:
    ev = Evaluation(law, facts(law))
    hours = ev.typed(stand.hours, Hours) if stand.hours else None
    quota = quotas.get((category_of(stand), stand.area or ""))
    return StandView(found, stand, hours, ev.word(stand.counts) != "no", taken.get(stand.code, 0), quota)
