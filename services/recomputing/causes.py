"""Why anything is counted again: a publication, or one that is only drafted; the law with it, and without it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from services.database import Reader
from services.errors import Invalid
from services.municipalities import store as publications
from services.recomputing import store
from tenants.law.book import Book, Published
from tenants.law.law import Law
from tenants.law.pack import RawItem


@dataclass(frozen=True, slots=True)
class Days:
    """The law of each day by one book, made once for each."""

    book: Book
    made: dict[date, Law] = field(default_factory=dict)

    def on(self, day: date) -> Law:
        if day not in self.made:
            self.made[day] = self.book.on(day)
        return self.made[day]


@dataclass(frozen=True, slots=True)
class Cause:
    """What was published, as it is named in every act; ``now``: the law with it, ``then``: as if it had not been."""

    publication_id: UUID | None
    seq: int
    norm: str
    now: Days
    then: Days
    history: Sequence[Published] = ()
    known: dict[int, Days] = field(default_factory=dict)

    @property
    def items(self) -> list[tuple[str, str]]:
        """What it publishes, by kind and code."""
        book = self.now.book
        own = ((kind, code) for kind in book.kinds() for code in book.codes(kind))
        return [each for each in own if any(v.seq == self.seq and not v.pack for v in book.versions(*each))]

    def known_at(self, seq: int) -> Days:
        """The law as the publications up to one had it."""
        if seq not in self.known:
            self.known[seq] = Days(Book.of([each for each in self.history if each.seq <= seq]))
        return self.known[seq]

    @property
    def named(self) -> dict[str, str | int]:
        return {"seq": self.seq, "norm": self.norm}


async def published(tx: Reader, publication_id: UUID) -> Cause:
    """A publication as the cause.

    Raises:
        NotFound: The town has no such publication.
        Invalid: It is the first, before which there was no law.
    """
    row = await store.publication(tx, publication_id)
    if row.seq == 1:
        raise Invalid("publicationId", "first", "A primeira publicação não altera nada: antes dela não havia lei.")
    history = await _history(tx)
    then = Book.of([each for each in history if each.seq != row.seq])
    now = (await tx.law(on=tx.today)).book
    return Cause(publication_id, row.seq, row.norm, Days(now), Days(then), history)


Read = Callable[[Book], tuple[RawItem, ...]]


async def drafted(tx: Reader, read: Read, *, norm: str, official_on: date) -> Cause:
    """An amendment as if it were published; ``read`` reads its text against the law as it is, or refuses it."""
    then = (await tx.law(on=tx.today)).book
    head = await publications.head(tx)
    seq = head.seq + 1 if head else 1
    raws = read(then)
    history = await _history(tx)
    now = Book.of([*history, *(Published(seq, official_on, norm, raw) for raw in raws)])
    return Cause(None, seq, norm, Days(now), Days(then), history)


async def _history(tx: Reader) -> list[Published]:
    head = await publications.head(tx)
    return await publications.published(tx, head.id) if head else []
