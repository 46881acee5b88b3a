"""What some rows bring is written: their acts, their rows, the terms that run. Nobody is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from services import acts, deadlines, numbers, terms
from services.access import Actor
from services.acts import Entry
from services.database import Transaction
from services.deadlines import NewDeadline
from services.importing.register import store
from services.importing.validity import Validity
from services.importing.writes import TABLES, Writes
from services.notices.reminders import Reminder, reminders
from services.registry import identity

CAUSE = "import"
SERIES = ("permit", "licence")  # whose numbers are taken from a counter of the town
NAMED = ("cpf", "cnpj", "plate", "number", "kind", "category", "since", "until")  # what an act says of a new row
UNSAID = ("id", "row")


async def write(
    tx: Transaction, actor: Actor, office: str | None, import_id: UUID, writes: Writes, validity: Validity
) -> None:
    """In as many statements for a thousand rows as for one."""
    await _number(tx, writes)
    _mark_for_review(writes)
    made = {table: await _acts(tx, actor, office, import_id, table, writes) for table in TABLES}
    for table in TABLES:
        rows = [{"act_id": made[table].get(row["id"]), **row} for row in writes.new[table].values()]
        await store.add(tx, table, rows)
        await store.fill(tx, table, list(writes.filled[table].values()))
    placed = await _placing_acts(tx, actor, office, import_id, writes, made["permit"])
    for what, rows in (("serving", writes.serving), ("standing", writes.standing)):
        await store.add(tx, what, [{**row, "act_id": placed[row["permit_id"]]} for row in rows])
    await _run_terms(tx, import_id, writes, validity, made)
    for series in SERIES:
        if highest := _highest(writes.new[series].values()):
            await store.beyond(tx, series, highest)


async def _number(tx: Transaction, writes: Writes) -> None:
    """A licence whose number the town does not say takes the next."""
    bare = [row for row in writes.new["licence"].values() if row["number"] is None]
    if bare:
        for row, number in zip(bare, await numbers.take_each(tx, "licence", len(bare)), strict=True):
            row["number"] = number


def _mark_for_review(writes: Writes) -> None:
    for row in writes.touched("driver"):
        row["review"] = identity.cnh(row["cnh_number"])[1] if row.get("cnh_number") else []


async def _acts(
    tx: Transaction, actor: Actor, office: str | None, import_id: UUID, table: str, writes: Writes
) -> dict[UUID, UUID]:
    """One for each row that is new or filled in."""
    about = {"cause": CAUSE, "import": import_id}
    entries = [
        Entry(
            subject_id=row["id"],
            legal_day=row.get("since") or tx.today,
            subject_kind=table,
            changes={**about, "row": row["row"], **{name: row[name] for name in NAMED if row.get(name) is not None}},
        )
        for row in writes.new[table].values()
    ]
    for row in writes.filled[table].values():
        filled = {name: value for name, value in row.items() if name not in UNSAID}
        entries.append(Entry(row["id"], tx.today, table, changes={**about, "row": row["row"], **filled}))
    return await acts.record_each(tx, actor, f"{table}.imported", entries, office=office)


async def _placing_acts(
    tx: Transaction, actor: Actor, office: str | None, import_id: UUID, writes: Writes, granted: Mapping[UUID, UUID]
) -> Mapping[UUID, UUID]:
    """The act of each permit that gets a vehicle or a stand: its own, where it is new."""
    others = {row["permit_id"]: row["row"] for row in (*writes.serving, *writes.standing)}
    entries = [
        Entry(permit_id, tx.today, "permit", changes={"cause": CAUSE, "import": import_id, "row": row})
        for permit_id, row in others.items()
        if permit_id not in granted
    ]
    return {**granted, **await acts.record_each(tx, actor, "permit.imported", entries, office=office)}


# --- terms -------------------------------------------------------------------------------------------------------


async def _run_terms(
    tx: Transaction, import_id: UUID, writes: Writes, validity: Validity, made: Mapping[str, Mapping[UUID, UUID]]
) -> None:
    """The terms of all that is valid until a day. Those that are over already are recorded so, and tell nobody."""
    leads = list(reminders(validity.law))
    new = []
    for of, subject_id, since, last, category in _valid(tx.today, writes):
        for opened in validity.running(of, category, since, last):
            own = replace(
                opened,
                subject_id=subject_id,
                opened_act=made[of][subject_id],
                opened_on=min(since, last),
                inputs={**opened.inputs, "on": since.isoformat()},
            )
            new += [_told(each, import_id, tx.today, leads) for each in _with_later(own, tx.today)]
    if new:
        await store.over_already(tx, await deadlines.open_each(tx, new), tx.today)


def _valid(today: date, writes: Writes) -> Iterator[tuple[str, UUID, date, date, str]]:
    """Of what, whose, from when, until when, in which category."""
    for of in ("permit", "licence"):
        for row in writes.new[of].values():
            if row["until"] is not None:
                yield of, row["id"], row["since"], row["until"] - terms.DAY, row["category"]
    for row in writes.touched("driver"):
        if row.get("cnh_until"):
            yield "driver", row["id"], today, date.fromisoformat(row["cnh_until"]), ""


def _with_later(opened: NewDeadline, today: date) -> Iterator[NewDeadline]:
    """The term; and where it is over already, the later ones that its end has opened."""
    yield opened
    if opened.last_day >= today:
        return
    for follow in opened.follows:
        if follow["do"] == "open":
            said = follow["deadline"]
            yield replace(
                opened,
                kind=said["kind"],
                rule=said["rule"],
                opened_on=opened.last_day,
                last_day=date.fromisoformat(said["last_day"]),
                article=said["article"],
                inputs=said["inputs"],
                counted={},
                follows=said["follows"],
            )


def _told(new: NewDeadline, import_id: UUID, today: date, leads: Sequence[Reminder]) -> NewDeadline:
    """Marked as imported, with the reminders whose day was over by then: they count as told."""
    past = [each.lead for each in leads if each.rule in (new.rule, new.kind) and new.last_day <= each.latest]
    inputs = {**new.inputs, "cause": CAUSE, "import": str(import_id), "imported_on": today.isoformat(), "told": past}
    return replace(new, inputs=inputs)


def _highest(rows: Iterator[dict[str, Any]] | Any) -> dict[int, int]:
    """Of numbers as the house writes them (0012/2026), the highest of each year."""
    found: dict[int, int] = {}
    for row in rows:
        value, _, year = str(row["number"]).partition("/")
        if value.isdecimal() and year.isdecimal() and len(year) == len("2026"):
            found[int(year)] = max(found.get(int(year), 0), int(value))
    return found
