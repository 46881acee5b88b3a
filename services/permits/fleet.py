"""How many there are and what they are: the quota, and shares of the fleet."""

from typing import Any
from uuid import UUID

from services.database import Reader
from services.errors import NotFound
from services.fleet import store as vehicles
from services.permits import store
from services.registry import store as registry
from services.registry.facts import facts, vehicle_facts
from services.stands import slots
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
    active, counted = supposed.get("town.active_permits"), {}
    if not isinstance(active, int):
        counted = dict.fromkeys(law.branch(category), 0) | await store.active(tx, law.on)
        active = sum(counted[code] for code in law.branch(category))
    free = await slots.free_in_all(tx, law)
    area = _area(law, stand) if stand else None
    question = QuotaQuestion(
        category=category,
        active=active,
        free_slots=free,
        area=area,
        area_active=await _in_area(tx, law, area) if area else None,
        by_category=counted,
    )
    return decide(law, question, facts(law, supposed))


def _area(law: Law, stand: str) -> str | None:
    found = law.get(Stand, stand)
    return found.area if found else None


async def _in_area(tx: Reader, law: Law, area: str) -> int:
    """Permits that wait at the stands of an area."""
    taken = await stands.taken(tx, law.on)
    return sum(count for stand, count in taken.items() if _area(law, stand) == area)


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
