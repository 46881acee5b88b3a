"""A call for vacancies opens (edital): as many as the law leaves free, with the days on which one may enrol."""

from dataclasses import asdict, dataclass, replace
from datetime import date

from services import acts, deadlines, numbers
from services.access import Actor
from services.database import Reader, Transaction
from services.errors import Invalid, Refused
from services.permits import store as permits
from services.permits import vacancies as vacant
from services.registry import store as registry
from services.selection import store
from services.selection.rules import Order, granting_office, instrument_of, order_of
from services.selection.tables import SelectionCall
from tenants.law.decision import Decision, Outcome, combine, first_no
from tenants.law.kinds.grants import Category
from tenants.law.law import Law

CALL = "selection"  # what acts and deadlines call it: a `call` of the law's events is a summons
ENROLMENT = "enrolment"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call is for."""

    category: str
    vacancies: int
    area: str | None


async def open_call(
    tx: Transaction,
    actor: Actor,
    *,
    category: str,
    vacancies: int,
    closes_on: date,
    opens_on: date | None = None,
    announced_on: date | None = None,
    area: str | None = None,
) -> SelectionCall:
    """Open a call (abrir edital). The law of the day of its announcement governs it to the end.

    Args:
        area: The vacancies are of the stands of an area, within its quota.
        opens_on: The first day to enrol: that of the announcement when it is not said; ``closes_on``: the last one.

    Raises:
        Refused: The law has no selection or no instrument for the category, or there are not so many vacancies.
        Invalid: The days are out of order, or the law has no such category or area.
    """
    actor.must("grant")
    day = announced_on or tx.today
    law = await tx.law(on=day)
    if law.get(Category, category) is None:
        raise Invalid("category", "unknown_code", f"A lei não tem a categoria {category} em {day:%d/%m/%Y}.")
    if area is not None and area not in law.list("area"):
        raise Invalid("area", "unknown_code", f"A lei não tem a área {area} em {day:%d/%m/%Y}.")
    order = order_of(law, category)
    office = granting_office(actor, instrument_of(law, category))
    opens_on = opens_on or day
    _check(tx.today, day, opens_on, closes_on, vacancies)
    await permits.lock_category(tx, law.root(category))
    await deadlines.settle(tx, day, await store.running(tx, law.branch(law.root(category))))
    decision = await room(tx, law, category, vacancies, area)
    if not decision.permits:
        raise Refused(decision)
    wanted = Wanted(category, vacancies, area)
    return await _write(tx, actor, office, order, decision, wanted, (day, opens_on, closes_on))


async def _write(
    tx: Transaction,
    actor: Actor,
    office: str,
    order: Order,
    decision: Decision,
    wanted: Wanted,
    days: tuple[date, date, date],
) -> SelectionCall:
    """``days``: of the announcement, the first and the last one to enrol."""
    call_id, (announced_on, opens_on, closes_on) = await registry.new_id(tx), days
    act = await acts.record(
        tx, actor, "selection.opened", on=(CALL, call_id), decision=decision, office=office, legal_day=announced_on,
        changes={**asdict(wanted), "opensOn": opens_on, "closesOn": closes_on},
    )  # fmt: skip
    call = SelectionCall(
        tenant_id=tx.tenant_id,
        id=call_id,
        number=await numbers.take(tx, CALL, announced_on.year),
        category=wanted.category,
        rule=order.rule.code,
        area=wanted.area,
        vacancies=wanted.vacancies,
        announced_on=announced_on,
        opens_on=opens_on,
        closes_on=closes_on,
        opened_act=act.id,
    )
    await registry.add(tx, call)
    await _run(tx, call, order)
    return call


def _check(today: date, day: date, opens_on: date, closes_on: date, vacancies: int) -> None:
    if day > today:
        raise Invalid("announcedOn", "future", "O dia da publicação do edital ainda não chegou.")
    if opens_on < day:
        raise Invalid("opensOn", "order", "As inscrições começam antes da publicação do edital.")
    if closes_on < opens_on:
        raise Invalid("closesOn", "order", "As inscrições terminam antes de começar.")
    if vacancies < 1:
        raise Invalid("vacancies", "positive", "Informe um número maior que zero.")


async def room(tx: Reader, law: Law, category: str, wanted: int, area: str | None = None) -> Decision:
    """Are there so many vacancies? By the quota, by the stands, and less what other calls have promised."""
    less = await vacant.promised(tx, law, category)
    found = await vacant.free(tx, law, category, less, area=area)
    value = {"free": found.room, "promised": found.taken, "wanted": wanted}
    decision = combine(found.parts, message="Há vagas.", value=value)
    if not decision.permits:
        return combine(found.parts, message=first_no(decision))
    if found.room is None or wanted <= found.room:
        return decision if found.room is None else replace(decision, message=f"Há {found.room} vaga(s).")
    there = max(found.room, 0)
    said = f"Há {there} vaga(s) para o edital" + (f", além de {found.taken} já em edital" if found.taken else "")
    rules = tuple(dict.fromkeys(rule for part in found.parts for each in (part, *part.parts) for rule in each.rules))
    narrow = Decision(Outcome.DENIED, f"{said}; pedidas: {wanted}.", value=value, rules=rules)
    return combine([narrow, *found.parts], message=narrow.message, value=value)


async def _run(tx: Transaction, call: SelectionCall, order: Order) -> None:
    """The term to enrol."""
    await deadlines.open_(
        tx,
        kind=ENROLMENT,
        rule=call.rule,
        subject=(CALL, call.id),
        opened_on=call.opens_on,
        last_day=call.closes_on,
        article=order.articles,
        act_id=call.opened_act,
        inputs={"event": "opened", "on": call.announced_on, "rule": order.rule.code},
    )
