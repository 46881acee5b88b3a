"""A call for vacancies opens (edital): as many as the law leaves free, with the days on which one may enrol."""

from datetime import date

from services import acts, deadlines, numbers
from services.access import Actor
from services.database import Reader, Transaction
from services.errors import Invalid, Refused
from services.permits import fleet
from services.permits import store as permits
from services.registry import store as registry
from services.selection import store
from services.selection.rules import Order, granting_office, instrument_of, order_of
from services.selection.tables import SelectionCall
from services.stands import store as stands
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.kinds.grants import Category
from tenants.law.kinds.stands import Stand
from tenants.law.law import Law
from tenants.law.questions import QuotaAnswer

CALL = "selection"  # what acts and deadlines call it: a `call` of the law's events is a summons
ENROLMENT = "enrolment"


async def open_call(
    tx: Transaction,
    actor: Actor,
    *,
    category: str,
    vacancies: int,
    closes_on: date,
    opens_on: date | None = None,
    announced_on: date | None = None,
) -> SelectionCall:
    """Open a call (abrir edital). The law of the day of its announcement governs it to the end.

    Args:
        opens_on: The first day to enrol: that of the announcement when it is not said; ``closes_on``: the last one.

    Raises:
        Refused: The law has no selection or no instrument for the category, or there are not so many vacancies.
        Invalid: The days are out of order, or the law has no such category.
    """
    actor.must("grant")
    day = announced_on or tx.today
    law = await tx.law(on=day)
    if law.get(Category, category) is None:
        raise Invalid("category", "unknown_code", f"A lei não tem a categoria {category} em {day:%d/%m/%Y}.")
    order = order_of(law, category)
    office = granting_office(actor, instrument_of(law, category))
    opens_on = opens_on or day
    _check(tx.today, day, opens_on, closes_on, vacancies)
    await permits.lock_category(tx, law.root(category))
    decision = await room(tx, law, category, vacancies)
    if not decision.permits:
        raise Refused(decision)
    return await _write(tx, actor, office, order, decision, category, vacancies, (day, opens_on, closes_on))


async def _write(
    tx: Transaction,
    actor: Actor,
    office: str,
    order: Order,
    decision: Decision,
    category: str,
    vacancies: int,
    days: tuple[date, date, date],
) -> SelectionCall:
    """``days``: of the announcement, the first and the last one to enrol."""
    call_id, (announced_on, opens_on, closes_on) = await registry.new_id(tx), days
    act = await acts.record(
        tx, actor, "selection.opened", on=(CALL, call_id), decision=decision, office=office, legal_day=announced_on,
        changes={"category": category, "vacancies": vacancies, "opensOn": opens_on, "closesOn": closes_on},
    )  # fmt: skip
    call = SelectionCall(
        tenant_id=tx.tenant_id,
        id=call_id,
        number=await numbers.take(tx, CALL, announced_on.year),
        category=category,
        rule=order.rule.code,
        vacancies=vacancies,
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


async def room(tx: Reader, law: Law, category: str, wanted: int) -> Decision:
    """Are there so many vacancies? By the quota, by the stands, and less what other calls have promised."""
    quota = await fleet.quota(tx, law, category)
    slots = await _free_slots(tx, law, category)
    promised = await store.promised(tx, law.branch(law.root(category)))
    rooms = [quota.value.room] if isinstance(quota.value, QuotaAnswer) else []
    rooms += [slots.value["free"]] if slots else []
    parts = [quota, slots] if slots else [quota]
    decision = combine(parts, message="Há vagas.", value={"free": None, "promised": promised})
    if not decision.permits:
        return combine(parts, message=next(p.message for p in parts if p.outcome is decision.outcome))
    if not rooms:
        return decision
    free = min(rooms) - promised
    value = {"free": free, "promised": promised, "wanted": wanted}
    if wanted <= free:
        return combine(parts, message=f"Há {free} vaga(s).", value=value)
    said = f"Há {max(free, 0)} vaga(s) para o edital" + (f", além de {promised} já em edital" if promised else "")
    rules = tuple(dict.fromkeys(rule for part in (*quota.parts, *parts) for rule in part.rules))
    narrow = Decision(Outcome.DENIED, f"{said}; pedidas: {wanted}.", value=value, rules=rules)
    return combine([narrow, *parts], message=narrow.message, value=value)


async def _free_slots(tx: Reader, law: Law, category: str) -> Decision | None:
    """The slots that no permit takes at the stands of the category; None: the law has no stands for it."""
    found = [(f, stand) for f, stand in law.all(Stand) if stand.slots and law.concerns(stand, {"category": category})]
    if not found:
        return None
    taken = await stands.taken(tx, law.on)
    free = sum(max((stand.slots or 0) - taken.get(stand.code, 0), 0) for _, stand in found)
    outcome = Outcome.ALLOWED if free else Outcome.DENIED
    rules = tuple(each.used for each, _ in found)
    return Decision(outcome, f"Há {free} vaga(s) nos pontos.", value={"free": free}, rules=rules)


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
