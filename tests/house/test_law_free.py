"""No law in code: numbers, days, articles, units, towns and offences come from packs only."""

from pathlib import Path

import pytest

from tests.house.law_free import findings, sql_findings, words_of

ROOT = Path(__file__).resolve().parents[2]
WORDS = words_of(sorted((ROOT / "tenants/municipalities").glob("*.toml")))
SOURCES = sorted(p for room in ("services", "tenants", "workers", "graphql/api") for p in (ROOT / room).rglob("*.py"))
SCRIPTS = sorted((ROOT / "deploy/migrations").rglob("*.sql"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_law_stands_in_code(path: Path) -> None:
    """Numbers, offsets, citations, and every town's own words."""
    if path == ROOT / "services/settings.py":  # the one home of technical numbers
        return
    found = findings(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"), WORDS)

    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_law_stands_in_sql(path: Path) -> None:
    found = sql_findings(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"), WORDS)

    assert not found, "\n".join(map(str, found))


PLANTED = {
    "a number": "LIMIT = 47",
    "a number of days": "last = day + timedelta(days=30)",
    "months as a keyword": "renewed = relativedelta(months=6)",
    "a decimal": 'rate = Decimal("32.50")',
    "a citation": 'why = "conforme o art. 33, § 1"',
    "a law": 'why = "Lei nº 1234 de 2001"',
    "a number in SQL": 'sql = "SELECT id FROM permit WHERE age > 8"',
    "an interval in SQL": "sql = \"SELECT now() - interval '5 days'\"",
    "a length in words": 'term = "15 dias"',
    "a unit": 'unit = "{unit}"',
    "a town, accents off": 'town = "{town}"',
    "an infraction": 'code = "{infraction}"',
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_violation_is_caught(planted: str) -> None:
    words = {"ufx", "vila de teste", "xx-01"}
    line = planted.format(unit="UFX", town="Vila de Testê", infraction="XX-01")

    assert findings("planted.py", line, words)


def test_a_reasoned_escape_is_heard_and_a_bare_one_is_not() -> None:
    assert not findings("planted.py", "BITS = 64  # law-free: width of a word", set())
    assert findings("planted.py", "BITS = 64  # law-free:", set())


def test_the_words_are_read_from_the_packs() -> None:
    """Were the packs' shape to change, this check must not fall silent."""
    assert len(WORDS) > len(list((ROOT / "tenants/municipalities").glob("*.toml"))) * len(PLANTED)
