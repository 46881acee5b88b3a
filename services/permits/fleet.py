"""How many there are and what they are: the quota, and shares of the fleet."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from services.database import Reader
from services.errors import NotFound
from services.fleet import store as vehicles
from services.permits import store
from services.registry import store as registry
from services.registry.facts import facts, vehicle_facts
from services.stands import store as stands
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import Facts, FactValue
from tenants.law.kinds.stands import Stand
from tenants.law.law import Law
from tenants.law.questions import QuotaQuestion, ShareQuestion


async def quota(
    tx: Reader, law: Law, category: str, *, stand: str | None = None, suppose: dict[str, FactValue] | None = None
) -> Decision:
    """May one more be granted? The value says how many are allowed, active and free.

    ``stand``: where it would wait, whose area may have a quota of its own.
    """
    supposed = suppose or {}
    active = supposed.get("town.active_permits")
    places = await places_of(tx, law, category)
    counted = {} if isinstance(active, int) else await counts(tx, law, category)
    if not isinstance(active, int):
        active = sum(counted[code] for code in law.branch(category))
    return ask(law, category, places, counted, area=area_of(law, stand), active=active, supposed=supposed)


async def counts(tx: Reader, law: Law, category: str) -> dict[str, int]:
    """How many permits of each category there are on the law's day, or will be."""
    return dict.fromkeys(law.branch(category), 0) | await store.active(tx, law.on)


@dataclass(frozen=True, slots=True)
class Places:
    """The slots of a category's stands: of each area (None: of stands in none) those free; and who waits where."""

    slots: int
    free: Mapping[str | None, int]
    in_areas: Mapping[str, Mapping[str, int]]

    @property
    def any(self) -> bool:
        return bool(self.free)


async def places_of(tx: Reader, law: Law, category: str) -> Places:
    taken, keys = await stands.taken_of(tx, law.on), {"category": category}
    free: dict[str | None, int] = {}
    in_areas: dict[str, dict[str, int]] = {}
    slots = 0
    for _, stand in law.all(Stand):
        there = taken.get(stand.code, {})
        if stand.slots and law.concerns(stand, keys):
            free[stand.area] = free.get(stand.area, 0) + max(stand.slots - sum(there.values()), 0)
            slots += stand.slots
        for each, count in there.items() if stand.area else ():
            in_area = in_areas.setdefault(stand.area or "", {})
            in_area[each] = in_area.get(each, 0) + count
    return Places(slots, free, in_areas)


def ask(
    law: Law,
    category: str,
    places: Places,
    counted: Mapping[str, int],
    *,
    area: str | None = None,
    active: int | None = None,
    moving: bool = False,
    wanted: int = 1,
    supposed: dict[str, FactValue] | None = None,
) -> Decision:
    """The quota's answer. ``active``: of the category, where it is not counted but supposed."""
    question = QuotaQuestion(
        category=category,
        active=sum(counted.get(code, 0) for code in law.branch(category)) if active is None else active,
        free_slots=sum(places.free.values()),
        slots=places.slots,
        area=area,
        in_areas=places.in_areas,
        area_active=0,
        by_category=counted,
        moving=moving,
        wanted=wanted,
    )
    return decide(law, question, facts(law, supposed or {}))


def area_of(law: Law, stand: str | None) -> str | None:
    """The area in which a stand is."""
    found = law.get(Stand, stand) if stand else None
    return found.area if found else None


async def shares(
    tx: Reader, law: Law, category: str, *, entering: UUID | None, leaving: UUID | None = None
) -> Decision:
    """May the fleet change so? Vehicles alike are counted together; a rule of a wider category counts its whole.

    Whether vehicles of suspended permits, of absent holders, of permits yet to begin make part of it, is the rule's.

    Raises:
        NotFound: A vehicle is not the town's.
    """
    rows = await vehicles.shared(tx, sorted(law.branch(law.root(category))), law.on)
    named = [id for id in (entering, leaving) if id]
    moved = await registry.vehicles(tx, named)
    if len(moved) < len(set(named)):
        raise NotFound("vehicle")
    gone = moved[leaving].plate if leaving else None
    question = ShareQuestion(
        category=category,
        fleet=_alike(law, [row for row in rows if row.active or row.plate == gone]),
        idle=_alike(law, [row for row in rows if not row.active and row.plate != gone]),
        entering=_in_service(law, moved[entering], category) if entering else None,
        leaving=_in_service(law, moved[leaving], category) if leaving else None,
    )
    return decide(law, question, facts(law))


def _in_service(law: Law, row: Any, category: str) -> Facts:
    return facts(law, vehicle_facts(law, row), {"permit.category": category})


def _alike(law: Law, rows: list[Any]) -> tuple[tuple[Facts, int], ...]:
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        years = (row.manufacture_year, row.model_year, row.first_registration)
        groups.setdefault((*years, row.doors, row.seats, row.fuel, row.category, repr(row.attributes)), []).append(row)
    return tuple((_in_service(law, alike[0], alike[0].category), len(alike)) for alike in groups.values())
