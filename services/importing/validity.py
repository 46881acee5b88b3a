"""Until when what a file brings is valid, by the law, and the terms that run of it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from uuid import UUID

from services import terms
from services.acts import Act
from services.deadlines import NewDeadline
from services.registry.facts import facts
from services.stands.slots import own_stand
from services.terms import Running
from tenants.law.facts import FactValue
from tenants.law.kinds.grants import Instrument
from tenants.law.kinds.terms import Term
from tenants.law.law import Law

NOBODY, NEVER = UUID(int=0), datetime.min.replace(tzinfo=UTC)
STARTS = {"permit": "granted", "licence": "issued", "driver": "filed"}  # the event from which each is valid


class Validity:
    """The law of the day of the import, and those of the days from which something was valid."""

    def __init__(self, law: Law, laws: Mapping[date, Law]) -> None:
        self.law, self._laws = law, laws
        self._counted: dict[tuple[str, str, date], list[NewDeadline]] = {}
        self._instruments: dict[str, str | None] = {}
        self._own_stand: dict[str, bool] = {}

    def last_day(self, of: str, category: str, since: date) -> date | None:
        """As the law of that day counts it; None: it does not say."""
        law = self._laws.get(since, self.law)
        known = facts(law, self._facts(of, category, since))
        keys = {"category": category}
        return terms.validity(terms.started(law, known, of=of, event=STARTS[of], on=since, keys=keys))

    def running(self, of: str, category: str, since: date, last: date) -> list[NewDeadline]:
        """The terms of its validity, with the last day that it has: of whom and by which act is still to be said."""
        key = (of, category, last)
        if key not in self._counted:
            act = Act(NOBODY, "", NEVER, since, of, NOBODY)
            counted = self._running(of, category, since, last)
            self._counted[key] = [terms.new_deadline(act, each, subject=(of, NOBODY), on=since) for each in counted]
        return self._counted[key]

    def _running(self, of: str, category: str, since: date, last: date) -> list[Running]:
        law, keys = self.law, {"category": category} if category else {}
        known = facts(law, self._facts(of, category, since), {"driver.cnh.until": last if of == "driver" else None})
        found = [
            terms.counted(law, known, term, on=since, keys=keys, last=last)
            for _, term in law.all(Term)
            if term.of == of and term.starts == STARTS[of] and term.validity and law.concerns(term, keys)
        ]
        return [each for each in found if each is not None]

    def _facts(self, of: str, category: str, since: date) -> dict[str, FactValue | None]:
        if of == "driver":
            return {}
        return {"permit.category": category, "permit.granted_on": since if of == "permit" else None}

    def own_stand(self, category: str) -> bool:
        """Does the law give each permit of the category a stand of its own?"""
        if category not in self._own_stand:
            self._own_stand[category] = bool(own_stand(self.law, category))
        return self._own_stand[category]

    def instrument(self, category: str) -> str | None:
        """What grants the category's service."""
        if category not in self._instruments:
            concerned = (
                each.code for _, each in self.law.all(Instrument) if self.law.concerns(each, {"category": category})
            )
            self._instruments[category] = next(concerned, None)
        return self._instruments[category]
