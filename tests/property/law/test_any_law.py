"""What holds under any law, and so under the next town's: random packs, random cases, every question."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.municipalities.publishing import check_text
from tenants.law.book import Book, Published
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.registry import RULES
from tenants.law.law import Law
from tenants.law.pack import RawItem
from tenants.law.questions import (
    CampaignAnswer,
    EligibilityQuestion,
    FareAnswer,
    FeeAnswer,
    InfractionsQuestion,
    InspectionAnswer,
    LadderAnswer,
    LadderQuestion,
    PenaltyAnswer,
    QuotaAnswer,
    QuotaQuestion,
    ServedAnswer,
    StepAnswer,
    TermAnswer,
)
from tests.property.law.cases import Case, answers, cases, examples, facts_of
from tests.property.law.generator import packs, penalties, service
from tests.support.law import published

CENT = Decimal("0.01")
KINDS = {cls.kind for cls in RULES}


def law_of(text: str, on: date) -> Law:
    return Book.of(published(text)).on(on)


def rules_of(decision: Decision) -> Iterator[tuple[str, str]]:
    """Kind and code of every rule that an answer rests on, with those of its parts."""
    yield from ((rule.kind, rule.code) for rule in decision.rules)
    for part in decision.parts:
        yield from rules_of(part)


def inside(value: Any) -> Iterator[Any]:
    """Every mapping in a plain value."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(each)


# --- every kind is met ---------------------------------------------------------------------------------------------


def test_every_kind_of_rule_answers_in_the_laws_that_are_made() -> None:
    """Were a new kind of rule not generated, or its evaluator not asked, nothing here would speak for it."""
    kinds: Counter[str] = Counter()
    settled: Counter[str] = Counter()

    @examples(60, always_the_same=True)
    @given(packs(), cases())
    def look(text: str, case: Case) -> None:
        for question, decision in answers(law_of(text, case.on), case):
            kinds.update({kind for kind, _ in rules_of(decision)})
            settled[type(question).__name__] += decision.outcome not in (Outcome.UNPROVEN, Outcome.UNDETERMINED)

    look()
    assert not KINDS - kinds.keys()
    assert not [question for question, times in settled.items() if not times]


@examples(25)
@given(packs())
def test_the_linter_finds_no_error_in_them(text: str) -> None:
    assert not [str(problem) for problem in check_text(text).problems if problem.severity == "error"]


# --- every answer --------------------------------------------------------------------------------------------------


@examples(20)
@given(packs(), cases())
def test_the_same_law_and_case_give_the_same_answer_also_from_the_database_s_own_types(text: str, case: Case) -> None:
    rows = published(text)
    stored = [Published(1, None, "pack", _stored(row.raw)) for row in rows]

    once = list(answers(Book.of(rows).on(case.on), case))

    assert once == list(answers(Book.of(rows).on(case.on), case))
    assert once == list(answers(Book.of(stored).on(case.on), case))


def _stored(raw: RawItem) -> RawItem:
    return RawItem(raw.kind, raw.code, json.loads(json.dumps(raw.payload)))


@examples(30)
@given(packs(), cases())
def test_a_decision_is_json_as_it_stands(text: str, case: Case) -> None:
    for _, decision in answers(law_of(text, case.on), case):
        plain = decision.plain()

        assert json.loads(json.dumps(plain)) == plain


@examples(40)
@given(packs(), cases())
def test_every_answer_cites_an_article_unless_the_law_says_nothing_of_the_category(text: str, case: Case) -> None:
    law = law_of(text, case.on)
    for question, decision in answers(law, case):
        silent = isinstance(question, QuotaQuestion) and "c0" not in law.family(question.category)

        assert bool(decision.citations) is not silent, question


@examples(30)
@given(packs(), cases())
def test_of_one_point_the_federal_norm_is_what_is_asked_of_a_driver(text: str, case: Case) -> None:
    law = law_of(text, case.on)
    decision = decide(law, EligibilityQuestion(case.category, "h0"), facts_of(law, case))

    asked = {code for kind, code in rules_of(decision) if kind == "requirement"}
    assert asked & {"idade_local", "idade_federal"} == {"idade_federal"}


@examples(20)
@given(packs(), cases(), st.dates(date(1990, 1, 1), date(1999, 12, 31)))
def test_before_the_town_s_first_law_there_is_no_answer(text: str, case: Case, on: date) -> None:
    for _, decision in answers(law_of(text, on), case):
        assert (decision.outcome, decision.citations) == (Outcome.UNDETERMINED, ())


@examples(40)
@given(packs(), cases())
def test_no_term_ends_before_it_starts(text: str, case: Case) -> None:
    for _, decision in answers(law_of(text, case.on), case):
        match decision.value:
            case TermAnswer(last_day=last, late=late):
                assert last >= case.start
                assert all(step.last_day_before >= last for step in late)
            case StepAnswer(last_day=date() as last):
                assert last >= case.start
            case ServedAnswer(served_on=last):
                assert last >= case.start
            case CampaignAnswer(opens_on=opens, last_day=last):
                assert last >= opens
            case InspectionAnswer(due_on=due):
                assert due >= min(case.start, case.on)


# --- money ---------------------------------------------------------------------------------------------------------


@examples(40)
@given(packs(), cases())
def test_every_sum_is_in_whole_cents_and_its_parts_are_the_whole(text: str, case: Case) -> None:
    for _, decision in answers(law_of(text, case.on), case):
        for found in inside(decision.plain()["value"]):
            if "brl" in found and "rate" in found:
                assert Decimal(found["brl"]) == Decimal(found["brl"]).quantize(CENT) >= 0
        match decision.value:
            case FareAnswer(total=total):
                assert total == total.quantize(CENT) >= 0
            case FeeAnswer(total=money, instalments=instalments):
                assert sum(instalments, Decimal(0)) == money.brl
            case PenaltyAnswer(kept=kept):
                for split in (effect for penalty in kept for effect in penalty.effects if effect.parts):
                    assert sum(split.parts.values(), Decimal(0)) in {
                        e.money.brl for p in kept for e in p.effects if e.money
                    }


@examples(200)
@given(packs(penalties), cases())
def test_repeating_never_costs_less(text: str, case: Case) -> None:
    law = law_of(text, case.on)
    for code in ("X-0", "X-1"):
        costs = [_cost(law, each, code) for each in (case, case.repeated(code), case.repeated(code).repeated(code))]
        known = [cost for cost in costs if cost is not None]

        assert known == sorted(known)


def _cost(law: Law, case: Case, code: str) -> Decimal | None:
    question = LadderQuestion(code, {"holder": "eu", "category": case.category}, case.events)
    decision = decide(law, question, facts_of(law, case))
    if not decision.permits or not isinstance(decision.value, LadderAnswer):
        return None
    return sum((effect.money.brl for effect in decision.value.effects if effect.money), Decimal(0))


@examples(50)
@given(packs(penalties), cases())
def test_what_overlaps_strike_and_what_they_keep_are_all_that_was_asked(text: str, case: Case) -> None:
    law = law_of(text, case.on)
    decision = decide(law, InfractionsQuestion(case.codes), facts_of(law, case))

    assert isinstance(decision.value, PenaltyAnswer)
    kept = [penalty.infraction for penalty in decision.value.kept]
    assert sorted([*kept, *(struck.infraction for struck in decision.value.struck)]) == sorted(case.codes)
    assert kept
    assert "X-4" not in kept or len(kept) == 1  # residual: it punishes only what nothing else does


# --- numbers -------------------------------------------------------------------------------------------------------


@examples(40)
@given(packs(service), cases(), st.sampled_from(["c0", "c1"]))
def test_a_quota_admits_up_to_its_value_and_never_above(text: str, case: Case, category: str) -> None:
    rows = published(text)
    law, limit = Book.of(rows).on(case.on), _limit(rows)

    for active in {0, limit - 1, limit, limit + 1, case.number} - {-1}:
        decision = decide(law, QuotaQuestion(category, active), facts_of(law, case))

        assert isinstance(decision.value, QuotaAnswer)
        assert decision.value.limit == limit
        assert (decision.outcome is Outcome.ALLOWED) is (active < limit)
        assert decision.value.room == max(limit - active, 0)


@examples(30)
@given(packs(service), cases())
def test_an_area_never_admits_above_its_part(text: str, case: Case) -> None:
    law = law_of(text, case.on)
    for inside_ in range(0, 70, 7):
        question = QuotaQuestion("c0", inside_, area="a0", area_active=inside_)
        decision = decide(law, question, facts_of(law, case))

        rooms = [part.value.room for part in decision.parts if isinstance(part.value, QuotaAnswer)]
        limits = [part.value.limit for part in decision.parts if isinstance(part.value, QuotaAnswer)]
        assert (decision.outcome is Outcome.ALLOWED) is all(inside_ < (limit or 0) for limit in limits)
        assert (decision.outcome is Outcome.ALLOWED) is all(rooms)


def _limit(rows: list[Published]) -> int:
    """What the quota comes to, told apart from the law's own evaluation."""
    payloads: Mapping[tuple[str, str], Any] = {(row.raw.kind, row.raw.code): row.raw.payload for row in rows}
    people = next(iter(payloads[("series", "people")]["points"].values()))

    def worth(value: Any) -> int:
        if isinstance(value, int):
            return value
        if "least" in value:
            return min(map(worth, value["least"]))
        mode = ROUND_CEILING if value["round"] == "up" else ROUND_FLOOR
        return int((Decimal(people) / value["per"]).quantize(Decimal(1), mode))

    return worth(payloads[("quota", "vagas")]["value"])
