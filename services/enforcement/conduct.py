"""The record of conduct (prontuário de penalidades): what stands on a day, and what the law would count of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.database import Reader
from services.enforcement import store
from services.errors import NotFound
from services.permits import store as permits
from services.records import store as records
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, combine
from tenants.law.kinds.infractions import Infraction
from tenants.law.law import Law
from tenants.law.questions import Event, LadderQuestion, PointsQuestion


@dataclass(frozen=True, slots=True)
class Whose:
    """A holder, perhaps as that of one permit, or a driver; and the person that they are."""

    keys: Mapping[str, str]
    holder_id: UUID | None = None
    driver_id: UUID | None = None
    person_id: UUID | None = None

    def within(self, category: str | None) -> dict[str, str]:
        """The keys of a case of theirs in a category; of a permit it is the permit's."""
        return {**({"category": category} if category else {}), **self.keys}


@dataclass(frozen=True, slots=True)
class Repetition:
    """What the law counts of an infraction's past on the day, and what one more time would draw in its category."""

    infraction: str
    category: str | None
    decision: Decision

    @property
    def counted(self) -> frozenset[date]:
        answer = self.decision.value
        return frozenset(answer.counted) if answer is not None else frozenset()

    @property
    def laddered(self) -> bool:
        """Whether the law makes anything of repeating it."""
        return self.decision.value is not None and self.decision.value.ladder is not None


@dataclass(frozen=True, slots=True)
class Conduct:
    """Penalties and suspensions up to a day, oldest first, each as it stood then."""

    on: date
    penalties: tuple[Row[Any], ...]
    decided: tuple[Row[Any], ...]
    repetition: tuple[Repetition, ...]
    points: Decision

    def counts(self, row: Row[Any]) -> bool:
        """Does this penalty count towards the next time, as the law counts repetition?"""
        alike = (each for each in self.repetition if each.category in (None, row.category))
        same = (each for each in alike if each.infraction == row.infraction and each.laddered)
        stands = row.state == "applied" and not row.dismissed and row.suspended_on is None
        return stands and any(row.seen_on in each.counted for each in same)


async def conduct(tx: Reader, actor: Actor, *, kind: str, id: UUID, on: date) -> Conduct:
    """What is held against a permit's holder, or a driver, on a day; for offices, and for themselves.

    Raises:
        NotFound: There is none such in the town. Forbidden: It is somebody else's.
    """
    law = await tx.law(on=on)
    whose = await _whose(tx, actor, kind, id, on)
    rows = await store.penalties_of(tx, whose.holder_id, on, driver_id=whose.driver_id, person_id=whose.person_id)
    decided = await store.decided_of(tx, whose.holder_id, on)
    past = store.events_of(rows, decided)
    return Conduct(
        on=on,
        penalties=tuple(rows),
        decided=tuple(decided),
        repetition=tuple(_repetitions(law, whose, past)),
        points=_points(law, whose, past),
    )


def _repetitions(law: Law, whose: Whose, past: Sequence[Event]) -> Iterator[Repetition]:
    """Of each infraction, once for every category in which it was committed: as the law would count the next time."""
    cases = dict.fromkeys(
        (event.keys["infraction"], whose.within(event.keys.get("category")).get("category")) for event in past
    )
    for code, category in cases:
        if law.get(Infraction, code) is not None:
            known = facts(law, {"permit.category": category, "offence.by_holder": whose.holder_id is not None})
            yield Repetition(code, category, decide(law, LadderQuestion(code, whose.within(category), past), known))


def _category(whose: Whose, event: Event) -> str | None:
    return whose.within(event.keys.get("category")).get("category")


def _points(law: Law, whose: Whose, past: Sequence[Event]) -> Decision:
    """In each category in which there is anything to count; what the law counts for all of them, once."""
    categories = list(dict.fromkeys(_category(whose, event) for event in past))
    asked = [PointsQuestion(past, whose.within(category)) for category in categories or [None]]
    answers = [decide(law, each, facts(law)) for each in asked]
    apart = list({each.message: each for each in answers}.values())
    return apart[0] if len(apart) == 1 else combine(apart, message=" ".join(each.message for each in apart))


async def _whose(tx: Reader, actor: Actor, kind: str, id: UUID, on: date) -> Whose:
    owner_id, category = id, None
    if kind == "permit":
        try:
            permit = await permits.permit(tx, id, on)
        except NotFound:
            actor.must("read")
            raise
        owner_id, category = permit.holder_id, permit.category
    owner = await records.owner(tx, "driver" if kind == "driver" else "holder", owner_id)
    if owner is None or kind not in ("permit", "holder", "driver"):
        actor.must("read")
        raise NotFound(kind, id)
    actor.must_unless_own("read", person_id=owner.person_id, company_id=owner.company_id)
    keys = {"driver": str(id)} if kind == "driver" else {"holder": str(owner_id)}
    keys |= {"category": category} if category else {}
    if kind == "driver":
        return Whose(keys, driver_id=id, person_id=owner.person_id)
    return Whose(keys, holder_id=owner_id, person_id=owner.person_id)
