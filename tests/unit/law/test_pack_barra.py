"""The pack of Barra do Garças against the law's own tables, its list of devices and its known ambiguities."""

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tenants.law.citation import Citation
from tenants.law.kinds.basis import Choice, NormItem, NoticeItem, Office, Parameter, Reading, Supplied, Template, Unit
from tenants.law.kinds.infractions import Infraction, Overlap
from tenants.law.kinds.registry import KINDS
from tenants.law.kinds.requirements import Campaign, Inspection, VehicleAge
from tenants.law.kinds.stands import Stand
from tenants.law.kinds.terms import Term
from tenants.law.loader import load
from tenants.law.pack import Pack
from tenants.law.quantity import Amount, Quantity
from tenants.law.rule import Item, Missed, OfficeRef, Rule, walk
from tenants.law.values import ByReading, Const, ParamValue, Ranged, Word

T = TypeVar("T", bound=Item)
ROOT = Path(__file__).parents[3]
LAWS = ROOT / "tests" / "laws"
TEXT = (ROOT / "tenants" / "municipalities" / "barra-do-garcas.toml").read_text(encoding="utf-8")
LAW = "Lei 3.085/2009"
POWERS = {
    *("read", "register", "grant", "license", "inspect", "record", "propose", "fine", "suspend", "cancel", "decide"),
    *("appoint", "publish", "tariff", "stands"),
}
# Each known ambiguity of the law, and what settles it: readings (with a default) and parameters (with none).
AMBIGUITIES = {
    "header, dates": {"publicacao", "aprovacao", "inicio"},
    "3, 7 × 25§8 × 25§9": {"escolar_pj"},
    "3§1 × 8 II; 3§2 × 10, 29": {"herdeiro", "automatico"},
    "3§3 × 8 II": {"terceiros"},
    "4 VII/5 X × 20 × 20§1-3": {"seis_anos", "prorrogar", "renovar"},
    "4 VII": {"fabricacao"},
    "5 III, 6 IV × 9, 9 I": {"doze_meses", "prova", "minimo_15"},
    "11 × 35 I; 11§2": {"outra_renda"},
    "13§§4-6; 15 I": {"noite", "descanso", "madrugada"},
    "18, 18§1": {"circulacao", "duas_portas_escolar"},
    "29§un": {"valor_ufir", "dia_ufir"},
    "28, 8 IV, 10, 28§un, 34§2": {"gradacao", "cassacao"},
    "29": {"prazo_defesa"},
    "33 × 33§1 × 33§2-4; 33 × 23": {"arredondar", "aumento", "ponto_13"},
    "25 × 25§1; 26 I": {"decreto_tarifa"},
    "16§un × 19 IV; 21§un III × IV × V; 36 × 33": {"crlt", "estrangeirismo", "propaganda_taxi", "atos_de_ponto"},
    "annex I × II": {"anexos", "item_19"},
    "II-06": {"meses_afericao"},
}
# What one conduct draws twice, in the known ambiguities: the codes of each.
TWICE = (
    *("I-23 II-04 II-08", "I-24 II-09", "I-10 I-22", "I-27 II-14", "I-28 I-30", "I-29 II-24", "I-18 I-26"),
    *("I-03 I-08 II-05", "I-07 II-03", "II-12 II-23", "I-01 I-05", "I-02 I-14 II-12", "I-08 II-07 II-04"),
    "I-13 I-22 II-15",
)
_INCISOS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI"]
# The law's devices: of each article its incisos, its paragraphs, and the incisos of some of these.
ARTICLES: dict[int, tuple[int, int | str, dict[str, int]]] = {
    **{n: (0, 0, {}) for n in range(1, 40)},
    **{
        1: (0, "ún.", {}),
        3: (0, 3, {}),
        4: (9, 0, {}),
        5: (16, 0, {}),
        6: (9, 0, {}),
        7: (0, "ún.", {}),
        8: (5, 0, {}),
    },
    **{9: (4, 0, {}), 11: (0, 2, {}), 12: (0, "ún.", {}), 13: (0, 6, {}), 15: (2, 0, {}), 16: (0, "ún.", {})},
    **{18: (0, 3, {}), 19: (5, 0, {}), 20: (0, 3, {}), 21: (0, "ún.", {"ún.": 6}), 23: (0, 4, {"1": 13})},
    **{24: (0, "ún.", {}), 25: (0, 9, {}), 26: (7, 0, {}), 28: (4, "ún.", {}), 29: (0, "ún.", {}), 31: (0, "ún.", {})},
    **{33: (0, 4, {}), 34: (0, 3, {}), 35: (5, 2, {})},
}


def _devices() -> Iterator[str]:
    for article, (incisos, paragraphs, inside) in ARTICLES.items():
        yield f"art. {article}"
        yield from (f"art. {article}, {inciso}" for inciso in _INCISOS[:incisos])
        names = [str(n + 1) for n in range(paragraphs)] if isinstance(paragraphs, int) else [paragraphs]
        for name in names:
            yield f"art. {article}, § {name}"
            yield from (f"art. {article}, § {name}, {inciso}" for inciso in _INCISOS[: inside.get(name, 0)])
    yield "anexo"
    for group, items in (("I", 30), ("II", 24)):
        yield from (f"anexo, grupo {group}, item {n + 1}" for n in range(items))


@cache
def pack() -> Pack:
    return load(TEXT)


def items(cls: type[T]) -> list[T]:
    return [item for item in pack().items if isinstance(item, cls)]


def codes(cls: type[Item]) -> set[str]:
    return {item.code for item in items(cls)}


def table(name: str) -> list[dict[str, str]]:
    with (LAWS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def everything() -> Iterator[tuple[Item, Any]]:
    for item in pack().items:
        for thing in walk(item):
            yield item, thing


def test_the_fines_are_those_of_the_annex_and_no_others() -> None:
    annex = {tuple(row.values()) for row in table("infractions-barra-do-garcas.csv")}

    written = set()
    for rule in items(Infraction):
        assert isinstance(rule.amount, Const)
        assert isinstance(rule.amount.literal, Amount)
        amount = rule.amount.literal
        article = "; ".join(cited.short for cited in rule.cite)
        written.add((rule.code, article, rule.do, str(amount.value), amount.unit, rule.title))

    assert written == annex
    assert len(items(Infraction)) == len(annex) == 54


def test_the_stands_are_those_of_article_23_and_no_others() -> None:
    listed = {tuple(row.values())[1:] for row in table("stands.csv") if row["municipality"] == "barra-do-garcas"}

    written = {
        (str(s.number), s.place, "" if s.slots is None else str(s.slots), "yes" if s.hours else "no")
        for s in items(Stand)
    }

    assert written == listed
    assert [s.number for s in items(Stand) if s.access == "open"] == [13]
    assert [s.hours for s in items(Stand) if s.hours] == [ParamValue(param="noite")]


def test_every_known_ambiguity_is_a_reading_or_a_parameter() -> None:
    known = codes(Reading) | codes(Parameter)

    assert {row: wanted - known for row, wanted in AMBIGUITIES.items() if wanted - known} == {}
    for reading in items(Reading):
        assert reading.default == next(iter(reading.options)), reading.code
        assert min(len(reading.options) - 1, len(reading.cite), len(reading.why)), reading.code
        assert reading.ask.endswith("?"), reading.code


@pytest.mark.parametrize("pair", TWICE)
def test_a_conduct_that_is_punished_twice_has_an_order(pair: str) -> None:
    wanted = set(pair.split())

    assert [rule.code for rule in items(Overlap) if wanted <= set(rule.order)]


def test_every_device_that_is_cited_stands_in_the_law() -> None:
    known = set(_devices())

    cited = [(item, thing) for item, thing in everything() if isinstance(thing, Citation) and thing.norm == LAW]

    assert {(item.kind, item.code, thing.short) for item, thing in cited if thing.short not in known} == set()
    assert [s.by for norm in items(NormItem) for s in norm.status if s.is_ == "revoked"] == [f"{LAW}, art. 39"]
    assert {thing.norm for _, thing in everything() if isinstance(thing, Citation)} <= codes(NormItem)


def test_every_device_of_the_law_is_answered_for() -> None:
    """Except the opening words of a list, whose items are cited, and the repeal, which is the other norm's status."""
    openings = {"art. 4", "art. 5", "art. 6", "art. 19", "art. 26"}

    cited = {thing.short for _, thing in everything() if isinstance(thing, Citation) and thing.norm == LAW}

    assert set(_devices()) - cited == openings | {"art. 39"}


def test_what_only_the_town_can_say_has_no_value() -> None:
    assert [*items(Supplied), *items(Choice)] == []
    assert "sample" not in TEXT
    assert [value for unit in items(Unit) for value in unit.values if not isinstance(value.brl, ParamValue)] == []


def test_whatever_a_rule_names_exists() -> None:
    offices, infractions = codes(Office), codes(Infraction)
    lists = {item.code: set(item.codes) for item in items(KINDS["list"])}  # type: ignore[attr-defined]
    reminded = codes(Term) | codes(Inspection) | codes(Campaign) | codes(VehicleAge) | {"defesa"}
    wrong: set[tuple[str, str, object]] = set()
    for item, thing in everything():
        match thing:
            case OfficeRef(office=str() as office) | Ranged(office=str() as office) if office not in offices:
                wrong.add((item.kind, item.code, office))
            case Missed(infraction=str() as infraction) if infraction not in infractions:
                wrong.add((item.kind, item.code, infraction))
            case Overlap(order=order) if not set(order) <= infractions:
                wrong.add((item.kind, item.code, order))
            case NoticeItem(on=on, template=template) if on not in reminded or template not in codes(Template):
                wrong.add((item.kind, item.code, on))
        for name, known in (("missed", infractions), ("infraction", infractions), ("late", infractions)):
            value = getattr(thing, name, None)
            if isinstance(value, str) and value not in known:
                wrong.add((item.kind, item.code, value))
        for name, codes_of in (("paper", "paper"), ("cause", ""), ("item", "equipment")):
            value = getattr(thing, name, None)
            known = lists["cause"] | lists["ending"] if name == "cause" else lists[codes_of]
            if isinstance(value, str) and value not in known:
                wrong.add((item.kind, item.code, value))
    assert wrong == set()


def test_a_value_by_a_reading_has_one_for_each_option_and_every_reading_is_used() -> None:
    options = {reading.code: set(reading.options) for reading in items(Reading)}
    used: set[str] = set()
    for item, thing in everything():
        if isinstance(thing, (Word, ByReading)) and thing.reading:
            assert set(thing.options) == options[thing.reading], (item.kind, item.code, thing.reading)
            used.add(thing.reading)
        if facts := getattr(thing, "facts", None):
            used |= {code.removeprefix("reading.") for code in facts if code.startswith("reading.")}
        used |= set(getattr(thing, "reads", ()))

    assert options.keys() - used == set()


def test_every_parameter_is_used() -> None:
    used: set[str] = set()
    for _, thing in everything():
        used |= {thing.param} if isinstance(thing, (ParamValue, OfficeRef)) and thing.param else set()
        used |= {code.removeprefix("param.") for code in getattr(thing, "facts", ()) if code.startswith("param.")}
    used |= {s.from_["param"] for norm in items(NormItem) for s in norm.status if isinstance(s.from_, dict)}

    assert codes(Parameter) - used == set()


def test_every_demand_of_the_law_has_a_rule_that_answers_it() -> None:
    answered = {id for item in pack().items for id in item.answers}

    listed = table("requirements.csv")
    assert {row["id"] for row in listed if row["barra-do-garcas"] == "yes"} - answered == set()
    assert answered <= {row["id"] for row in listed}


def test_offices_have_only_powers_of_the_system_and_someone_holds_each() -> None:
    held = [power for office in items(Office) for power in office.may]

    assert set(held) == POWERS
    assert [office.code for office in items(Office) if "cancel" in office.may] == ["prefeito"]


def test_every_rule_cites_its_article() -> None:
    assert {(item.kind, item.code) for item in pack().items if item.cited and not item.cite} == set()
    assert {(rule.kind, rule.code) for rule in items(Rule) if not (rule.title or getattr(rule, "place", ""))} == set()


def test_no_number_of_the_law_is_a_fraction() -> None:
    """Whoever adds one must think of rounding."""
    assert not [thing for _, thing in everything() if isinstance(thing, Quantity) and "." in str(thing).split(" ")[0]]
