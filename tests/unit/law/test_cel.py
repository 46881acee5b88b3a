"""Conditions are checked when loaded, decide only what the facts decide, and name all that is missing."""

import copy
import pickle
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from tenants.law.cel import Condition, ConditionError, Fails, Fault, Holds, Score, Unproven
from tenants.law.facts import Facts, FactSpec, Vocabulary

DAY = date(2010, 3, 10)


def spec(code: str, kind: str = "bool", **more: str) -> FactSpec:
    return FactSpec.model_validate({"code": code, "type": kind, "of": "candidate", "ask": "?", **more})


VOCABULARY = Vocabulary(
    [
        spec("local.vinculo"),
        spec("local.parente"),
        spec("local.residencia", "int", unit="months"),
        spec("local.limite", "int"),
        spec("local.bairros", "list", list="area"),
        spec("param.publicacao", "day"),
    ]
)
LISTS = {
    "holder": {"autonomo": "Autônomo", "escola": "Escola"},
    "area": {"centro": "Centro"},
    "cause": {"estate": "Espólio", "incapacity": "Incapacidade", "death": "Morte"},
}


def condition(source: str, *, scores: bool = False) -> Condition:
    return Condition.compile(source, VOCABULARY, LISTS, scores=scores)


def verdict(source: str, facts: Mapping[str, object], on: date = DAY) -> object:
    return condition(source).evaluate(Facts.of(facts, VOCABULARY), on)


@pytest.mark.parametrize(
    "source",
    [
        "local.vinculo",
        "permit.granted_on < param.publicacao",
        "vehicle.doors == 2",
        "!candidate.other_income",
        "candidate.sole_provider && candidate.marital == 'single'",
        "local.residencia > 120",
        "'B' in driver.cnh.categories && driver.cnh.ear && years_between(driver.cnh.first_on, on) >= 2",
        "heirs.waived && !local.parente",
        "vehicle.same_as_holder && substitute.meets_driver_rules",
        "event.penalty == 'warning' && event.final",
        "transfer.cause in ['estate', 'incapacity']",
        "vehicle.plate.endsWith('1') || driver.cnh.categories.exists(c, c in ['D', 'E'])",
        "holder.kind == (holder.natural ? 'autonomo' : 'escola')",
        "size(holder.papers) + 1 >= -vehicle.doors * 2 && 'é' != vehicle.plate",
        "add_months(permit.granted_on, 6) <= on && add_days(on, -30) > day('2009-12-15')",
        "ceil_div(town.population, local.limite) > town.active_permits",
        "months_between(permit.granted_on, on) >= 60",
    ],
)
def test_what_laws_ask_compiles(source: str) -> None:
    assert condition(source).source == source


@pytest.mark.parametrize(
    ("source", "line", "column", "why"),
    [
        ("driver.agee > 21", 1, 7, r"unknown name 'driver\.agee': did you mean 'driver\.age'\?"),
        ("local.vinculo &&\n  qualquer", 2, 3, "unknown name 'qualquer'"),
        ("driver.age > 'x'", 1, 12, "no matching overload"),
        ("driver.age >", 1, 13, "Syntax error"),
        ("driver.age", 1, 1, "must be BOOL, not INT"),
        ("vehicle.plate", 1, 1, "must be BOOL, not STRING"),
        ("driver.age > 21 && 1.5 > 1.0", 1, 20, "DOUBLE may not occur"),
        ("double(driver.age) > 21.0", 1, 7, "DOUBLE may not occur"),
        ("dyn(driver.age) == 21", 1, 4, "DYN may not occur"),
        ("[] == []", 1, 1, "LIST<DYN> may not occur"),
        ("{'a': 1} == {'a': 1}", None, None, "MAP may not occur"),
        ("driver.cnh.categories.map(c, [c]).size() > 1", None, None, "LIST<LIST<STRING>> may not occur"),
        ("on - permit.granted_on > duration('24h')", None, None, "DURATION may not occur"),
        ("driver.age / 2 > 10", 1, 12, "/ may not be used: there is day"),
        ("driver.cnh.categories[0] == 'B'", 1, 22, "may not be used"),
        ("vehicle.plate.matches('[')", 1, 22, "matches may not be used"),
        ("on > timestamp('2010-01-01T00:00:00Z')", 1, 15, "timestamp may not be used"),
        ("has(local.vinculo)", 1, 1, r"has\(\) is not used"),
        ("on > day('2010-02-30')", 1, 10, r"day\(\) takes a day"),
        ("on > day(vehicle.plate)", None, None, r"day\(\) takes a day"),
        ("holder.kind == 'autonmo'", 1, 16, "'autonmo' is no code of the list 'holder': did you mean 'autonomo'"),
        ("'x' != holder.kind", 1, 1, "is no code of the list 'holder'"),
        ("holder.kind in ['escola', 'xy']", 1, 27, "'xy' is no code"),
        ("'F' in driver.cnh.categories", 1, 1, "'F' is no code of the list 'cnh'"),
        ("local.bairros.exists(b, b == 'sul')", 1, 30, "'sul' is no code of the list 'area': it has centro"),
        ("local.bairros.filter(b, b != 'centro') == ['sul']", 1, 44, "'sul' is no code"),
        ("candidate.marital == (on > param.publicacao ? 'single' : 'solo')", 1, 58, "'solo' is no code"),
        ("'atestado' in holder.papers", 1, 1, "the list 'paper' of what 'atestado' is compared with is not declared"),
        ("(" * 40 + "local.vinculo" + ")" * 40, 1, 1, "recursion limit"),
    ],
)
def test_what_may_not_be_said_is_refused_with_its_place(
    source: str, line: int | None, column: int | None, why: str
) -> None:
    with pytest.raises(ConditionError, match=why) as refused:
        condition(source)

    if line:
        assert (refused.value.line, refused.value.column) == (line, column)
        assert f"(line {line}, column {column})" in str(refused.value)


def test_a_word_of_the_language_inside_a_text_is_text() -> None:
    assert verdict("vehicle.plate == 'has(x)'", {"vehicle.plate": "has(x)"}) == Holds()


def test_every_reference_is_listed_once_and_variables_are_none() -> None:
    found = condition(
        "(local.vinculo ? on > param.publicacao : driver.cnh.categories.exists(c, c == 'B')) || local.vinculo"
    )

    assert found.facts == {"local.vinculo", "param.publicacao", "driver.cnh.categories"}


def test_all_that_is_missing_is_named_and_not_only_the_first() -> None:
    source = "driver.age > 21 && driver.cnh.ear && on > param.publicacao"

    assert verdict(source, {}) == Unproven(frozenset({"driver.age", "driver.cnh.ear", "param.publicacao"}))
    assert verdict(source, {"driver.age": 30}) == Unproven(frozenset({"driver.cnh.ear", "param.publicacao"}))


@pytest.mark.parametrize(
    ("source", "facts", "expected"),
    [
        ("local.vinculo || local.parente", {"local.parente": True}, Holds()),
        ("local.vinculo || local.parente", {"local.parente": False}, Unproven(frozenset({"local.vinculo"}))),
        ("local.vinculo && local.parente", {"local.parente": False}, Fails()),
        ("local.vinculo && local.parente", {"local.parente": True}, Unproven(frozenset({"local.vinculo"}))),
        ("!local.vinculo", {}, Unproven(frozenset({"local.vinculo"}))),
        ("local.vinculo ? local.parente : driver.age > 1", {"local.vinculo": False, "driver.age": 2}, Holds()),
        ("local.vinculo == local.vinculo", {}, Unproven(frozenset({"local.vinculo"}))),
        ("true", {}, Holds()),
    ],
)
def test_an_unknown_fact_matters_only_where_the_others_do_not_decide(
    source: str, facts: Mapping[str, object], expected: object
) -> None:
    assert verdict(source, facts) == expected


def test_a_fact_of_the_wrong_type_is_raised_and_never_absorbed() -> None:
    source = condition("driver.age > 1 || local.vinculo")
    smuggled = Facts({"driver.age": True, "local.vinculo": True}, VOCABULARY)

    with pytest.raises(TypeError, match=r"fact driver\.age: must be of type int, not bool"):
        source.evaluate(smuggled, DAY)


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        ("ceil_div(driver.age, local.limite) > 1", {"driver.age": 1, "local.limite": 0}),
        ("driver.age * 9223372036854775807 > 1", {"driver.age": 50}),
        ("add_months(on, local.limite) > on", {"local.limite": 200_000}),
        ("add_days(on, local.limite) > on", {"local.limite": 2**62}),
        ("vehicle.plate == 'x'", {"vehicle.plate": "\udc00"}),
    ],
)
def test_an_error_is_a_fault_of_the_rule_and_never_satisfies(
    source: str, facts: Mapping[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    found = verdict(source, facts)

    assert isinstance(found, Fault)
    assert source in found.message
    assert source in caplog.text
    assert isinstance(verdict(f"!({source})", facts), Fault)


def test_days_are_whole_days() -> None:
    source = "permit.granted_on < on"

    assert verdict(source, {"permit.granted_on": date(2010, 3, 9)}) == Holds()
    assert verdict(source, {"permit.granted_on": DAY}) == Fails()
    assert verdict("permit.granted_on == day('2010-03-10')", {"permit.granted_on": DAY}) == Holds()
    with pytest.raises(TypeError, match="a day is expected"):
        condition("true").evaluate(Facts.of({}, VOCABULARY), None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "facts", "expected"),
    [
        ("years_between(driver.cnh.first_on, on) >= 2", {"driver.cnh.first_on": date(2008, 3, 10)}, Holds()),
        ("years_between(driver.cnh.first_on, on) >= 2", {"driver.cnh.first_on": date(2008, 3, 11)}, Fails()),
        ("months_between(driver.cnh.first_on, on) == 23", {"driver.cnh.first_on": date(2008, 3, 11)}, Holds()),
        (
            "add_months(driver.cnh.first_on, 6) == day('2010-02-28')",
            {"driver.cnh.first_on": date(2009, 8, 31)},
            Holds(),
        ),
        ("add_days(on, -10) == day('2010-02-28')", {}, Holds()),
        ("ceil_div(town.population, 1300) == 41", {"town.population": 52_001}, Holds()),
        ("ceil_div(town.population, 1300) == 40", {"town.population": 52_000}, Holds()),
        ("driver.cnh.categories.exists(c, c in ['D', 'E'])", {"driver.cnh.categories": ("B", "D")}, Holds()),
        ("driver.cnh.categories.all(c, c == 'B')", {"driver.cnh.categories": ["B", "D"]}, Fails()),
        ("!('B' in driver.cnh.categories)", {"driver.cnh.categories": ()}, Holds()),
    ],
)
def test_our_functions_count_as_the_calendar_does(source: str, facts: Mapping[str, object], expected: object) -> None:
    assert verdict(source, facts) == expected


def test_only_a_selection_scores() -> None:
    dependants = condition("candidate.dependants", scores=True)

    assert dependants.evaluate(Facts.of({"candidate.dependants": 3}, VOCABULARY), DAY) == Score(3)
    assert dependants.evaluate(Facts.of({}, VOCABULARY), DAY) == Unproven(frozenset({"candidate.dependants"}))
    assert condition("local.vinculo", scores=True).facts == {"local.vinculo"}
    with pytest.raises(ConditionError, match="BOOL or INT, not STRING"):
        condition("vehicle.plate", scores=True)


def test_conditions_are_equal_by_source_and_survive_copying_and_pickling() -> None:
    one = condition("holder.kind == 'escola' && local.vinculo")
    again = pickle.loads(pickle.dumps(one))  # noqa: S301

    assert one == condition("holder.kind == 'escola' && local.vinculo") != condition("local.vinculo")
    assert (copy.deepcopy(one), copy.copy(one), hash(again)) == (one, one, hash(one))
    assert again == one
    assert again.evaluate(Facts.of({"local.vinculo": False}, VOCABULARY), DAY) == Fails()


def test_one_condition_serves_many_threads() -> None:
    shared = condition("driver.age > 21 && 'B' in driver.cnh.categories")
    ages = list(range(200))

    def decide(age: int) -> bool:
        facts = Facts.of({"driver.age": age, "driver.cnh.categories": ("B",)}, VOCABULARY)
        return shared.evaluate(facts, DAY) == Holds()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(decide, ages)) == [age > 21 for age in ages]
