"""What a town's nights need of its law, derived for many days at once: a night then reads no law at all."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from services.nights import store
from services.notices.offices import offices
from services.notices.reminders import Reminder, reminders

if TYPE_CHECKING:
    from services.database import Transaction
    from tenants.law.law import Law

DAY = timedelta(days=1)
WORKING = "working"  # lengths that a calendar counts


@dataclass(frozen=True, slots=True)
class NightLaw:
    """What holds from a first to a last day, in the words of the table `night_law`."""

    first_day: date
    last_day: date
    reminders: list[dict[str, Any]]
    offices: dict[str, Any]


async def night_law(tx: "Transaction", day: date) -> NightLaw:
    """As it was derived, or derived anew where something has been published since, or the days derived are over.

    Raises:
        NoLawInForce: The town has published nothing.
    """
    found = await store.night_law(tx, day)
    if found is not None:
        return NightLaw(found.first_day, found.last_day, found.reminders, found.offices)
    law = await tx.law(on=day)
    least = tx.settings.night_law_days
    share = tx.tenant_id.int % least  # more for some, so that they are not all derived anew in one night
    derived = await asyncio.to_thread(lambda: list(stretches(law, least + share)))
    await store.keep_night_law(tx, derived)
    return derived[0]


def stretches(law: "Law", days: int) -> Iterator[NightLaw]:
    """The law of so many days from its own on, cut where anything in it changes."""
    start, known = law.on, told(law)
    for passed in range(1, days):
        day = law.on + passed * DAY
        on_day = told(law.at(day))
        if on_day != known:
            yield NightLaw(start, day - DAY, *known)
            start, known = day, on_day
    yield NightLaw(start, law.on + (days - 1) * DAY, *known)


def told(law: "Law") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    found = list(reminders(law))
    nearer = [after for _, after in pairwise([*found, None])]  # those of one notice: the longest lead first
    return [entry(law.on, each, next_) for each, next_ in zip(found, nearer, strict=True)], offices(law)


def entry(day: date, reminder: Reminder, nearer: Reminder | None) -> dict[str, Any]:
    """A reminder whose days are told by their distance, which stays the same while the days pass."""
    smallest = reminder.first == day or nearer is None
    return {
        "rule": reminder.rule,
        "lead": reminder.lead,
        "mark": reminder.mark,
        "receiver": reminder.to,
        "template": reminder.template,
        "reach": reach(day, reminder),
        "after": None if smallest or nearer is None else reach(day, nearer),
    }


def reach(day: date, reminder: Reminder) -> str:
    """As the database counts it: of months and years the day of the same number, or the last of its month."""
    return f"{(reminder.latest - day).days} days" if WORKING in reminder.lead else reminder.lead
