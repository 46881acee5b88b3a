"""What the register knows of holders with their vehicles on a day: each kind of thing read once, for all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader
from services.drivers import store as drivers
from services.drivers.facts import driver_facts, driving, of_driver
from services.errors import NotFound
from services.fleet import store as fleet
from services.inspections import store as inspections
from services.inspections.facts import seen_facts
from services.permits import store
from services.registry import store as registry
from services.registry.facts import holder_facts, paper_facts, vehicle_facts
from tenants.law.facts import FactValue
from tenants.law.kinds.grants import HolderPolicy
from tenants.law.kinds.requirements import Requirement
from tenants.law.law import Law
from tenants.law.questions import PaperFact, PastEnding

PAPERS = {"holder": "holder.papers", "driver": "driver.papers", "vehicle": "vehicle.papers"}
Known = dict[str, FactValue | None]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Rows by the id of what they are about."""

    holders: Mapping[UUID, Row[Any]]
    vehicles: Mapping[UUID, Row[Any]]
    filed: Mapping[UUID, Sequence[Row[Any]]]
    held: Mapping[UUID, int]
    endings: Mapping[UUID, tuple[PastEnding, ...]]
    crew: Sequence[Row[Any]]
    seen: Mapping[UUID, Row[Any]]
    permits: Sequence[Row[Any]]
    active: Mapping[str, int] | None

    def holder(self, id: UUID) -> Row[Any]:
        if id not in self.holders:
            raise NotFound("holder", id)
        return self.holders[id]

    def driver(self, holder: Row[Any], category: str) -> Row[Any] | None:
        return driving(self.crew, own=holder.driver_id, holder=holder.holder_id, category=category)

    def of_holder(self, law: Law, id: UUID, category: str) -> Known:
        """Of the holder and of who drives for them."""
        holder, count, ended = self.holder(id), self.held.get(id, 0), self.endings.get(id, ())
        driver = self.driver(holder, category)
        own = holder.driver_id is not None
        driven = driver_facts(law, driver, law.on, is_holder=own) if driver else {}
        found = {code: value for code, value in driven.items() if value is not None and (own or of_driver(law, code))}
        counted: Known = {
            "holder.permits": count,
            "holder.vehicles": count,
            "holder.endings": tuple(dict.fromkeys(past.cause for past in ended)),
            "holder.drivers": len({row.driver_id for row in self.crew if row.holder_id == id}),
            "town.active_permits": self.in_force(law, category),
        }
        return {**found, **holder_facts(law, holder, law.on), **counted, **_driven_by(found)}

    def in_force(self, law: Law, category: str) -> int | None:
        """Of the category and those under it; None where no rule of the law measures a holder by them."""
        return None if self.active is None else sum(self.active.get(each, 0) for each in law.branch(category))

    def of_vehicle(self, law: Law, id: UUID | None, category: str, holder_id: UUID) -> Known:
        if id is None:
            return {}
        if id not in self.vehicles:
            raise NotFound("vehicle", id)
        row = self.vehicles[id]
        shown = seen_facts(law, self.seen.get(id), category, row.plate)
        return {**vehicle_facts(law, row, holder_id=holder_id), **shown}

    def of_permit(self, law: Law, holder_id: UUID, category: str) -> Known:
        """Of the permit of this category that the holder has on the day, and of its licence."""
        row = next((p for p in self.permits if (p.holder_id, p.category) == (holder_id, category)), None)
        if row is None:
            return {}
        return {
            "permit.instrument": row.instrument,
            "permit.until": row.until,
            "licence.issued_on": row.issued_on,
            "licence.until": row.licence_until,
        }

    def papers(self, law: Law, ids: Sequence[UUID | None]) -> tuple[tuple[PaperFact, ...], Known]:
        """The papers of a case, and the facts that those prove which are valid that day."""
        found = paper_facts(self.filed, ids)
        valid = [p for p in found if (p.issued_on or law.on) <= law.on <= (p.valid_until or law.on)]
        known: Known = {
            fact: tuple(dict.fromkeys(p.code for p in valid if p.of == of))
            for of, fact in PAPERS.items()
            if any(p.of == of for p in found)
        }
        dated = {(paper.of, paper.code) for paper in valid if paper.valid_until is not None}
        proven: Known = {
            rule.proves: True for _, rule in law.all(Requirement) if rule.proves and (rule.of, rule.paper) in dated
        }
        return found, {**known, **proven}


def _driven_by(found: Mapping[str, FactValue]) -> Known:
    """What the register computes of a driver wins over what was told of a holder's."""
    return {code: value for code, value in found.items() if code.startswith("driver.")}


async def gather(tx: Reader, law: Law, holder_ids: Sequence[UUID], vehicle_ids: Sequence[UUID]) -> Gathered:
    """Eight statements, however many they are; one more where a holder may have only a part of all permits."""
    day, holders = law.on, await registry.candidates(tx, holder_ids)
    own = [row.driver_id for row in holders.values() if row.driver_id]
    crew = await drivers.standing(tx, day, drivers=own, holders=holder_ids)
    driving_ids = {row.driver_id for row in crew}
    return Gathered(
        holders=holders,
        vehicles=await registry.vehicles(tx, vehicle_ids),
        filed=await registry.papers(tx, [*holder_ids, *driving_ids, *vehicle_ids]),
        held=await store.held(tx, holder_ids, day),
        endings=await store.endings(tx, holder_ids, day),
        crew=crew,
        seen=await inspections.seen(tx, vehicle_ids, day),
        permits=await fleet.permits_of_holders(tx, holder_ids, day),
        active=await store.active(tx, day) if _parts_are_capped(law) else None,
    )


def _parts_are_capped(law: Law) -> bool:
    return any(each.share is not None for _, policy in law.all(HolderPolicy) for each in policy.allow)
