"""Carrying out a recomputation (recontagem): a job, each step of which is whole, and none of which does a thing twice.

Nobody is told of it: the new days and amounts stand in the agenda, the certificate and the account of each.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services import acts, deadlines, jobs
from services.acts.record import Act
from services.jobs import Progress, Task
from services.recomputing import store
from services.recomputing.amounts import Revalued
from services.recomputing.causes import Cause, published
from services.recomputing.counting import Count, Moved, plainly
from services.recomputing.fees import kept
from services.recomputing.finding import Finder, Found, owed
from services.recomputing.fines import store as fine_rows
from services.recomputing.fines.amounts import come_to
from services.recomputing.fines.telling import told
from services.recomputing.known.following import follow
from services.recomputing.known.knowing import known
from services.terms import DAY, Running, follows_of
from tenants.law.decision import plain

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

RECOMPUTE, SUBJECT = "recompute", "publication"
VALID = ("permit", "licence")
PHASES = ("settle", "running", "closed", "fines", "fees")


async def recompute(tx: "Transaction", actor: "Actor", *, publication_id: UUID, why: str | None = None) -> UUID:
    """Count again what a publication changes of what runs and is owed; answers the publication's id.

    Raises:
        Forbidden: The actor may not publish law.
        NotFound: The town has no such publication.
        Invalid: It is the town's first.
        Conflict: The same is being done already.
    """
    office = actor.must("publish")
    cause = await published(tx, publication_id)
    act = await acts.record(
        tx,
        actor,
        "law.recomputed",
        on=(SUBJECT, publication_id),
        office=office,
        changes={"publication": cause.named},
        why=why,
    )
    await ask(tx, actor, act, publication_id, office=office)
    return publication_id


async def ask(tx: "Transaction", actor: "Actor", act: Act, publication_id: UUID, *, office: str | None) -> None:
    """A worker is to do it."""
    await jobs.queue(tx, actor, act, kind=RECOMPUTE, subject=(SUBJECT, publication_id), office=office)


@jobs.step(RECOMPUTE)
async def recompute_step(tx: "Transaction", task: Task) -> Progress:
    """One batch of one phase."""
    cursor = task.cursor
    phase, after = cursor.get("phase", PHASES[0]), UUID(cursor["after"]) if cursor.get("after") else store.FIRST
    counts = {"moved": 0, "revalued": 0, "reviews": 0, **cursor.get("counts", {})}
    total = await store.sizes(tx) if task.total is None else task.total
    cause = await published(tx, task.subject_id)
    looked_at, last = await BATCHES[phase](Batch(tx, task, cause, counts), after)
    done = min(task.done + looked_at, total)
    if last is not None:
        return Progress(done, total, {"phase": phase, "after": str(last), "counts": counts})
    following = PHASES[PHASES.index(phase) + 1 :]
    if following:
        return Progress(done, total, {"phase": following[0], "counts": counts})
    return Progress(total, total, {"counts": counts}, finished=True, result={**counts, "publication": cause.named})


class Batch:
    """What a phase does with its next rows: how many it looked at, and the last of them; None: there are no more."""

    def __init__(self, tx: "Transaction", task: Task, cause: Cause, counts: dict[str, int]) -> None:
        self.tx, self.task, self.cause, self.counts = tx, task, cause, counts
        self.finder, self.most = Finder(cause, tx.today), tx.settings.recompute_batch

    async def settle(self, after: UUID) -> tuple[int, UUID | None]:
        """What was over before the law came to be known otherwise is over, and is reviewed."""
        closed = await deadlines.settle_batch(self.tx, self.tx.today, self.tx.settings.night_batch)
        return 0, store.FIRST if closed else None

    async def running(self, after: UUID) -> tuple[int, UUID | None]:
        ids = await store.ids_of_running(self.tx, after, self.most)
        await store.lock_deadlines(self.tx, ids)
        rows = await store.deadlines(self.tx, closed=False, after=after, most=self.most)
        await self._carry_out(self.finder.running(rows, await known(self.tx, rows)))
        return _looked_at(rows)

    async def closed(self, after: UUID) -> tuple[int, UUID | None]:
        rows = await store.deadlines(self.tx, closed=True, after=after, most=self.most)
        await self._carry_out(self.finder.closed(rows, await known(self.tx, rows)))
        return _looked_at(rows)

    async def fines(self, after: UUID) -> tuple[int, UUID | None]:
        await fine_rows.lock_fines(self.tx, after, self.most)
        rows = await fine_rows.fines(self.tx, after=after, most=self.most)
        await self._carry_out(self.finder.fines(rows, await told(self.tx, rows, self.finder.bearing)))
        return _looked_at(rows)

    async def fees(self, after: UUID) -> tuple[int, UUID | None]:
        rows = await store.fees(self.tx, after=after, most=self.most)
        await self._carry_out(self.finder.fees(rows, await kept(self.tx, rows, self.finder.bearing)))
        return _looked_at(rows)

    async def _carry_out(self, found: Found) -> None:
        self.counts["moved"] += len(found.moved)
        self.counts["revalued"] += len(found.revalued)
        if found.moved:
            await self._move(found.moved)
        if found.revalued:
            await self._revalue(found.revalued)
        if found.reviews:
            made = await store.add_reviews(self.tx, self.task.subject_id, self.task.requested_act, found.reviews)
            self.counts["reviews"] += made

    async def _move(self, moved: list[Moved]) -> None:
        """What follows the end of a term has days of its own, which move with it; so has what is valid until then."""
        entries = [
            acts.Entry(
                subject_id=each.row.id,
                legal_day=self.tx.today,
                subject_kind="deadline",
                decision=plainly(each.count),
                changes={
                    "kind": each.row.kind,
                    "of": {"kind": each.row.subject_kind, "id": each.row.subject_id},
                    "was": each.row.last_day,
                    "lastDay": each.count.last_day,
                    "publication": self.cause.named,
                },
            )
            for each in moved
        ]
        made = await acts.record_each(self.tx, self._actor, "deadline.recomputed", entries, office=self.task.office)
        await store.move(self.tx, [self._change(each, made[each.row.id]) for each in moved])
        valid = [
            (each.row.subject_id, each.row.last_day + DAY, each.count.last_day + DAY)
            for each in moved
            if each.count.term is not None and each.count.term.validity and each.row.subject_kind in VALID
        ]
        if valid:
            await store.stretch(self.tx, valid)
        await follow(self.tx, moved)

    def _change(self, moved: Moved, act_id: UUID) -> store.Move:
        row, count = moved.row, moved.count
        note = {
            "act": act_id,
            "on": self.tx.today,
            "was": row.last_day,
            "last_day": count.last_day,
            "message": count.decision.message,
            "publication": self.cause.named,
        }
        counted = count.once("counted", lambda: None if count.counted is None else store.written(plain(count.counted)))
        follows = count.once("follows", lambda: _follows(count))
        return store.Move(row.id, count.last_day, counted, follows, note)

    async def _revalue(self, revalued: Sequence[Revalued]) -> None:
        entries = [
            acts.Entry(
                subject_id=each.row.id,
                legal_day=self.tx.today,
                subject_kind="fine",
                decision=each.decision,
                changes={
                    **owed(each.money),
                    "was": owed(each.row),
                    "rateOn": each.money.rate_on,
                    "publication": self.cause.named,
                },
            )
            for each in revalued
        ]
        await acts.record_each(self.tx, self._actor, "fine.recomputed", entries, office=self.task.office)
        await come_to(self.tx, revalued)

    @property
    def _actor(self) -> "Actor":
        return self.task.actor(self.tx.tenant_id)


def _follows(count: Count) -> str | None:
    """What is to follow from now on, where a count says it."""
    if count.follows is not None:
        return store.written(list(count.follows))
    if count.term is None:
        return None
    return store.written(list(follows_of(Running(count.term, count.decision, count.last_day))))


def _looked_at(rows: Any) -> tuple[int, UUID | None]:
    return len(rows), rows[-1].id if rows else None


BATCHES: Mapping[str, Callable[[Batch, UUID], Awaitable[tuple[int, UUID | None]]]] = {
    "settle": Batch.settle,
    "running": Batch.running,
    "closed": Batch.closed,
    "fines": Batch.fines,
    "fees": Batch.fees,
}
