"""Facts have exact types, and a vocabulary that a pack extends only under its own name."""

import pickle
from datetime import UTC, date, datetime

import pytest
from pydantic import ValidationError

from tenants.law.facts import LISTS, REGISTER, SUBJECTS, FactError, Facts, FactSpec, FactValue, Vocabulary, parse_fact

RELATIVE = FactSpec(code="local.parente", type="bool", of="candidate", ask="Algum parente já tem táxi?")
PUBLISHED = FactSpec(code="param.publicacao", type="day", of="town", ask="Em que dia a lei foi publicada?")
VOCABULARY = Vocabulary([RELATIVE, PUBLISHED])
SPECS = {spec.code: spec for spec in REGISTER}


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("local.parente", True),
        ("vehicle.doors", 4),
        ("vehicle.plate", "ABC1D23"),
        ("driver.cnh.categories", ("B", "D")),
        ("permit.granted_on", date(2010, 1, 4)),
        ("param.publicacao", date(2009, 12, 28)),
    ],
)
def test_a_fact_of_its_type_is_taken(code: str, value: FactValue) -> None:
    facts = Facts.of({code: value}, VOCABULARY)

    assert facts[code] == value
    assert dict(facts) == {code: value}


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("local.parente", 1),
        ("vehicle.doors", True),
        ("vehicle.doors", "4"),
        ("vehicle.doors", 2**63),
        ("vehicle.doors", None),
        ("vehicle.plate", 4),
        ("driver.cnh.categories", "B"),
        ("driver.cnh.categories", ("B", 1)),
        ("permit.granted_on", datetime(2010, 1, 4, tzinfo=UTC)),
        ("permit.granted_on", "2010-01-04"),
        ("vehicle.dors", 4),
    ],
)
def test_any_other_is_refused_by_name(code: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"fact {code}: ") as refused:
        Facts.of({code: value}, VOCABULARY)

    assert isinstance(refused.value, FactError)
    assert refused.value.code == code


def test_facts_never_change_and_new_ones_win() -> None:
    given = {"vehicle.doors": 4}
    facts = Facts.of(given, VOCABULARY)
    given["vehicle.doors"] = 2
    more = facts.with_({"vehicle.doors": 3, "vehicle.seats": 5})

    assert (facts["vehicle.doors"], facts.get("vehicle.seats")) == (4, None)
    assert (more["vehicle.doors"], more["vehicle.seats"]) == (3, 5)
    with pytest.raises(FactError):
        facts.with_({"vehicle.seats": "5"})
    with pytest.raises(TypeError):
        facts["vehicle.doors"] = 2  # type: ignore[index]


def test_a_list_is_kept_as_a_tuple() -> None:
    papers = ["atestado"]
    facts = Facts.of({"holder.papers": papers}, VOCABULARY)
    papers.append("outro")

    assert facts["holder.papers"] == ("atestado",)


def test_a_pack_declares_under_local_and_param_only() -> None:
    with pytest.raises(ValueError, match=r"under local\. only, not driver\.tattoos"):
        Vocabulary([FactSpec(code="driver.tattoos", type="int", of="driver", ask="Quantas?")])
    with pytest.raises(ValueError, match=r"local\.parente is declared twice"):
        Vocabulary([RELATIVE, RELATIVE])


def test_facts_that_follow_from_a_pack_join_the_vocabulary_but_replace_nothing() -> None:
    until = FactSpec(code="atestado.until", type="day", of="holder", ask="Até que dia vale o atestado?")
    doors = FactSpec(code="vehicle.doors", type="int", of="vehicle", ask="?")

    assert Vocabulary([RELATIVE], [until])["atestado.until"] is until
    with pytest.raises(ValueError, match=r"vehicle\.doors is declared twice"):
        Vocabulary([], [doors])


def test_a_fact_never_stands_inside_another() -> None:
    inner = FactSpec(code="local.parente.grau", type="int", of="candidate", ask="Em que grau?")

    with pytest.raises(ValueError, match=r"local\.parente\.grau would stand inside the fact local\.parente"):
        Vocabulary([RELATIVE, inner])


@pytest.mark.parametrize("code", ["local", "local.Parente", "local.in", "dyn.x", "local.2x", "local..x", "local.é"])
def test_a_code_must_be_able_to_stand_in_a_condition(code: str) -> None:
    with pytest.raises(ValidationError):
        FactSpec(code=code, type="bool", of="candidate", ask="?")


def test_a_fact_is_of_a_known_subject() -> None:
    with pytest.raises(ValidationError, match="not of 'horse'"):
        FactSpec(code="local.x", type="bool", of="horse", ask="?")


def test_the_registers_facts_are_complete_and_distinct() -> None:
    assert len(SPECS) == len(REGISTER)
    assert {spec.of for spec in REGISTER} == SUBJECTS
    for spec in REGISTER:
        assert spec.ask.endswith("?")
        assert spec.meaning
        assert spec.list is None or spec.type in ("text", "list")
        assert spec.type != "list" or spec.list
    assert {"cnh", "marital", "sex", "penalty"} == LISTS.keys()


def test_a_vocabulary_survives_pickling() -> None:
    until = FactSpec(code="atestado.until", type="day", of="holder", ask="Até que dia vale o atestado?")
    copy = pickle.loads(pickle.dumps(Vocabulary([RELATIVE, PUBLISHED], [until])))  # noqa: S301

    assert dict(copy.specs) == {**VOCABULARY.specs, "atestado.until": until}


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("local.parente", "sim", True),
        ("local.parente", "false", False),
        ("vehicle.doors", " 2 ", 2),
        ("permit.granted_on", "2010-01-04", date(2010, 1, 4)),
        ("permit.granted_on", "04/01/2010", date(2010, 1, 4)),
        ("driver.cnh.categories", "B, D", ("B", "D")),
        ("driver.cnh.categories", "", ()),
        ("vehicle.plate", "ABC1D23", "ABC1D23"),
    ],
)
def test_forms_send_text(code: str, text: str, value: FactValue) -> None:
    assert parse_fact(VOCABULARY[code], text) == value


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("local.parente", "talvez"),
        ("vehicle.doors", "duas"),
        ("vehicle.doors", "2.0"),
        ("vehicle.doors", "9" * 30),
        ("permit.granted_on", "04/13/2010"),
        ("vehicle.plate", " "),
    ],
)
def test_text_of_another_type_is_refused_by_name(code: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"fact {code}: "):
        parse_fact(VOCABULARY[code], text)
