"""What a publication changes, batch by batch: terms that move, fines that come to something else, what to review."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.recomputing.amounts import Otherwise, Revalued, Valuer
from services.recomputing.bearing import Bearing
from services.recomputing.causes import Cause
from services.recomputing.counting import Counter, Moved, plainly
from services.recomputing.fees import Charger, Kept
from services.recomputing.fines.drawing import Redrawer, Told, in_units
from services.recomputing.known.knowing import Known
from services.recomputing.known.particular import Particular
from services.recomputing.store import NewReview
from tenants.law.decision import plain
from tenants.law.money import Money

EXPIRED, MET_LATE, WOULD_BE_OVER = "expired", "met_late", "would_be_over"
PAID, INDEBTED, FEE, UNEXPLAINED = "paid", "in_active_debt", "fee", "amount_of_its_own"
OTHERWISE = "drawn_otherwise"


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
    bearing: Bearing = field(init=False)
    redrawer: Redrawer = field(init=False)
    charger: Charger = field(init=False)

    def __post_init__(self) -> None:
        self.counter, self.valuer, self.particular = Counter(self.cause), Valuer(self.cause), Particular(self.cause)
        self.bearing, self.redrawer = Bearing(self.cause), Redrawer(self.cause, self.valuer)
        self.charger = Charger(self.cause)

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

    def fines(self, rows: Sequence[Row[Any]], told: Mapping[UUID, Told]) -> Found:
        """Whatever nobody has paid anything of comes to the new amount; what is drawn otherwise is looked at.

        ``told``: what is kept of the facts of those on whose drawing the publication may bear.
        """
        found = Found()
        for row in rows:
            new = self._owed(row, told.get(row.id))
            if isinstance(new, Otherwise):
                found.reviews.append(_otherwise_to_review(new, "fine", OTHERWISE))
            elif new is not None:
                finding = _left(new)
                if finding is None:
                    found.revalued.append(new)
                else:
                    found.reviews.append(_amount_to_review(new, "fine", finding))
        return found

    def _owed(self, row: Row[Any], told: Told | None) -> Revalued | Otherwise | None:
        drawn = self.redrawer.redrawn(row, told) if told is not None else None
        if drawn is None and in_units(row):
            return self.valuer.revalued(row, row.seen_on, row.rate_on)
        return drawn

    def fees(self, rows: Sequence[Row[Any]], kept: Mapping[UUID, Kept]) -> Found:
        """The register does not know whether a fee was paid: an office does.

        ``kept``: the facts of those on which the publication may bear.
        """
        found = Found()
        for row in rows:
            new = self.charger.charged(row, kept[row.id]) if row.id in kept else None
            if new is None and in_units(row):
                new = self.valuer.revalued(row, row.charged_on, row.charged_on)
            if isinstance(new, Otherwise):
                found.reviews.append(_otherwise_to_review(new, row.kind, FEE))
            elif new is not None:
                found.reviews.append(_amount_to_review(new, row.kind, FEE))
        return found


def _term_to_review(moved: Moved, finding: str) -> NewReview:
    row = moved.row
    before: Mapping[str, Any] = {"lastDay": row.last_day, "state": row.state, "closedOn": row.closed_on}
    subject: tuple[str, UUID] = ("deadline", row.id)
    return NewReview(subject, finding, before, {"lastDay": moved.count.last_day}, plainly(moved.count))


def _left(new: Revalued) -> str | None:
    """Why a fine stays as it is; None: nothing stands in the way."""
    row = new.row
    return PAID if row.paid > 0 else INDEBTED if row.indebted else None if new.explained else UNEXPLAINED


def _amount_to_review(new: Revalued, kind: str, finding: str) -> NewReview:
    before, after = owed(new.row), owed(new.money)
    return NewReview((kind, new.row.id), finding, plain(before), plain(after), new.decision.plain())


def owed(amount: Row[Any] | Money) -> dict[str, Any]:
    """An amount, as it is or as it would be."""
    return {"units": amount.units, "unit": amount.unit, "rate": amount.rate, "brl": amount.brl}


def _otherwise_to_review(new: Otherwise, kind: str, finding: str) -> NewReview:
    before = {**owed(new.row), "drawn": new.was}
    after = {"drawn": new.decision.message, "outcome": new.decision.outcome}
    return NewReview((kind, new.row.id), finding, plain(before), plain(after), new.decision.plain())
