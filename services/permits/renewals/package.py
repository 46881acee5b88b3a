"""What a renewal needs (dossiê da renovação): what is missing now, and what will lapse before the new term ends."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import terms
from services.database import Reader
from services.errors import Refused
from services.permits import store
from services.permits.eligibility import Case, Pairing, case_of
from services.permits.licensing import next_term
from services.permits.substitutes import store as substitutes
from services.permits.unforeseen import no_licence_term
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.requirements import Requirement
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import InspectionQuestion

RENEWAL, STAY = "renewal", "stay"
CNH = "driver.cnh."
CNH_UNTIL = "driver.cnh.until"


@dataclass(frozen=True, slots=True)
class Lapse:
    """Something that does not last to the end of the new term.

    ``last_day``: its own last; None: it is missing, or fails, already. ``days``: from the day asked to its last.
    """

    what: str
    code: str
    title: str
    last_day: date | None
    days: int | None
    articles: str
    message: str


@dataclass(frozen=True, slots=True)
class Package:
    """``decision``: may the licence be renewed on the day asked? ``since``, ``until``: the new licence's days."""

    since: date
    until: date
    decision: Decision
    lapses: tuple[Lapse, ...]


async def renewal_package(tx: Reader, *, permit_id: UUID, on: date | None = None) -> Package:
    """Which papers, licence to drive, inspection, age of the vehicle … last, and which do not.

    Raises:
        Refused: The permit is not active, or the law does not say until when a licence is valid.
    """
    law = await tx.law(on=on or tx.today)
    permit = await store.permit(tx, permit_id, law.on)
    vehicle = await store.vehicle_of(tx, permit_id, law.on)
    if permit.state != "active" or vehicle is None:
        raise Refused(store.not_active(permit, law.on))
    case = await case_of(tx, law, Pairing(permit.category, permit.holder_id, vehicle.vehicle_id, permit.granted_on))
    since, running = next_term(law, case.facts, permit, await store.last_licence(tx, permit_id))
    until = terms.validity(running)
    if until is None:
        raise no_licence_term(law, {"category": permit.category})
    found = [*_demands(law, case, until), *_inspection(law, case, until), *_permit(law, permit, until)]
    found += [*_driving(law, case, until, found), *await _substitutes(tx, law, permit, until)]
    ordered = sorted(found, key=lambda lapse: (lapse.last_day or date.min, lapse.code))
    return Package(since, until, case.eligible(law, RENEWAL), tuple(ordered))


def _demands(law: Law, case: Case, until: date) -> Iterator[Lapse]:
    """Every demand of a renewal and of the service: those that fail now, and those that would before the end."""
    now, then = _answers(law, case), _answers(law.at(until), case)
    for key, part in now.items():
        if not part.permits and part.outcome is not Outcome.NEEDS_DECISION:
            yield _lapse(law, key, part, None)
        elif key in then and then[key].outcome is Outcome.DENIED:
            last = _last(law.on, until, _holds(law, case, key))
            yield _lapse(law, key, then[key], last)


Key = tuple[str, str]


def _answers(law: Law, case: Case) -> Mapping[Key, Decision]:
    """The answer to each demand, by its kind and code; a demand of both occasions stands once."""
    parts = [part for at in (STAY, RENEWAL) for part in case.eligible(law, at).parts if part.rules]
    return {(part.rules[-1].kind, part.rules[-1].code): part for part in parts}


def _holds(law: Law, case: Case, key: Key) -> Callable[[date], bool]:
    def holds(day: date) -> bool:
        part = _answers(law.at(day), case).get(key)
        return part is None or part.outcome is not Outcome.DENIED

    return holds


def _last(good: date, bad: date, holds: Callable[[date], bool]) -> date:
    """The last day on which something holds, between one on which it does and one on which it no longer does."""
    while bad - good > terms.DAY:
        middle = good + timedelta(days=(bad - good).days // 2)
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


def _lapse(law: Law, key: Key, part: Decision, last: date | None) -> Lapse:
    cited = terms.articles(part.citations)
    title = part.rules[-1].title or part.message
    return _made(law, key[0], key[1], title, last, cited, part.message)


def _made(
    law: Law, what: str, code: str, title: str, last: date | None, articles: str, message: str | None = None
) -> Lapse:
    said = message or (f"{title}: vence em {last:%d/%m/%Y}." if last else f"{title}: falta.")
    return Lapse(what, code, title, last, (last - law.on).days if last else None, articles, said)


def _inspection(law: Law, case: Case, until: date) -> Iterator[Lapse]:
    """The next inspection, where one has been: a first one is asked for by the demands."""
    last = case.facts.get("vehicle.inspected_on")
    if not isinstance(last, date):
        return
    answer = decide(law, InspectionQuestion(category=case.category, last_on=last, papers=case.papers), case.facts)
    if answer.value is not None and answer.value.due_on < until:
        rule, cited = answer.value.rule, terms.articles(answer.citations)
        yield _made(law, "inspection", rule, "Vistoria", answer.value.due_on, cited, answer.message)


def _permit(law: Law, permit: Row[Any], until: date) -> Iterator[Lapse]:
    """The permit's own term."""
    if permit.during.upper is None or permit.during.upper > until:
        return
    keys = {"category": permit.category}
    own = [term for _, term in law.all(Term) if term.of == "permit" and term.validity and law.concerns(term, keys)]
    last = permit.during.upper - terms.DAY
    for term in own:
        yield _made(law, term.kind, term.code, term.title or term.code, last, terms.articles(term.cite))


def _driving(law: Law, case: Case, until: date, found: list[Lapse]) -> Iterator[Lapse]:
    """The licence to drive, by whatever article asks for one, unless a demand has told of it already."""
    last = case.facts.get(CNH_UNTIL)
    if not isinstance(last, date) or last >= until:
        return
    keys = {"category": case.category, "holder": case.holder_kind}
    asks = [
        rule
        for _, rule in law.all(Requirement)
        if rule.must is not None and any(code.startswith(CNH) for code in rule.must.facts) and law.concerns(rule, keys)
    ]
    if asks and not any(lapse.code == rule.code for rule in asks for lapse in found):
        yield _made(law, asks[0].kind, asks[0].code, "CNH", last, terms.articles(asks[0].cite))


async def _substitutes(tx: Reader, law: Law, permit: Row[Any], until: date) -> list[Lapse]:
    """Who drives in the holder's stead, and no longer will."""
    rows = await substitutes.of_permit(tx, permit.id, law.on)
    there = [row for row in rows if row.state == "active" and row.until is not None and row.until < until]
    found = []
    for row in there:
        rule = law.find("substitute", row.rule)
        cited = terms.articles(rule.item.cite) if rule else ""
        found.append(_made(law, "substitute", row.rule, f"Substituto: {row.name}", row.until, cited))
    return found
