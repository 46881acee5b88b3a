"""Fees asked for again: by the law with a publication, and as if it had not been; an office looks at the difference."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.recomputing import store
from services.recomputing.amounts import Otherwise, Revalued
from services.recomputing.bearing import Bearing
from services.recomputing.causes import Cause, Days
from services.registry.attributes import stored
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.terms import Fee
from tenants.law.law import Law
from tenants.law.quantity import Amount
from tenants.law.questions import FeeAnswer, FeeQuestion

if TYPE_CHECKING:
    from services.transactions import Reader

LICENCE = "licence"
Kept = Mapping[str, Any]


async def kept(tx: "Reader", rows: Sequence[Row[Any]], bearing: Bearing) -> dict[UUID, Kept]:
    """The facts that are kept of those fees on which the publication may bear: one statement, or none."""
    asked = [row.id for row in rows if bearing.on_fee(row.kind, row.charged_on)]
    return {row.id: row.facts for row in await store.facts_of_fees(tx, asked)} if asked else {}


@dataclass(slots=True)
class Charger:
    """Asks again for one cause; fees that are alike are asked for once."""

    cause: Cause
    known: dict[Hashable, Decision] = field(default_factory=dict)

    def charged(self, row: Row[Any], known: Kept) -> Revalued | Otherwise | None:
        """None: both laws ask the same, or what is kept does not give what was charged, and so says nothing of it."""
        then = self._asked(self.cause.then, row, known)
        if not isinstance(then.value, FeeAnswer) or then.value.units != Amount(row.units, row.unit):
            return None
        now = self._asked(self.cause.now, row, known)
        said = replace(now, message=f"{now.message} Fonte: {self.cause.norm}.")
        if not isinstance(now.value, FeeAnswer):
            return Otherwise(row, then.message, said)
        return None if now.value.units == then.value.units else Revalued(row, now.value.total, said, explained=True)

    def _asked(self, days: Days, row: Row[Any], known: Kept) -> Decision:
        key = (days is self.cause.now, row.kind, row.charged_on, row.category, repr(sorted(known.items())))
        if key not in self.known:
            self.known[key] = asked(days.on(row.charged_on), row, known)
        return self.known[key]


def asked(law: Law, row: Row[Any], known: Kept) -> Decision:
    """What the law of the day asks for the act: the first fee of a licence that it says, the fee of a transfer."""
    keys = {"category": row.category}
    case = facts(law, stored(law, known), {"permit.category": row.category})
    several = [rule.code for _, rule in law.all(Fee) if rule.of == row.kind and law.concerns(rule, keys)]
    if row.kind != LICENCE or not several:
        return decide(law, FeeQuestion(of=row.kind, keys=keys), case)
    found = [decide(law, FeeQuestion(code=code, keys=keys), case) for code in several]
    return next((each for each in found if each.permits), found[0])
