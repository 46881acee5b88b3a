"""Stands are created, moved and closed (criar, remanejar, extinguir pontos): each is an act that publishes law."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import Row

from services import deadlines
from services.access import Actor
from services.database import Reader, Transaction
from services.errors import Invalid, NotFound, Refused
from services.municipalities import store as laws
from services.municipalities.publishing import enact
from services.municipalities.store import Head
from services.permits import vacancies
from services.permits.unforeseen import not_provided
from services.registry.facts import facts
from services.stands import listing, store
from services.stands.listing import StandView, category_of
from services.stands.slots import move, settled, stand_in
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, combine, first_no
from tenants.law.kinds.stands import Stand, StandPolicy
from tenants.law.law import InForce, Law
from tenants.law.pack import RawItem
from tenants.law.questions import StandActQuestion

What = Literal["create", "move", "close"]
SAID: Mapping[What, str] = {"create": "criar pontos", "move": "mudar pontos", "close": "fechar pontos"}
OF_THE_VERSION = ("from", "until", "published", "off")  # what a new version does not take from the older one


@dataclass(frozen=True, slots=True)
class Enactment:
    """The act that makes the change, and what was done before it.

    ``met``: what the law wants before (an office heard, the legislature's leave), each with its source. ``since``:
    the first day of the change. ``judged``: the office records that it decides what is left to it.
    """

    norm: str
    official_on: date
    met: Mapping[str, str]
    since: date
    judged: bool
    why: str | None

    @classmethod
    def of(
        cls,
        *,
        norm: str,
        official_on: date,
        met: Sequence[Mapping[str, str]] = (),
        since: date | None = None,
        judged: bool = False,
        why: str | None = None,
    ) -> "Enactment":
        """Raises Invalid: it would count from before it was published."""
        if since is not None and since < official_on:
            raise Invalid("since", "before_publication", "O ato não vale antes da sua publicação.")
        sources = {each["code"]: each["source"] for each in met}
        return cls(norm, official_on, sources, since or official_on, judged, why)


@dataclass(frozen=True, slots=True)
class Made:
    """A stand that has changed, under the law of the first day of the change; ``view`` None: it is closed."""

    code: str
    law: Law
    publication: Head
    view: StandView | None

    @property
    def id(self) -> UUID:
        return self.publication.id


async def made_by(tx: Reader, publication: UUID) -> Made:
    """The stand that a publication changed, as it then was in the law. Raises NotFound."""
    head = await laws.publication(tx, publication)
    found = next((raw for raw in await laws.items_of(tx, publication) if raw.kind == Stand.kind), None)
    if found is None:
        raise NotFound("publication", publication)
    law = await tx.law(on=date.fromisoformat(found.payload["from"]))
    return Made(found.code, law, head, await listing.one(tx, law, found.code))


async def create_stand(
    tx: Transaction,
    actor: Actor,
    *,
    category: str,
    number: int,
    place: str,
    slots: int | None = None,
    access: str = "fixed",
    area: str | None = None,
    hours: str | None = None,
    **enactment: Any,
) -> Made:
    """A new stand. ``hours``: as a law pack writes them. ``enactment``: as `Enactment.of` takes it.

    Raises:
        Refused: The law wants something before, or admits no such stand.
        Forbidden: The law gives the decision to another office.
        Invalid: The number is another stand's.
    """
    actor.must("stands")
    made = Enactment.of(**enactment)
    code = str(number)
    await store.lock(tx, code)
    law = await tx.law(on=made.since)
    decision, office = _decided(law, actor, "create", category, made, fixed=access == "fixed")
    if law.find(Stand.kind, code) is not None:
        raise Invalid("number", "taken", f"Já existe o ponto {number} em {law.on:%d/%m/%Y}.")
    said = {"number": number, "place": place, "slots": slots, "kind": access, "area": area, "hours": hours}
    payload = {**{key: value for key, value in said.items() if value is not None}, "applies": {"category": category}}
    raw = RawItem(Stand.kind, code, {**payload, "cite": _cited(decision), **_version(code, made)})
    return await _enact(tx, actor, office, raw, "stand.created", made, decision)


async def move_stand(
    tx: Transaction,
    actor: Actor,
    *,
    stand: str,
    place: str | None = None,
    slots: int | None = None,
    area: str | None = None,
    access: str | None = None,
    hours: str | None = None,
    **enactment: Any,
) -> Made:
    """Another place, number of slots or area for a stand and all who wait there; or open to all, in some hours.

    Raises:
        Refused: The law wants something before, more wait there than would have a slot or the area's quota leaves, or
            calls have promised the slots that go.
    """
    actor.must("stands")
    made = Enactment.of(**enactment)
    await store.lock(tx, stand)
    law = await tx.law(on=made.since)
    found, item = stand_in(law, stand)
    fixed = (access or item.access) == "fixed"
    decision, office = _decided(law, actor, "move", category_of(item), made, fixed=fixed)
    there = await _waiting(tx, law, stand)
    if slots is not None and len(there) > slots:
        raise Refused(_occupied(found, item, [row.number for row in there[slots:]], "Com menos vagas, sobram"))
    await _may_be(tx, law, item, slots=slots, area=area, there=len(there))
    told = {"place": place, "slots": slots, "area": area, "kind": access, "hours": hours}
    changes = {key: value for key, value in told.items() if value is not None}
    cite = list(dict.fromkeys([*map(str, item.cite), *_cited(decision)]))
    raw = RawItem(Stand.kind, stand, {**_kept(found), **changes, "cite": cite, **_version(stand, made)})
    return await _enact(tx, actor, office, raw, "stand.moved", made, decision)


async def close_stand(
    tx: Transaction,
    actor: Actor,
    *,
    stand: str,
    moves: Sequence[Mapping[str, Any]] = (),
    **enactment: Any,
) -> Made:
    """Close a stand; whoever waits there is moved before, or by the same act.

    Args:
        moves: ``permit_id`` and the ``stand`` to which it goes, each of which has room.

    Raises:
        Refused: The law wants something before; or permits are left at the stand: the answer names them.
    """
    actor.must("stands")
    made = Enactment.of(**enactment)
    await store.lock_all(tx, [stand, *(each["stand"] for each in moves)])
    law = await tx.law(on=made.since)
    found, item = stand_in(law, stand)
    decision, office = _decided(law, actor, "close", category_of(item), made)
    there = await _waiting(tx, law, stand)
    going: dict[UUID, str] = {each["permit_id"]: each["stand"] for each in moves}
    if going.keys() - {row.permit_id for row in there}:
        raise Invalid("moves", "elsewhere", f"Só se muda por este ato quem espera no ponto {item.number}.")
    left = [row.number for row in there if row.permit_id not in going]
    if left:
        raise Refused(_occupied(found, item, left, "Mude antes, ou pelo mesmo ato, quem ainda espera nele:"))
    _all_hold(await vacancies.without(tx, law, category_of(item), item.area, item.slots or 0))
    cite = list(dict.fromkeys([*map(str, item.cite), *_cited(decision)]))
    raw = RawItem(Stand.kind, stand, {**_kept(found), "cite": cite, **_version(stand, made), "off": "yes"})
    closed = await _enact(tx, actor, office, raw, "stand.closed", made, decision)
    after = await tx.law(on=made.since)
    for permit_id, target in sorted(going.items()):
        permit = await settled(tx, after, permit_id)
        await move(tx, actor, office, after, permit, target)
    return closed


async def _waiting(tx: Transaction, law: Law, stand: str) -> list[Row[Any]]:
    """Who waits at a stand, once what is over of them is recorded."""
    seen = await store.occupants(tx, [stand], law.on)
    await deadlines.settle(tx, min(law.on, tx.today), [("permit", row.permit_id) for row in seen])
    return await store.occupants(tx, [stand], law.on)


async def _may_be(tx: Transaction, law: Law, item: Stand, *, slots: int | None, area: str | None, there: int) -> None:
    """What quotas of areas and promised vacancies say of fewer slots or of another area. Raises Refused."""
    category, free = category_of(item), max((item.slots or 0) - there, 0)
    parts = []
    if area is not None and area != item.area:
        parts += await vacancies.for_an_area(tx, law, category, area, item.area, there)
        parts += await vacancies.without(tx, law, category, item.area, free) if item.area else []
    elif slots is not None:
        parts += await vacancies.without(tx, law, category, item.area, free - max(slots - there, 0))
    _all_hold(parts)


def _all_hold(parts: Sequence[Decision]) -> None:
    """Raises Refused."""
    decision = combine(parts, message="")
    if not decision.permits:
        raise Refused(replace(decision, message=first_no(decision)))


def stand_act(law: Law, act: What, category: str, *, met: Sequence[str] = (), fixed: bool = True) -> Decision:
    """What the law says of such an act. Raises Refused where it provides none."""
    if not any(law.concerns(policy, {"category": category}) for _, policy in law.all(StandPolicy)):
        raise not_provided(law, SAID[act], StandPolicy.kind)
    return decide(law, StandActQuestion(category, act, met=tuple(met), fixed=fixed), facts(law))


def _decided(
    law: Law, actor: Actor, act: What, category: str, made: Enactment, *, fixed: bool = True
) -> tuple[Decision, str]:
    """The law's answer, and the office in which the actor decides. Raises Forbidden, Refused."""
    office = actor.must("stands")
    decision = stand_act(law, act, category, met=tuple(made.met), fixed=fixed)
    if decision.office:
        office = actor.must_hold(decision.office, "stands")
    if not (decision.permits or (made.judged and decision.outcome is Outcome.NEEDS_DECISION)):
        raise Refused(decision)
    return decision, office


def _cited(decision: Decision) -> list[str]:
    return [str(citation) for citation in decision.citations]


def _kept(found: InForce) -> dict[str, Any]:
    return {key: value for key, value in found.payload.items() if key not in OF_THE_VERSION}


def _version(code: str, made: Enactment) -> dict[str, Any]:
    return {"code": code, "from": made.since.isoformat()}


def _occupied(found: InForce, stand: Stand, numbers: Sequence[str], said: str) -> Decision:
    message = f"Ponto {stand.number}. {said} {', '.join(numbers)}."
    return Decision(Outcome.DENIED, message, value={"permits": list(numbers)}, rules=(found.used,))


async def _enact(
    tx: Transaction, actor: Actor, office: str, raw: RawItem, verb: str, made: Enactment, decision: Decision
) -> Made:
    enacted = await enact(
        tx,
        actor,
        office,
        [raw],
        verb=verb,
        norm=made.norm,
        official_on=made.official_on,
        changes={"stand": raw.code, "since": made.since, "met": dict(made.met)},
        decision=decision,
        why=made.why,
    )
    law = await tx.law(on=made.since)
    return Made(raw.code, law, enacted.publication, await listing.one(tx, law, raw.code))
