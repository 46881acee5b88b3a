"""What a recomputation would do (prévia da recontagem): nothing is written."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.database import Reader
from services.errors import Invalid
from services.municipalities.publishing import PackInvalid, check_text
from services.recomputing import store
from services.recomputing.causes import Cause, drafted, published
from services.recomputing.counting import plainly
from services.recomputing.fees import kept
from services.recomputing.finding import Finder, Found
from services.recomputing.fines import store as fine_rows
from services.recomputing.fines.telling import told
from services.recomputing.known.knowing import known
from tenants.law.book import Book
from tenants.law.pack import RawItem


@dataclass(frozen=True, slots=True)
class Draft:
    """An amendment that nobody has published yet."""

    text: str
    norm: str
    official_on: date


@dataclass(frozen=True, slots=True)
class Change:
    """``what``: term (it moves), amount (it is owed otherwise), or review, and then what was found."""

    what: str
    subject_kind: str
    subject_id: UUID
    shown: str
    before: str
    after: str
    finding: str | None
    decision: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preview:
    cause: Cause
    looked_at: int
    changes: tuple[Change, ...]

    def count(self, what: str) -> int:
        return sum(change.what == what for change in self.changes)


async def preview_recomputation(
    tx: Reader, actor: Actor, *, publication_id: UUID | None = None, draft: Draft | None = None
) -> Preview:
    """Everything that `recompute` would change or list, and nothing else; of a draft, once it were published.

    Raises:
        Forbidden: The actor may not publish law.
        Invalid: Neither a publication nor a draft is given, or both are.
        PackInvalid: The draft is refused.
    """
    actor.must("publish")
    cause = await _cause(tx, publication_id, draft)
    finder, looked_at, changes = Finder(cause, tx.today), 0, list[Change]()
    for read, find in _phases(tx, finder):
        after = store.FIRST
        while rows := await read(after):
            changes += _changes(await find(rows))
            looked_at, after = looked_at + len(rows), rows[-1].id
    return Preview(cause, looked_at, tuple(changes))


async def _cause(tx: Reader, publication_id: UUID | None, draft: Draft | None) -> Cause:
    if publication_id is not None and draft is None:
        return await published(tx, publication_id)
    if draft is None or publication_id is not None:
        raise Invalid("cause", "one", "Diga uma publicação, ou um texto ainda por publicar.")
    text = draft.text

    def read(book: Book) -> tuple[RawItem, ...]:
        checked = check_text(text, base=book)
        if checked.refused:
            raise PackInvalid(checked.problems)
        return checked.raws

    return await drafted(tx, read, norm=draft.norm, official_on=draft.official_on)


Rows = Sequence[Row[Any]]
Phase = tuple[Callable[[UUID], Awaitable[Rows]], Callable[[Rows], Awaitable[Found]]]


def _phases(tx: Reader, finder: Finder) -> Iterator[Phase]:
    most = tx.settings.recompute_batch

    async def running(after: UUID) -> Rows:
        return await store.deadlines(tx, closed=False, after=after, most=most)

    async def closed(after: UUID) -> Rows:
        return await store.deadlines(tx, closed=True, after=after, most=most)

    async def fines(after: UUID) -> Rows:
        return await fine_rows.fines(tx, after=after, most=most)

    async def fees(after: UUID) -> Rows:
        return await store.fees(tx, after=after, most=most)

    async def moving(rows: Rows) -> Found:
        return finder.running(rows, await known(tx, rows))

    async def over(rows: Rows) -> Found:
        return finder.closed(rows, await known(tx, rows))

    async def fined(rows: Rows) -> Found:
        return finder.fines(rows, await told(tx, rows, finder.bearing))

    async def charged(rows: Rows) -> Found:
        return finder.fees(rows, await kept(tx, rows, finder.bearing))

    yield running, moving
    yield closed, over
    yield fines, fined
    yield fees, charged


def _changes(found: Found) -> Iterator[Change]:
    for moved in found.moved:
        days = (moved.row.last_day.isoformat(), moved.count.last_day.isoformat())
        yield Change("term", "deadline", moved.row.id, moved.row.kind, *days, None, plainly(moved.count))
    for new in found.revalued:
        sums = (f"{new.row.brl:.2f}", f"{new.money.brl:.2f}")
        yield Change("amount", "fine", new.row.id, new.row.infraction, *sums, None, new.decision.plain())
    for review in found.reviews:
        before, after = _shown(review.before), _shown(review.after)
        yield Change("review", *review.subject, "", before, after, review.finding, review.decision)


def _shown(said: dict[str, Any]) -> str:
    """The day or the sum of what is to be reviewed, or what the law draws."""
    return str(next(said[name] for name in ("lastDay", "drawn", "brl") if said.get(name) is not None))
