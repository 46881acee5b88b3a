"""A table of tariffs is set by an act (decreto de tarifas), once all has been done that the law asks before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.database import Transaction
from services.errors import Invalid, Refused
from services.municipalities.publishing import Enacted, enact
from services.permits.unforeseen import not_provided
from services.tariffs import store, tabling
from services.tariffs.asking import change, happened, setting_office
from services.tariffs.reviewing import open_one
from tenants.law.decision import Decision
from tenants.law.kinds.tariffs import Tariff, TariffPolicy
from tenants.law.law import InForce, Law
from tenants.law.pack import RawItem
from tenants.law.questions import TariffChangeAnswer

Tables = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Decree:
    """``by_law``: the act is a law of the legislature's, not a decree."""

    norm: str
    official_on: date
    since: date
    by_law: bool
    why: str | None


async def set_tariff(
    tx: Transaction,
    actor: Actor,
    *,
    tariff_review_id: UUID,
    norm: str,
    official_on: date,
    tables: Tables,
    areas: Sequence[Mapping[str, str]] = (),
    since: date | None = None,
    by_law: bool = False,
    version: int | None = None,
    why: str | None = None,
) -> UUID:
    """Publish the table that a review came to, in place of the one before; answers the review's id.

    Args:
        tables: Each with its ``code``, ``components`` in reais, ``minimum``, areas, hours; see `tabling`.
        areas: Zones that the act makes: ``code`` and ``title``.
        since: The first day of the new table; the day of its publication when it is not said.

    Raises:
        Refused: Somebody has not been heard, or has not approved; a paper is missing; the law has no zones.
        Forbidden: The law lets another office set tariffs.
        Conflict: The review has been decided, or changed since.
        Invalid: It would count from before its publication; a code is that of a rule of the law itself.
        PackInvalid: The table is no law.
    """
    actor.must("tariff")
    decree = Decree(norm, official_on, since or official_on, by_law, why)
    if decree.since < official_on:
        raise Invalid("since", "before_publication", "A tabela não vale antes da sua publicação.")
    review, tariff = await open_one(tx, tariff_review_id, version)
    tx.forget_law()  # another table may have been set while this one waited
    law = await tx.law(on=decree.since)
    office = setting_office(law, actor, review.category)
    decision = await _decision(tx, law, review, tables, decree)
    raws = [*tabling.areas_of(law, areas), *await _items(tx, law, tariff, tables, decree, decision)]
    made = await _enact(tx, actor, office, raws, review, decree, decision)
    await store.was_set(tx, tariff.id, since=decree.since, publication_id=made.publication.id, act_id=made.act.id)
    await store.decide(tx, tariff_review_id, granted=True, day=official_on, act_id=made.act.id)
    await happened(tx, made.act, law, tariff, "set")
    return tariff_review_id


async def _enact(
    tx: Transaction,
    actor: Actor,
    office: str,
    raws: Sequence[RawItem],
    review: Row[Any],
    decree: Decree,
    decision: Decision,
) -> Enacted:
    return await enact(
        tx,
        actor,
        office,
        raws,
        verb="tariff.set",
        norm=decree.norm,
        official_on=decree.official_on,
        changes={"review": review.id, "category": review.category, "since": decree.since},
        decision=decision,
        result={"id": str(review.id)},
        why=decree.why,
    )


async def _decision(tx: Transaction, law: Law, review: Row[Any], tables: Tables, decree: Decree) -> Decision:
    """Raises Refused."""
    surcharge = any(tabling.is_surcharge(table) for table in tables)
    steps = await store.steps(tx, [review.id])
    decision = change(law, review.category, steps, surcharge=surcharge, by_law=decree.by_law)
    if not decision.permits:
        raise Refused(decision)
    zones = isinstance(decision.value, TariffChangeAnswer) and decision.value.zones
    if tabling.uses_zones(tables) and not zones:
        raise not_provided(law, "zonas de tarifa", TariffPolicy.kind)
    return decision


async def _items(
    tx: Transaction, law: Law, tariff: Row[Any], tables: Tables, decree: Decree, decision: Decision
) -> list[RawItem]:
    """The new tables, and the end of those of the last act that it does not replace. Raises Invalid."""
    cite = [str(citation) for citation in decision.citations]
    raws = tabling.tables_of(tables, tariff.category, since=decree.since, cite=cite)
    new = {raw.code for raw in raws}
    before = await store.tables_of(tx, tariff.publication_id, Tariff.kind) if tariff.publication_id else []
    theirs = new & {item.code for _, item in law.all(Tariff)} - set(before)
    if theirs:
        raise Invalid("tables", "taken", f"São códigos de regras da própria lei: {', '.join(sorted(theirs))}.")
    old: list[InForce] = [found for code in before if code not in new and (found := law.find(Tariff.kind, code))]
    return [*raws, *(tabling.ended(found, decree.since) for found in old)]
