"""What an amendment would change in the live register: who would fall out of, or into, compliance."""

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.database import Reader
from services.municipalities import store
from services.municipalities.publishing import PackInvalid, check_text
from services.permits import store as permits
from services.permits.eligibility import Case, Pairing, cases_of
from tenants.law.book import Book, Published
from tenants.law.decision import Decision, Outcome
from tenants.law.law import Law
from tenants.law.pack import Problem

BATCH = 500  # law-free: permits looked at together
OCCASIONS = ("stay", "renewal")  # what a permit in force must meet: every day, and at its next licence
FIRST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Changed:
    """A permit whose answer would be another."""

    permit_id: UUID
    number: str
    plate: str
    before: Decision
    after: Decision

    @property
    def falls_out(self) -> bool:
        return self.after.outcome is Outcome.DENIED

    @property
    def falls_in(self) -> bool:
        return self.before.outcome is Outcome.DENIED


@dataclass(frozen=True, slots=True)
class Preview:
    """What publishing would do: nothing has been written."""

    on: date
    looked_at: int
    changed: tuple[Changed, ...]
    warnings: tuple[Problem, ...]


async def preview_amendment(tx: Reader, actor: Actor, *, text: str, norm: str, official_on: date, on: date) -> Preview:
    """Answer every permit in force on ``on`` under the law as it is and as the amendment would make it.

    Raises:
        PackInvalid: The amendment is refused.
    """
    actor.must("publish")
    now = await tx.law(on=on)
    checked = check_text(text, base=now.book)
    if checked.refused:
        raise PackInvalid(checked.problems)
    head = await store.head(tx)
    seq = head.seq + 1 if head else 1
    drafted = [Published(seq, official_on, norm, raw) for raw in checked.raws]
    history = await store.published(tx, head.id) if head else []
    then = Book.of([*history, *drafted]).on(on)
    looked_at, changed = 0, []
    async for rows, cases in _batches(tx, now):
        looked_at += len(cases)
        changed += list(_differences(now, then, rows, cases))
    return Preview(on, looked_at, tuple(changed), tuple(p for p in checked.problems if p.severity == "warning"))


async def _batches(tx: Reader, law: Law) -> AsyncIterator[tuple[list[Row[Any]], list[Case]]]:
    after = FIRST
    while rows := await permits.in_force(tx, law.on, after=after, most=BATCH):
        yield (
            rows,
            await cases_of(tx, law, [Pairing(r.category, r.holder_id, r.vehicle_id, r.granted_on) for r in rows]),
        )
        after = rows[-1].id


def _differences(now: Law, then: Law, rows: Iterable[Row[Any]], cases: Iterable[Case]) -> Iterator[Changed]:
    """Each permit once, on the first occasion on which its answer would be another."""
    for row, case in zip(rows, cases, strict=True):
        answers = ((case.eligible(now, at), case.eligible(then, at)) for at in OCCASIONS)
        different = next(((before, after) for before, after in answers if before.outcome is not after.outcome), None)
        if different:
            yield Changed(row.id, row.number, row.plate, *different)
