"""What a penalty draws waits while it is challenged (efeito suspensivo): its payment term stands still."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Row

from services import deadlines, terms
from services.acts.record import Act
from services.database import Transaction
from services.deadlines.succession import hand_over
from services.errors import Conflict
from services.proceedings import store
from services.proceedings.tables import Charge, Proceeding
from services.registry.facts import facts
from tenants.law.calendar import Suspensions
from tenants.law.decide import decide
from tenants.law.kinds.terms import Term
from tenants.law.questions import TermQuestion

FINE = "fine"


async def suspend(tx: Transaction, act: Act, charge: Charge, on: date) -> None:
    """From a day on nothing that the charge draws takes effect."""
    if charge.suspended_on is not None:
        return
    charge.suspended_on, charge.suspended_act = on, act.id
    charge.version += 1
    if charge.fine_id is not None:
        for term in await store.running_of(tx, (FINE, charge.fine_id), ["open"]):
            await deadlines.suspend(tx, term.id, on=on, act_id=act.id)


async def cancel(tx: Transaction, act: Act, charge: Charge, on: date) -> None:
    """Nothing is due any more."""
    if charge.fine_id is not None:
        for term in await store.running_of(tx, (FINE, charge.fine_id), ["open", "suspended"]):
            await deadlines.meet(tx, term.id, on=on, act_id=act.id)


async def release(
    tx: Transaction, act: Act, case: Proceeding, charge: Charge, on: date, refused_on: date | None = None
) -> None:
    """The payment term runs again from a day on: the rest of it, or anew where the law counts from the refusal."""
    if charge.fine_id is None:
        return
    waiting = await store.running_of(tx, (FINE, charge.fine_id), ["suspended"])
    if refused_on is not None and await _anew(tx, act, case, charge, waiting, refused_on):
        return
    for term in waiting:
        await _resume(tx, act, case, term, on)


async def _anew(
    tx: Transaction, act: Act, case: Proceeding, charge: Charge, waiting: Sequence[Row[Any]], day: date
) -> bool:
    """A term of its own for what an appeal did not change; False: the law has none."""
    law = await tx.law(on=day)
    keys = {"category": case.category} if case.category else {}
    running = terms.started(law, facts(law), of=FINE, event="appeal_refused", on=day, keys=keys)
    if not running or charge.fine_id is None:
        return False
    opened = await terms.open_started(tx, act, running, subject=(FINE, charge.fine_id), on=day)
    await hand_over(tx, [term.id for term in waiting], opened, on=day, act_id=act.id)
    await store.due_by(tx, charge.fine_id, opened[0])
    return True


async def _resume(tx: Transaction, act: Act, case: Proceeding, term: Row[Any], on: date) -> None:
    """The days in which it stood still do not count."""
    law = await tx.law(on=term.opened_on)
    rule = law.get(Term, term.kind)
    started = date.fromisoformat(term.inputs["on"])
    keys = {"category": case.category} if case.category else {}
    spans = suspensions(term.inputs, until=on)
    decision = decide(law, TermQuestion(term.kind, started, keys, spans), facts(law)) if rule else None
    if rule is None or decision is None or not decision.permits:
        raise Conflict(message=f"A lei já não diz como se conta o prazo {term.kind}: informe-o antes.")
    running = terms.Running(rule, decision, decision.value.last_day)
    new = terms.new_deadline(act, running, subject=(term.subject_kind, term.subject_id), on=started)
    await deadlines.resume(
        tx, term.id, on=on, last_day=new.last_day, act_id=act.id, counted=new.counted, follows=new.follows
    )


def suspensions(inputs: Mapping[str, Any], until: date | None = None) -> Suspensions:
    """First and last day of each time that a term stood still, as its row notes them; ``until``: it runs again."""
    spans: list[tuple[date, date]] = []
    since: date | None = None
    for note in inputs.get("suspensions", ()):
        if "suspended" in note:
            since = date.fromisoformat(note["suspended"]["on"])
        elif since is not None:
            spans.append((since, date.fromisoformat(note["resumed"]["on"]) - terms.DAY))
            since = None
    if since is not None and until is not None:
        spans.append((since, until - terms.DAY))
    return tuple(span for span in spans if span[0] <= span[1])
