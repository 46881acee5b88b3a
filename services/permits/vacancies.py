"""What is free to be given: what the quota and the stands leave, less what calls have promised. A vacancy counts once.

Whoever acts on an answer has locked the category before, and counts in the statements after.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.database import Reader
from services.permits import fleet
from services.permits.fleet import Places
from services.selection import store as selection
from tenants.law.decision import Decision, Outcome, RuleUsed
from tenants.law.kinds.grants import Selection
from tenants.law.kinds.quotas import areas_beside
from tenants.law.kinds.stands import Stand
from tenants.law.law import Law
from tenants.law.questions import QuotaAnswer

Less = Mapping[str | None, int]  # vacancies that are somebody's already, by the area of their call


@dataclass(frozen=True, slots=True)
class Free:
    """``room`` None: nothing limits them. ``taken``: of what there is, so many are promised."""

    room: int | None
    taken: int
    parts: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """What there is of a category, read once."""

    law: Law
    category: str
    places: Places
    permits: Mapping[str, int]
    beside: frozenset[str]

    def town(self, wanted: int = 1) -> Decision:
        return fleet.ask(self.law, self.category, self.places, self.permits, wanted=wanted)

    def inside(self, area: str, wanted: int = 1) -> Decision:
        """An area's own quota, for whoever comes into it."""
        return fleet.ask(self.law, self.category, self.places, self.permits, area=area, moving=True, wanted=wanted)

    def at_stands(self, area: str | None) -> int:
        """Slots at the stands of an area (None: of none) that may be given: no more than its quota leaves."""
        slots = self.places.free.get(area, 0)
        room = room_of(self.inside(area)) if area else None
        return slots if room is None else min(slots, room)

    def at_all(self) -> int:
        """The same at all stands under the town's quota."""
        return sum(self.at_stands(area) for area in self.places.free if area not in self.beside)

    def of_the_town(self, less: Less) -> int:
        """Of these, those under the town's quota."""
        return sum(count for area, count in less.items() if area not in self.beside)


async def counted(tx: Reader, law: Law, category: str) -> Count:
    places = await fleet.places_of(tx, law, category)
    return Count(law, category, places, await fleet.counts(tx, law, category), areas_beside(law, category))


async def promised(tx: Reader, law: Law, category: str) -> Less:
    """What running calls have promised, of the category and of those that share its quota."""
    return await selection.promised(tx, law.branch(law.root(category)))


def room_of(decision: Decision) -> int | None:
    return decision.value.room if isinstance(decision.value, QuotaAnswer) else None


async def free(tx: Reader, law: Law, category: str, less: Less, *, area: str | None = None) -> Free:
    """How many may be given, at stands where the category has them. ``area``: only of that area.

    An area whose quota stands beside the town's takes nothing of the town's.
    """
    count = await counted(tx, law, category)
    own = area is not None and area in count.beside
    parts = [] if own else [count.town()]
    parts += [count.inside(area)] if area else []
    rooms = [room for part in parts if (room := room_of(part)) is not None]
    taken = less.get(area, 0) if own else count.of_the_town(less)
    left = [room - taken for room in rooms] if own or area is None else _both(count, less, area, rooms, taken)
    if count.places.any:
        stands = _at_stands(count, area, own=own)
        parts.append(stands)
        left.append(stands.value["free"] - (less.get(area, 0) if area else taken))
        left += [] if own or area is None else [count.at_all() - taken]
    return Free(min(left, default=None), taken, tuple(parts))


def _both(count: Count, less: Less, area: str, rooms: list[int], taken: int) -> list[int]:
    """An area inside the town: its own quota less its own promises, the town's less all."""
    town, inside = room_of(count.town()), room_of(count.inside(area))
    left = [town - taken] if town is not None else []
    return left + ([inside - less.get(area, 0)] if inside is not None else [])


def _at_stands(count: Count, area: str | None, *, own: bool) -> Decision:
    places = count.at_stands(area) if area else count.at_all()
    counting = [
        found.used
        for found, stand in count.law.all(Stand)
        if stand.slots
        and count.law.concerns(stand, {"category": count.category})
        and (stand.area == area if area else stand.area not in count.beside)
    ]
    where = f"nos pontos da área {area}" if area else "nos pontos"
    outcome = Outcome.ALLOWED if places > 0 else Outcome.DENIED
    return Decision(outcome, f"Há {max(places, 0)} vaga(s) {where}.", value={"free": places}, rules=tuple(counting))


async def unpromised(tx: Reader, law: Law, category: str, stand: str | None) -> Decision | None:
    """What stands against one more permit though there is room: that calls have promised it. None: nothing."""
    less = await promised(tx, law, category)
    if not any(less.values()):
        return None
    count, area = await counted(tx, law, category), fleet.area_of(law, stand)
    if area in count.beside:
        left = [count.at_stands(area) - less.get(area, 0)]
    else:
        town = room_of(count.town())
        left = [] if town is None else [town - count.of_the_town(less)]
        left += [count.at_all() - count.of_the_town(less)] if stand else []
        left += [count.at_stands(area) - less.get(area, 0)] if area else []
    return None if min(left, default=1) > 0 else _kept(law, category, less)


def _kept(law: Law, category: str, less: Less) -> Decision:
    said = f"As vagas livres ({sum(less.values())}) estão em edital: só as recebe quem nele for chamado."
    return Decision(Outcome.DENIED, said, value={"promised": sum(less.values())}, rules=_orders(law, category))


def _orders(law: Law, category: str) -> tuple[RuleUsed, ...]:
    return tuple(found.used for found, rule in law.all(Selection) if law.concerns(rule, {"category": category}))


async def for_a_move(tx: Reader, law: Law, category: str, stand: str, before: str | None) -> list[Decision]:
    """May a permit come to wait at a stand? What its area's quota says, and what calls have promised."""
    area, was = fleet.area_of(law, stand), fleet.area_of(law, before)
    if before is not None and area == was:
        return []
    count, less = await counted(tx, law, category), await promised(tx, law, category)
    parts = [count.inside(area)] if area else []
    comes_in = was in count.beside and area not in count.beside
    parts += [count.town()] if comes_in else []
    left = [count.at_stands(area) - less.get(area, 0)] if area else []
    if area not in count.beside and (before is None or comes_in):
        left.append(count.at_all() - count.of_the_town(less))
    return parts + ([_kept(law, category, less)] if any(less.values()) and min(left, default=1) < 1 else [])


async def for_an_area(tx: Reader, law: Law, category: str, area: str, was: str | None, many: int) -> list[Decision]:
    """May a stand with so many who wait there come into another area?"""
    count = await counted(tx, law, category)
    parts = [count.inside(area, many)] if many else []
    return parts + ([count.town(many)] if many and was in count.beside and area not in count.beside else [])


async def without(tx: Reader, law: Law, category: str, area: str | None, lost: int) -> list[Decision]:
    """May so many free slots of an area's stands go? Not those that calls have promised."""
    less = await promised(tx, law, category)
    if lost < 1 or not any(less.values()):
        return []
    before = await counted(tx, law, category)
    there = before.places
    free = {**there.free, area: there.free.get(area, 0) - lost}
    count = replace(before, places=replace(there, slots=there.slots - lost, free=free))
    left = [count.at_stands(area) - less.get(area, 0)] if area else []
    if area not in count.beside:
        rooms = [count.at_all(), room_of(count.town())]
        left += [room - count.of_the_town(less) for room in rooms if room is not None]
    return [_kept(law, category, less)] if min(left, default=0) < 0 else []
