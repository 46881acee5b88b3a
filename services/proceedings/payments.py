"""By when a fine is to be paid while a case is about it: its term stands still, runs again, or begins anew.

A term that was over before the challenge was received, or before it was entered, does not stay over: what is challenged
with suspensive effect is not due. Of a term that was over already the whole runs again once the fine is final.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines, terms
from services.access import system
from services.acts.record import Act
from services.database import Transaction
from services.deadlines.succession import hand_over
from services.errors import Conflict
from services.money.indebting import withdraw_debt
from services.money.store import lock_fine
from services.notices import tasks
from services.proceedings import store
from services.proceedings.overdue import overdue_no_more
from services.registry.facts import facts
from tenants.law.calendar import Suspensions
from tenants.law.decide import decide
from tenants.law.kinds.terms import Term
from tenants.law.questions import TermQuestion

FINE = "fine"
ANEW = "anew"  # noted in a term's inputs: it was over before it was stopped
RUNS = ("open", "suspended")


@dataclass(frozen=True, slots=True)
class Due:
    """The terms of a fine: its own, and what the law lets follow on lateness."""

    own: list[Row[Any]]
    late: list[Row[Any]]

    @classmethod
    async def of(cls, tx: Transaction, fine_id: UUID) -> "Due":
        rows = await store.running_of(tx, (FINE, fine_id), [*RUNS, "expired"])
        return cls([row for row in rows if "after" not in row.inputs], [row for row in rows if "after" in row.inputs])


async def stop(tx: Transaction, act: Act, fine_id: UUID, on: date) -> None:
    """From a day on the fine is not due; what had followed from its being overdue is undone, each by an act."""
    fine = await lock_fine(tx, fine_id)
    await deadlines.settle(tx, subject=(FINE, fine_id))
    due = await Due.of(tx, fine_id)
    for row in due.late:
        if row.state in RUNS:
            await deadlines.meet(tx, row.id, on=on, act_id=act.id)
    for row in due.own:
        if row.state == "open":
            await deadlines.suspend(tx, row.id, on=on, act_id=act.id)
    for row in _over_too_early(due.own, on):
        await _reopen(tx, act, row, on)
    await withdraw_debt(tx, fine_id, on, why="A multa foi impugnada no prazo, com efeito suspensivo.")
    if fine.permit_id is not None and due.own:
        await overdue_no_more(tx, act, fine, {row.kind for row in due.own})


def _over_too_early(own: Sequence[Row[Any]], on: date) -> list[Row[Any]]:
    """Terms that had not run out on the day, though they were found over since; or all of it that there was."""
    over = [row for row in own if row.state == "expired"]
    early = [row for row in over if row.last_day >= on]
    if early or any(row.state in RUNS for row in own):
        return early
    return [row for row in over if row.last_day == max(each.last_day for each in over)]


async def _reopen(tx: Transaction, act: Act, row: Row[Any], on: date) -> None:
    """Another takes the place of a term that was over, and stands still from the day on."""
    ran_out = row.last_day < on
    new = deadlines.NewDeadline(
        kind=row.kind,
        rule=row.rule,
        subject_kind=row.subject_kind,
        subject_id=row.subject_id,
        opened_on=on if ran_out else row.opened_on,
        last_day=row.last_day,
        article=row.article,
        opened_act=act.id,
        inputs={**row.inputs, "reopens": str(row.id), ANEW: ran_out},
        counted=row.counted,
        follows=row.follows,
    )
    (successor,) = await deadlines.open_each(tx, [new])
    await deadlines.suspend(tx, successor, on=on, act_id=act.id)
    await acts.record(
        tx,
        system(tx.tenant_id),
        "deadline.reopened",
        on=("deadline", row.id),
        legal_day=on,
        changes={"was": "expired", "lastDay": row.last_day, "successor": successor, "after": act.id},
        why="Impugnação com efeito suspensivo: a multa não é exigível até a decisão definitiva.",
    )
    await store.replace_expired(tx, row.id, successor)
    await store.due_by(tx, row.subject_id, successor)


async def cancel(tx: Transaction, act: Act, fine_id: UUID, on: date) -> None:
    """Nothing is due any more; what was paid is somebody's to give back."""
    fine = await lock_fine(tx, fine_id)
    for term in await store.running_of(tx, (FINE, fine_id), RUNS):
        await deadlines.meet(tx, term.id, on=on, act_id=act.id)
    await withdraw_debt(tx, fine_id, on, why="A multa foi afastada por decisão definitiva.")
    if fine.paid > 0:
        said = f"A multa {fine.number} foi afastada, e dela foram pagos R$ {fine.paid:.2f}: devolva-os."
        await tasks.open_(tx, [tasks.NewTask("refund", str(fine_id), said, subject=(FINE, fine_id))])


async def go_on(
    tx: Transaction, act: Act, fine_id: UUID, category: str | None, on: date, refused_on: date | None
) -> None:
    """The term runs again from a day on: the rest of it, or anew where it was over or the law says so."""
    waiting = await store.running_of(tx, (FINE, fine_id), ["suspended"])
    keys = {"category": category} if category else {}
    if refused_on is not None and await _from_the_refusal(tx, act, fine_id, keys, waiting, refused_on):
        return
    for term in waiting:
        await _resume(tx, act, keys, term, on)


async def _from_the_refusal(
    tx: Transaction, act: Act, fine_id: UUID, keys: dict[str, str], waiting: Sequence[Row[Any]], day: date
) -> bool:
    """A term of its own for what an appeal did not change; False: the law has none."""
    law = await tx.law(on=day)
    running = terms.started(law, facts(law), of=FINE, event="appeal_refused", on=day, keys=keys)
    if not running:
        return False
    opened = await terms.open_started(tx, act, running, subject=(FINE, fine_id), on=day)
    await hand_over(tx, [term.id for term in waiting], opened, on=day, act_id=act.id)
    await store.due_by(tx, fine_id, opened[0])
    return True


async def _resume(tx: Transaction, act: Act, keys: dict[str, str], term: Row[Any], on: date) -> None:
    """The days in which it stood still do not count; of one that was over by then none is left, and it begins anew."""
    law = await tx.law(on=term.opened_on)
    rule = law.get(Term, term.kind)
    anew = term.inputs.get(ANEW) and not any("resumed" in note for note in term.inputs["suspensions"])
    started = on if anew else date.fromisoformat(_start(term))
    spans = () if anew else suspensions(term.inputs, until=on)
    decision = decide(law, TermQuestion(term.kind, started, keys, spans), facts(law)) if rule else None
    if rule is None or decision is None or not decision.permits:
        raise Conflict(message=f"A lei já não diz como se conta o prazo {term.kind}: informe-o antes.")
    running = terms.Running(rule, decision, decision.value.last_day)
    new = terms.new_deadline(act, running, subject=(term.subject_kind, term.subject_id), on=started)
    await deadlines.resume(
        tx, term.id, on=on, last_day=new.last_day, act_id=act.id, counted=new.counted, follows=new.follows
    )


def _start(term: Row[Any]) -> str:
    """The day from which it is counted: of its event, or on which it began anew."""
    return str((term.counted.get("days") or {}).get("start") or term.inputs["on"])


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
