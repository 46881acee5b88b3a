"""Opening and closing deadlines. Each change belongs to an act that the use case has recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.acts.body import simple
from services.deadlines import store
from services.deadlines.consequences import OPENS, Due, check, consequence
from services.errors import Conflict, NotFound
from services.escalations import store as escalations

if TYPE_CHECKING:
    from services.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeadline:
    """A deadline to open: what it is of, what it was counted from, and what follows when its last day is over."""

    kind: str
    rule: str
    subject_kind: str
    subject_id: UUID
    opened_on: date
    last_day: date
    article: str
    opened_act: UUID
    inputs: Mapping[str, Any] = field(default_factory=dict)
    counted: Mapping[str, Any] = field(default_factory=dict)
    follows: Sequence[Mapping[str, Any]] = ()


async def open_(
    tx: "Transaction",
    *,
    kind: str,
    rule: str,
    subject: tuple[str, UUID],
    opened_on: date,
    last_day: date,
    article: str,
    act_id: UUID,
    inputs: Mapping[str, Any] | None = None,
    counted: Mapping[str, Any] | None = None,
    follows: Sequence[Mapping[str, Any]] = (),
) -> UUID:
    """Set a term running.

    Args:
        kind: What it is for: `licence`, `defence`, `payment` …, or the rule's own code.
        rule: The code of the law's rule.
        subject: Kind and id of what it is of.
        inputs: Rule version, start event, suspensions; `counted`: the days and why.
        follows: What its end brings about; see `services.deadlines.consequences`.

    Raises:
        ValueError: Nothing carries out what should follow.
    """
    new = NewDeadline(
        kind=kind,
        rule=rule,
        subject_kind=subject[0],
        subject_id=subject[1],
        opened_on=opened_on,
        last_day=last_day,
        article=article,
        opened_act=act_id,
        inputs=inputs or {},
        counted=counted or {},
        follows=follows,
    )
    (made,) = await open_each(tx, [new])
    return made


async def open_each(tx: "Transaction", new: Sequence[NewDeadline]) -> list[UUID]:
    """Open many in one statement; their ids in the order given."""
    for each in new:
        check(each.follows)
    return await store.add(tx, new) if new else []


async def meet(tx: "Transaction", deadline_id: UUID, *, on: date, act_id: UUID, version: int | None = None) -> None:
    """What was demanded was done (cumprido). Raises NotFound; Conflict when it no longer runs, or in this version."""
    await close(tx, deadline_id, store.Closing("met", on, act_id), version)


async def meet_kinds(
    tx: "Transaction", *, on_subject: tuple[str, UUID], kinds: Sequence[str], on: date, act_id: UUID
) -> int:
    """The same for what runs of a subject, by kinds or rules; how many it were."""
    met = await store.meet_kinds(tx, on_subject, kinds, on, act_id)
    await escalations.close(tx, on_subject, kinds, on, act_id)
    return met


async def meet_all(tx: "Transaction", subjects: Sequence[store.NoMore]) -> None:
    """Whatever of these subjects still runs is closed, in one statement."""
    await store.meet_all(tx, subjects)
    await escalations.close_all(tx, [(each.subject, each.on, each.act_id) for each in subjects])


async def replace(
    tx: "Transaction", deadline_id: UUID, new: NewDeadline, *, on: date, version: int | None = None
) -> UUID:
    """Another deadline takes its place: one that follows a fact which changed, a term prolonged, a service repeated."""
    (successor,) = await open_each(tx, [new])
    await close(tx, deadline_id, store.Closing("replaced", on, new.opened_act, successor), version)
    return successor


async def suspend(tx: "Transaction", deadline_id: UUID, *, on: date, act_id: UUID, version: int | None = None) -> None:
    """Stop it from running: what is suspended does not expire."""
    note = {"suspended": {"on": on, "act": act_id}}
    await checked(tx, deadline_id, version, await store.suspend(tx, deadline_id, on, simple(note), version))


async def resume(
    tx: "Transaction",
    deadline_id: UUID,
    *,
    on: date,
    last_day: date,
    act_id: UUID,
    counted: Mapping[str, Any] | None = None,
    follows: Sequence[Mapping[str, Any]] | None = None,
    version: int | None = None,
) -> None:
    """Let it run again to a new last day, which the law's counting gave. `follows` when its days have moved too."""
    check(follows or ())
    note = simple({"resumed": {"on": on, "act": act_id}})
    moved = None if follows is None else simple(list(follows))
    done = await store.resume(tx, deadline_id, last_day, note, simple(counted or {}), moved, version)
    await checked(tx, deadline_id, version, done)


async def close(tx: "Transaction", deadline_id: UUID, closing: store.Closing, version: int | None) -> None:
    await checked(tx, deadline_id, version, await store.close(tx, deadline_id, closing, version))


async def checked(tx: "Transaction", deadline_id: UUID, version: int | None, done: bool) -> None:
    """Why a change found no row. Raises NotFound or Conflict."""
    if done:
        return
    found = await store.by_id(tx, deadline_id)
    if found is None:
        raise NotFound("deadline", deadline_id)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    raise Conflict(message="O prazo já não está em condições de mudar.")


@consequence("open", turn=OPENS)
async def open_next(tx: "Transaction", batch: Sequence[tuple[Due, Mapping[str, Any]]]) -> None:
    """The deadlines that the ends of others open, as their rows say. By default of the same subject."""
    for _, follow in batch:
        check(follow["deadline"].get("follows", ()))
    await store.open_after(tx, [(due.id, follow["deadline"]) for due, follow in batch])
