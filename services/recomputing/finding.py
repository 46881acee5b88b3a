"""What a publication changes, batch by batch: terms that move, fines that come to something else, what to review."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.recomputing.amounts import Revalued, Valuer
from services.recomputing.causes import Cause
from services.recomputing.counting import Counter, Moved, plainly
from services.recomputing.known.knowing import Known
from services.recomputing.known.particular import Particular
from services.recomputing.store import NewReview
from tenants.law.decision import plain

EXPIRED, MET_LATE, WOULD_BE_OVER = "expired", "met_late", "would_be_over"
PAID, INDEBTED, FEE, UNEXPLAINED = "paid", "in_active_debt", "fee", "amount_of_its_own"


@dataclass(slots=True)
class Found:
    """Of one batch. ``moved`` and ``revalued`` may be carried out, ``reviews`` are an office's to look at."""

    moved: list[Moved] = field(default_factory=list)
    revalued: list[Revalued] = field(default_factory=list)
    reviews: list[NewReview] = field(default_factory=list)


@dataclass(slots=True)
class Finder:
    """Looks at rows for one cause; what it has counted once it does not count again."""

    cause: Cause
    today: date
    counter: Counter = field(init=False)
    valuer: Valuer = field(init=False)
    particular: Particular = field(init=False)

    def __post_init__(self) -> None:
        self.counter, self.valuer, self.particular = Counter(self.cause), Valuer(self.cause), Particular(self.cause)

    def _moved(self, rows: Sequence[Row[Any]], known: Mapping[UUID, Known]) -> Iterator[Moved]:
        """``known``: what some of them rest on beside their rows."""
        for row in rows:
            found = known.get(row.id)
            by_facts = found is not None and self.particular.counts(row, found)
            moved = self.particular.moved(row, found) if found and by_facts else self.counter.moved(row)
            if moved is not None:
                yield moved

    def running(self, rows: Sequence[Row[Any]], known: Mapping[UUID, Known]) -> Found:
        """Terms in course move; one that would be over by now is not ended by a correction, it is looked at."""
        found = Found()
        for moved in self._moved(rows, known):
            if moved.count.last_day < self.today:
                found.reviews.append(_term_to_review(moved, WOULD_BE_OVER))
            else:
                found.moved.append(moved)
        return found

    def closed(self, rows: Sequence[Row[Any]], known: Mapping[UUID, Known]) -> Found:
        """Terms that are over, on another day than the right one; or were met in time, and would not have been."""
        found = Found()
        for moved in self._moved(rows, known):
            row, last = moved.row, moved.count.last_day
            if row.state != "met":
                found.reviews.append(_term_to_review(moved, EXPIRED))
            elif last < row.closed_on <= row.last_day:
                found.reviews.append(_term_to_review(moved, MET_LATE))
        return found

    def fines(self, rows: Sequence[Row[Any]]) -> Found:
        """Whatever nobody has paid anything of comes to the new amount."""
        found = Found()
        for row in rows:
            new = self.valuer.revalued(row, row.seen_on, row.rate_on)
            if new is None:
                continue
            finding = PAID if row.paid > 0 else INDEBTED if row.indebted else None if new.explained else UNEXPLAINED
            if finding is None:
                found.revalued.append(new)
            else:
                found.reviews.append(_amount_to_review(new, "fine", finding))
        return found

    def fees(self, rows: Sequence[Row[Any]]) -> Found:
        """The register does not know whether a fee was paid: an office does."""
        found = Found()
        for row in rows:
            new = self.valuer.revalued(row, row.charged_on, row.charged_on)
            if new is not None:
                found.reviews.append(_amount_to_review(new, row.kind, FEE))
        return found


def _term_to_review(moved: Moved, finding: str) -> NewReview:
    row = moved.row
    before: Mapping[str, Any] = {"lastDay": row.last_day, "state": row.state, "closedOn": row.closed_on}
    subject: tuple[str, UUID] = ("deadline", row.id)
    return NewReview(subject, finding, before, {"lastDay": moved.count.last_day}, plainly(moved.count))


def _amount_to_review(new: Revalued, kind: str, finding: str) -> NewReview:
    before = {"rate": new.row.rate, "brl": new.row.brl}
    after = {"rate": new.money.rate, "brl": new.money.brl}
    return NewReview((kind, new.row.id), finding, plain(before), plain(after), new.decision.plain())
