"""What a day that was let pass draws (infração): the night names it; to apply it is an office's, with its process."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from services import acts
from services.access import system
from services.acts import Entry
from services.deadlines import Due, consequence
from services.notices import tasks
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.infractions import Infraction

if TYPE_CHECKING:
    from services.database import Transaction
    from tenants.law.law import Law

DRAW = "draw"
DRAWN = "infraction.drawn"
NEXT_DAY = timedelta(days=1)
TOLD: Mapping[str, Any] = {"do": "notify", "template": "term_expired"}


def follows(infraction: str | None, opens: str | None = None) -> list[Mapping[str, Any]]:
    """Whoever it concerns is told that the day is over; the infraction, and what it may open, are named."""
    named = {name: code for name, code in (("infraction", infraction), ("opens", opens)) if code}
    return [TOLD, {"do": DRAW, **named}] if named else [TOLD]


@consequence(DRAW)
async def draw(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """An act for each, on the first day after the last one, and a task for whoever applies it."""
    laws = {day: await tx.law(on=day) for day in {after(due) for due, _ in batch}}
    drawn = [(due, follow, named(laws[after(due)], due, follow)) for due, follow in batch]
    await acts.record_each(tx, system(tx.tenant_id), DRAWN, [_entry(*each) for each in drawn])
    await tasks.open_(tx, [_task(*each) for each in drawn])


def _entry(due: Due, drawn: Mapping[str, Any], decision: Decision) -> Entry:
    changes = {**{k: v for k, v in drawn.items() if k != "do"}, "kind": due.kind, "deadline": due.id}
    return Entry(due.subject_id, after(due), due.subject_kind, decision, changes)


def _task(due: Due, drawn: Mapping[str, Any], decision: Decision) -> tasks.NewTask:
    """Somebody applies it, or opens its process."""
    what = next((str(drawn[name]) for name in ("infraction", "opens", "effect") if drawn.get(name)), "")
    return tasks.NewTask.of_drawn(due.id, what, decision.message, (due.subject_kind, due.subject_id))


def after(due: Due) -> date:
    return due.last_day + NEXT_DAY


def named(law: "Law", due: Due, drawn: Mapping[str, Any]) -> Decision:
    """What it draws under the law of its first day, with its articles. A process alone is an office's to open."""
    codes = [code for code in (drawn.get("infraction"), *drawn.get("also", ())) if code]
    opens, effect = drawn.get("opens"), drawn.get("effect")
    said = [f"incorre em {titled(law, code)}" for code in codes]
    if opens:
        verb = "deve ser aberto" if drawn.get("must_open") else "pode ser aberto"
        said.append(f"{verb} processo por {titled(law, opens)}")
    if effect:
        said.append(effect)
    found = [rule for code in (*codes, opens) if code and (rule := law.find(Infraction.kind, code))]
    ended = f"O prazo ({due.article}) venceu em {due.last_day:%d/%m/%Y}"
    return Decision(
        Outcome.DENIED if codes else Outcome.NEEDS_DECISION,
        f"{': '.join([ended, '; '.join(said)])}." if said else f"{ended}.",
        rules=tuple(rule.used for rule in found),
        office=drawn.get("office"),
    )


def titled(law: "Law", code: str) -> str:
    found = law.get(Infraction, code)
    return f"{code}, {found.title}" if found is not None else code
