"""A planner for some rows: the register that they name, the laws of the days from which something was valid."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from services.database import Transaction
from services.errors import NoLawInForce
from services.importing import known
from services.importing.cleaning import Record
from services.importing.planning import Planner
from services.importing.register import store as register
from services.importing.validity import Validity
from services.importing.writes import Writes
from services.stands import store as stands
from tenants.law.kinds.stands import Stand
from tenants.law.law import Law

IDS_A_ROW = 8  # law-free: a row adds no more rows than this to the register


async def planner_for(
    tx: Transaction, law: Law, records: Sequence[Record], columns: Sequence[Mapping[str, Any]]
) -> Planner:
    taken = await stands.taken(tx, tx.today)
    return Planner(
        law=law,
        today=tx.today,
        known=await known.load(tx, records, tx.today),
        validity=Validity(law, await _laws(tx, records)),
        writes=Writes((await register.new_ids(tx, len(records) * IDS_A_ROW))[::-1]),  # taken from the end
        expects_permits=any(column["field"] == "permit_number" for column in columns),
        room={each.code: each.slots - taken.get(each.code, 0) for _, each in law.all(Stand) if each.slots},
    )


async def _laws(tx: Transaction, records: Sequence[Record]) -> dict[date, Law]:
    """Of the days from which something is valid whose end the file does not say."""
    days = set()
    for record in records:
        for since, until in (("granted_on", "permit_until"), ("licence_on", "licence_until")):
            if since in record and until not in record:
                days.add(date.fromisoformat(record[since]))
    found = {}
    for day in sorted(days):
        try:
            found[day] = await tx.law(on=day)
        except NoLawInForce:
            continue
    return found
