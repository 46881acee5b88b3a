"""The standing of norms (vigência): from when each binds, and whether it or the device cited binds on a day."""

from datetime import date
from typing import TYPE_CHECKING

from tenants.law.citation import Citation
from tenants.law.decision import Missing
from tenants.law.rule import Item

if TYPE_CHECKING:
    from tenants.law.law import Law

_NOT_BINDING = frozenset({"bill", "suspended", "revoked", "void"})


def start(law: "Law", item: Item) -> tuple[date | None, Missing | None]:
    """An item without a day of its own begins with the norm of its first article."""
    norm = law.norms.get(item.cite[0].norm) if item.cite else None
    starts = [s.from_ for s in norm.status if s.is_ == "in_force"] if norm else []
    return _day(law, starts[0]) if starts else (None, None)


def binds(law: "Law", citation: Citation, *, reaches_back: bool) -> tuple[bool, Missing | None]:
    """Neither a bill nor suspended, revoked or void on the day, as a whole or in the device cited.

    The status that began last counts. One whose day is not known binds as if it were absent, and is a doubt.

    Args:
        reaches_back: The rule names its own first day, which may lie before its norm's: a law with effects backdated.
    """
    norm = law.norms.get(citation.norm)
    status = [s for s in norm.status if s.concerns(citation.device)] if norm else []
    holding: list[tuple[date, str]] = []
    doubt: Missing | None = None
    for each in status:
        (since, no_start), (until, no_end) = _day(law, each.from_), _day(law, each.until)
        if each.is_ in _NOT_BINDING and (no_start or no_end):
            doubt = no_start or no_end
        elif (since or date.min) <= law.on <= (until or date.max):
            holding.append((since or date.min, each.is_))
    if not holding:
        return not status or (reaches_back and any(each.is_ == "in_force" for each in status)), doubt
    return max(reversed(holding), key=lambda pair: pair[0])[1] not in _NOT_BINDING, doubt


def first_day(law: "Law") -> date | None:
    """The first day of the town's own first norm; None while a parameter that says so is missing.

    A federal or state norm that its pack cites is older than the town's law, and is none of its own.
    """
    own = (n for label, n in law.norms.items() if label in law.book.own_norms and n.level == "municipal")
    starts = [_day(law, s.from_)[0] for norm in own for s in norm.status if s.is_ == "in_force"]
    known = [day for day in starts if day is not None]
    return min(known) if known and len(known) == len(starts) else None


def _day(law: "Law", raw: date | dict[str, str] | None) -> tuple[date | None, Missing | None]:
    if isinstance(raw, dict):
        found = law.param(raw["param"])
        return (None, found) if isinstance(found, Missing) else (found if isinstance(found, date) else None, None)
    return raw, None
