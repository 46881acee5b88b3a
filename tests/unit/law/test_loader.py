"""A pack is refused with the place and the reason, one problem for each thing that is wrong."""

from pathlib import Path

import pytest

from tenants.law.kinds.basis import Reading
from tenants.law.kinds.grants import Quota
from tenants.law.kinds.tariffs import Tariff
from tenants.law.loader import PackRefused, load, read
from tenants.law.pack import Problem
from tests.support.law import TOWN

HEAD = len(TOWN.splitlines())
QUOTA = '[[quota]]\ncode = "a"\ncite = "art. 1"\n'
SPEC = '[[vehicle_spec]]\ncode = "a"\ncite = "art. 1"\n'
AGE = '[[vehicle_age]]\ncode = "a"\ncite = "art. 1"\nat = "entry"\n'
FACT = 'type = "bool"\nask = "?"\n'

# What is written below the head of a pack; the line below the head and the column; what is said.
MALFORMED: dict[str, tuple[str, int, int, str]] = {
    "no TOML": ("a = = 1\n", 1, 5, "not TOML: Invalid value"),
    "a key written twice": ('[[quota]]\ncode = "a"\ncode = "b"\n', 3, 11, "Cannot overwrite a value"),
    "a kind that does not exist": ('[[quotta]]\ncode = "a"\n', 1, 3, "no kind of rule is called 'quotta'"),
    "a key that the kind has not": (QUOTA + "valu = 3\n", 4, 8, "quota 'a', valu: no such key here"),
    "a missing key, in a row": (
        '[[equipment]]\ncite = "art. 1"\nrows = [\n  { code = "a", item = "x" },\n  { code = "b" },\n]\n',
        5,
        3,
        "equipment 'b', item: is missing",
    ),
    "no code": ('[[quota]]\ncite = "art. 1"\nvalue = 1\n', 1, 3, "quota, code:"),
    "a word that is none of those": (QUOTA + 'value = 1\nexcess = "forgive"\n', 5, 10, "'keep' or 'reduce'"),
    "an article that is none": (QUOTA.replace("art. 1", "artigo um"), 3, 8, "not a part of a legal text"),
    "an article that is none, among several": (
        QUOTA.replace('"art. 1"', '["art. 1", "art. 2, § x"]'),
        3,
        8,
        "at character 9 of 'art. 2, § x'",
    ),
    "no literal": (QUOTA + 'value = "many"\n', 4, 9, "quota 'a', value: 'many' is no literal of the law"),
    "no literal, deep in a table": (QUOTA + 'value = { least = [47, "3 X Y"] }\n', 4, 24, "value.least.1: '3 X Y'"),
    "a number with a point is exact, a day is no number": (QUOTA + 'value = 1\nfrom = "soon"\n', 5, 8, "from: 'soon'"),
    "a fact that nobody declares": (
        AGE + 'basis = "model_year"\nlimit = { by = "vehicle.wheels", bands = [] }\n',
        6,
        16,
        "limit.by: no fact",
    ),
    "a condition that ends too soon": (SPEC + 'must = "vehicle.doors =="\n', 4, 8, "must: Syntax error"),
    "a condition on an unknown fact": (SPEC + 'must = "vehicle.dors == 2"\n', 4, 8, "did you mean 'vehicle.doors'?"),
    "a condition that is no question": (SPEC + 'must = "vehicle.doors + 2"\n', 4, 8, "must be BOOL, not INT"),
    "a code that its list has not": (
        '[list]\nfuel = { gas = "Gás" }\n' + SPEC + "must = \"vehicle.fuel == 'gaz'\"\n",
        6,
        8,
        "did you mean 'gas'?",
    ),
    "one code twice": (QUOTA + "value = 1\n" + QUOTA + "value = 2\n", 5, 3, "quota 'a' stands twice"),
    "a fact that is not the pack's to declare": (
        '[[fact]]\ncode = "vehicle.colour"\nof = "vehicle"\n' + FACT,
        1,
        3,
        "facts under local. only",
    ),
    "a fact of nobody": ('[[fact]]\ncode = "local.x"\nof = "moon"\n' + FACT, 1, 3, "not of 'moon'"),
    "a fact inside another": (
        '[[fact]]\ncode = "local.a"\nof = "town"\n' + FACT + '[[fact]]\ncode = "local.a.b"\nof = "town"\n' + FACT,
        1,
        3,
        "local.a.b would stand inside the fact local.a",
    ),
    "a norm without an address": (
        '[[norm]]\nlabel = "Lei 2/2001"\nrank = "lei"\nurn = "urn:x"\nstatus = []\n',
        4,
        7,
        "'urn:x' is no LexML URN",
    ),
    "a rounding that is none": ('[[unit]]\ncode = "U"\ncite = "art. 1"\nround = "sideways"\n', 4, 9, "'half-up'"),
    "a day that no year has": ('[[holiday]]\ntitle = "x"\nact = "y"\nday = "02-30"\n', 4, 7, "holiday 'x', day"),
    "days counted from a year": (
        AGE + 'limit = "5 years"\nbasis = "model_year"\ncount = "days"\n',
        1,
        3,
        "take model_year_end",
    ),
}


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(PackRefused) as refused:
        load(TOWN + text)
    return refused.value.problems


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_wrong_is_named_with_its_line_and_column(case: str) -> None:
    text, line, column, message = MALFORMED[case]

    (problem,) = problems_of(text)

    assert message in problem.message
    assert "Value error" not in problem.message
    assert ((problem.line or 0) - HEAD, problem.column) == (line, column)
    assert str(problem).startswith(f"{problem.line}:{column}: error: ")


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_text() -> None:
    found = problems_of(QUOTA + 'value = "many"\nvalu = 1\n' + SPEC + 'must = "1"\n')

    assert [(problem.line or 0) - HEAD for problem in found] == [4, 5, 9]


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), (TOWN + TOWN.replace("[[", "[["), len(TOWN.splitlines()) + 2)], ids=["none", "two"]
)
def test_a_pack_has_exactly_one_town(text: str, line: int) -> None:
    with pytest.raises(PackRefused) as refused:
        load(text)

    assert refused.value.problems[0].line == line


def test_rows_take_from_their_table_what_they_do_not_say() -> None:
    text = '[[quota]]\ncite = "art. 3"\nexcess = "reduce"\nrows = [\n'
    text += '  { code = "a", value = 1 },\n  { code = "b", value = 2, excess = "keep", cite = "art. 4" },\n]\n'

    found = [item for item in load(TOWN + text).items if isinstance(item, Quota)]

    assert [(item.code, item.excess, str(item.cite[0])) for item in found] == [
        ("a", "reduce", "Lei 1/2000, art. 3"),
        ("b", "keep", "Lei 1/2000, art. 4"),
    ]


def test_numbers_stay_exact_and_days_and_hours_keep_their_form() -> None:
    text = '[[fee]]\ncode = "f"\ncite = "art. 9"\nof = "licence"\namount = "46.28 UPM"\nfrom = 2010-01-01\n'
    text += '[[tariff]]\ncode = "n"\ncite = "art. 25"\nhours = [22:00:00, 06:00:00]\nadd = "30%"\n'

    raws, items = read(TOWN + text)

    payloads = {raw.code: raw.payload for raw in raws}
    assert (payloads["f"]["amount"], payloads["f"]["from"]) == ("46.28 UPM", "2010-01-01")
    assert payloads["n"]["hours"] == ["22:00:00", "06:00:00"]
    tariff = next(item for item in items if isinstance(item, Tariff))
    assert str(tariff.hours.literal) == "22:00-06:00"  # type: ignore[union-attr]


def test_an_amendment_may_name_facts_and_lists_of_the_law_that_it_changes() -> None:
    fuel = "[list]\nfuel = { gas = 'Gás' }\n"
    base = load(TOWN + fuel).items

    _, items = read(SPEC + "must = \"vehicle.fuel == 'gas'\"\n", base=base)

    assert str(items[0].cite[0]) == "Lei 1/2000, art. 1"


def test_the_sketch_of_the_two_founding_laws_loads_whole() -> None:
    pack = load((Path(__file__).parent / "sketch.toml").read_text(encoding="utf-8"))

    assert pack.town.slug == "barra-do-garcas"
    assert {item.code for item in pack.items if isinstance(item, Reading)} >= {"arredondar", "prorrogar", "rolar"}
    assert len(pack.raws) == len(pack.items) == len({(raw.kind, raw.code) for raw in pack.raws})
