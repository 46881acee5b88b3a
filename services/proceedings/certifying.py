"""How a deadline was counted (certidão de prazo): day by day, each with why it counts or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from services.database import Reader
from services.deadlines import store as deadlines
from services.errors import NotFound


@dataclass(frozen=True, slots=True)
class CertifiedDay:
    day: date
    counted: bool
    why: str


@dataclass(frozen=True, slots=True)
class Recount:
    """It was counted again on a day, since ``norm`` was published."""

    on: date
    was: date
    last_day: date
    norm: str
    message: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """``days``: none for a term that is a day of the calendar, which nobody counts. ``rules``, ``readings``: used."""

    deadline: Any
    days: Sequence[CertifiedDay]
    rolled_from: date | None
    rules: Sequence[Any]
    readings: Sequence[Any]
    message: str
    recounts: Sequence[Recount] = ()


async def certificate(tx: Reader, deadline_id: UUID) -> Certificate:
    """Raises NotFound, also for another town's deadline."""
    found = await deadlines.by_id(tx, deadline_id)
    if found is None:
        raise NotFound("deadline", deadline_id)
    counted = found.counted.get("days") or {}
    days = [
        CertifiedDay(date.fromisoformat(each["day"]), each["counted"], each["why"]) for each in counted.get("days", ())
    ]
    rolled = counted.get("rolled_from")
    again = [_recount(note) for note in found.inputs.get("recounted", ()) if "publication" in note]
    said = again[-1].message if again else found.inputs.get("message")
    return Certificate(
        deadline=found,
        days=days,
        rolled_from=date.fromisoformat(rolled) if rolled else None,
        rules=found.inputs.get("rule", ()),
        readings=found.inputs.get("readings", ()),
        message=said or f"Prazo {found.rule}, até {found.last_day:%d/%m/%Y}.",
        recounts=again,
    )


def _recount(note: Mapping[str, Any]) -> Recount:
    return Recount(
        on=date.fromisoformat(note["on"]),
        was=date.fromisoformat(note["was"]),
        last_day=date.fromisoformat(note["last_day"]),
        norm=note["publication"]["norm"],
        message=note["message"],
    )


async def case_of(tx: Reader, deadline_id: UUID) -> UUID | None:
    """The case whose deadline it is; None: it is of something else, or there is none."""
    found = await deadlines.by_id(tx, deadline_id)
    return found.subject_id if found is not None and found.subject_kind == "case" else None
