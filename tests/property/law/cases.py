"""Random cases for random laws: everything that may be asked of a law, on the facts of one case."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.facts import Facts
from tenants.law.kinds.sanctions import SanctionsQuestion
from tenants.law.law import Law
from tenants.law.questions import (
    AgreementQuestion,
    CampaignQuestion,
    Candidate,
    ConductQuestion,
    CrewQuestion,
    DutyQuestion,
    EligibilityQuestion,
    Event,
    FareQuestion,
    FeeQuestion,
    HolderQuestion,
    InfractionsQuestion,
    InspectionQuestion,
    InstrumentQuestion,
    LadderQuestion,
    PaperFact,
    PastEnding,
    PointsQuestion,
    ProcessQuestion,
    QuotaQuestion,
    RestrictionQuestion,
    ReviewQuestion,
    RosterQuestion,
    SelectionQuestion,
    ServedQuestion,
    ShareQuestion,
    Shift,
    StandActQuestion,
    StandRoomQuestion,
    StandUseQuestion,
    StepQuestion,
    SubstituteQuestion,
    TariffChangeQuestion,
    TermQuestion,
    TransferQuestion,
    VehicleAgeQuestion,
)
from tests.property.law import generator as law_of

T = TypeVar("T")
QUIET = [HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large]
DAYS = st.dates(date(2006, 1, 1), date(2035, 12, 31))
GROUP_OF = {"X-0": law_of.GROUPS[0], "X-1": law_of.GROUPS[1], "X-2": law_of.GROUPS[1]}
FACTS: Mapping[str, st.SearchStrategy[Any]] = {
    "vehicle.doors": st.integers(1, 5),
    "vehicle.fuel": st.sampled_from(law_of.FUELS),
    "vehicle.manufacture_year": st.integers(1995, 2035),
    "vehicle.first_registration": DAYS,
    "vehicle.plate_ending": st.integers(0, 9),
    "vehicle.equipment": st.sampled_from([(), (law_of.ITEM,)]),
    "driver.age": st.integers(16, 80),
    "holder.permits": st.integers(0, 5),
    "holder.vehicles": st.integers(0, 5),
    "town.active_permits": st.integers(0, 90),
    "candidate.other_income": st.booleans(),
    "candidate.dependants": st.integers(0, 4),
    "candidate.driving_months": st.integers(0, 90),
    "ride.metres": st.integers(0, 40_000),
    "local.flag": st.booleans(),
    "local.level": st.integers(0, 9),
    "local.since": DAYS,
}


def examples(number: int, *, always_the_same: bool = False) -> Callable[[T], T]:
    """So many of them; a whole law takes longer to draw and to read than Hypothesis thinks of a case."""
    found: Callable[[T], T] = settings(
        max_examples=number, deadline=None, suppress_health_check=QUIET, derandomize=always_the_same
    )
    return found


@dataclass(frozen=True, slots=True)
class Case:
    """What happened, when, and what is known of it."""

    on: date
    start: date
    number: int
    moment: time
    category: str
    facts: Mapping[str, Any]
    past: tuple[tuple[date, str], ...]
    codes: tuple[str, ...]
    more: tuple[Event, ...] = field(default=())

    @property
    def events(self) -> tuple[Event, ...]:
        return (*(event(day, code) for day, code in self.past), *self.more)

    def repeated(self, code: str) -> "Case":
        """The same, after one more infraction of this code the day before."""
        return replace(self, more=(*self.more, event(self.on - timedelta(days=1), code)))


def event(day: date, code: str) -> Event:
    group = {"group": GROUP_OF[code]} if code in GROUP_OF else {}
    return Event(day, {"infraction": code, "holder": "eu", **group}, penalty="fine", final_on=day)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    codes = st.sampled_from([f"X-{n}" for n in range(5)])
    known = {code: draw(value) for code, value in FACTS.items()}
    unknown = draw(st.sets(st.sampled_from(sorted(FACTS)), max_size=3))
    return Case(
        on=draw(DAYS),
        start=draw(DAYS),
        number=draw(st.integers(0, 70)),
        moment=time(draw(st.integers(0, 23)), draw(st.integers(0, 59))),
        category=draw(st.sampled_from(["c0", "c1", "c2"])),
        facts={code: value for code, value in known.items() if code not in unknown},
        past=tuple(sorted(draw(st.lists(st.tuples(DAYS, codes), max_size=6)))),
        codes=tuple(draw(st.lists(codes, min_size=1, max_size=3, unique=True))),
    )


def facts_of(law: Law, case: Case) -> Facts:
    return Facts.of(case.facts, law.vocabulary)


def answers(law: Law, case: Case) -> Iterator[tuple[Any, Decision]]:
    """Every question that a case gives rise to, with the law's answer."""
    known = facts_of(law, case)
    for question in questions(law, case):
        yield question, decide(law, question, known)


def questions(law: Law, case: Case) -> Iterator[Any]:
    for about in (_register, _days, _penalties, _service):
        yield from about(law, case)


def _register(law: Law, case: Case) -> Iterator[Any]:
    category, facts = case.category, facts_of(law, case)
    papers = (PaperFact(law_of.PAPERS[0], "holder", case.start), PaperFact("request", "vehicle", case.start))
    endings = (PastEnding(law_of.ENDING, case.start),)
    doors = ({"vehicle.doors": number, "permit.category": category} for number in (2, 4))
    two, four = (Facts.of(each, law.vocabulary) for each in doors)
    others = ({**case.facts, "candidate.dependants": number} for number in (1, 3))
    candidates = [Candidate(key, Facts.of(each, law.vocabulary)) for key, each in zip("ab", others, strict=True)]
    for holder in law_of.HOLDERS:
        yield HolderQuestion(category, holder)
        for at in ("entry", "renewal", "stay"):
            yield EligibilityQuestion(category, holder, at, papers, endings=endings)
    yield InstrumentQuestion(category)
    yield QuotaQuestion(category, case.number)
    yield QuotaQuestion(category, case.number, area=law_of.AREA, area_active=case.number // 2)
    yield ShareQuestion(category, [(two, case.number), (four, 9)], entering=two)
    yield ShareQuestion(category, [(two, 3), (four, case.number)], leaving=four)
    yield SelectionQuestion(category, [*candidates, Candidate("c", facts)], 1, seed="s")
    yield RestrictionQuestion(category, about=["m0"])
    yield ConductQuestion("deve", occasion=law_of.OCCASION)
    yield ConductQuestion("deve_de_dia", at=case.moment)


def _days(law: Law, case: Case) -> Iterator[Any]:
    held = ((case.start + timedelta(days=2), case.start + timedelta(days=9)),)
    for at in ("entry", "stay"):
        yield VehicleAgeQuestion(case.category, at)
    yield InspectionQuestion(case.category, case.start, plate="ABC1D27")
    yield InspectionQuestion(case.category, None)
    yield CampaignQuestion("chamada", plate="ABC1D20")
    for code in ("dura", "age", "anual"):
        yield TermQuestion(code, case.start)
        yield TermQuestion(code, case.start, suspensions=held)
    yield ProcessQuestion("rito")
    yield StepQuestion("rito", "passo1", case.start)
    for dates in ({"received": case.start}, {"posted": case.start}, {"published": case.start}):
        for way in ("carta", "edital"):
            yield ServedQuestion(way, dates)


def _penalties(law: Law, case: Case) -> Iterator[Any]:
    keys = {"category": case.category, "holder": "eu"}
    for codes in (case.codes, ("X-0", "X-1", "X-2")):
        yield InfractionsQuestion(codes, keys, case.events, {"effect": case.on})
    for code in ("X-0", "X-1", "X-3"):
        yield LadderQuestion(code, keys, case.events, {"effect": case.on})
    yield PointsQuestion(case.events, keys)
    yield SanctionsQuestion("X-0", keys=keys)
    yield FeeQuestion("taxa", instalments=1)
    yield FeeQuestion("taxa", instalments=3)
    yield FeeQuestion(of="paper")


def _service(law: Law, case: Case) -> Iterator[Any]:
    category, starts = case.category, datetime.combine(case.on, case.moment)
    ends, midnight = starts + timedelta(minutes=50), datetime.combine(case.on, time())
    shifts = [Shift("v1", starts, ends), Shift("v2", midnight, midnight + timedelta(hours=8))]
    roster = (category, shifts, ["v1", "v2", "v3"], midnight, midnight + timedelta(days=1))
    yield FareQuestion(category, starts, ends, events=[law_of.OCCASION])
    yield FareQuestion(category, starts, ends, fare=Decimal(case.number) + Decimal("0.37"))
    yield StandRoomQuestion("1", case.number % 5)
    yield StandUseQuestion(category, "1", starts, own="1")
    yield StandActQuestion(category, "create", met=["x"])
    yield RosterQuestion(*roster)
    yield DutyQuestion(*roster)
    yield TransferQuestion(category, law_of.CAUSE, case.on, to=law_of.RECIPIENT, granted_on=case.start, times=1)
    yield SubstituteQuestion(category, case.start, days=case.number, requested=True, paper=law_of.PAPERS[0])
    yield CrewQuestion(category, law_of.ROLE, case.number % 6, hours=8)
    yield TariffChangeQuestion(category)
    yield ReviewQuestion(category, case.start)
    yield AgreementQuestion(category, raises=True, occasion=law_of.OCCASION)
