"""The third town's file: it reads and lints clean, it is new, and no code has a word of it."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from services.municipalities.publishing import check_text
from tenants.law.kinds.basis import CodeList, CountingItem, HolidayItem, Municipality, NormItem, Unit
from tenants.law.kinds.grants import Category, HolderPolicy, Quota
from tenants.law.kinds.infractions import Infraction, Ladder, Measure, Points
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.requirements import Campaign, VehicleAge
from tenants.law.kinds.tariffs import Tariff
from tenants.law.quantity import Amount
from tenants.law.rule import Item, Rule
from tenants.law.values import Cases, Const, Portion
from tests.house.law_free import bare
from tests.third_town.asking import pack_text

ROOT = Path(__file__).resolve().parents[2]
FOUNDING = sorted((ROOT / "tenants/municipalities").glob("*.toml"))


@cache
def ours() -> tuple[Item, ...]:
    return check_text(pack_text()).items


@cache
def theirs() -> tuple[Item, ...]:
    """Of both founding laws."""
    return tuple(item for path in FOUNDING for item in check_text(path.read_text(encoding="utf-8")).items)


def test_it_has_neither_errors_nor_warnings() -> None:
    checked = check_text(pack_text())

    assert [str(problem) for problem in checked.problems] == []
    assert len(checked.items) > len({item.kind for item in checked.items}) > 30


def in_reais(item: Item) -> bool:
    return (
        isinstance(item, Infraction)
        and isinstance(item.amount, Const)
        and isinstance(item.amount.literal, Amount)
        and item.amount.literal.unit == "BRL"
    )


# What the third town has that neither founding law has.
NEW: Mapping[str, Callable[[Item], bool]] = {
    "a category under another": lambda i: isinstance(i, Category) and i.parent is not None,
    "a holder that is a member of a cooperative": lambda i: (
        isinstance(i, HolderPolicy) and any(row.holder == "cooperado" for row in i.allow)
    ),
    "a cap as a share of all permits": lambda i: isinstance(i, HolderPolicy) and any(row.share for row in i.allow),
    "a fine in reais": in_reais,
    "a fine as a percentage": lambda i: isinstance(i, Infraction) and isinstance(i.amount, Portion),
    "a unit as a percentage of another": lambda i: isinstance(i, Unit) and i.percent is not None,
    "tiers by a fact": lambda i: isinstance(i, Infraction) and bool(i.tiers),
    "days counted from the first working day": lambda i: isinstance(i, CountingItem) and i.start.word == "next_working",
    "a third instance without suspensive effect": lambda i: (
        isinstance(i, Process) and any(step.instance == 3 and not step.suspends for step in i.step)
    ),
    "an age limit by a table": lambda i: isinstance(i, VehicleAge) and isinstance(i.limit, Cases),
    "points with two thresholds": lambda i: isinstance(i, Points) and len(i.thresholds) == 2,
    "a measure whose events die by their group": lambda i: isinstance(i, Measure) and len(i.lives) > 1,
    "a yearly campaign by plates": lambda i: isinstance(i, Campaign) and not i.once and bool(i.by_plate_ending),
    "a quota of an area": lambda i: isinstance(i, Quota) and "area" in i.applies,
    "a tariff of components": lambda i: isinstance(i, Tariff) and bool(i.components),
    "a holiday by Easter": lambda i: isinstance(i, HolidayItem) and i.easter == -2,
    "a rule by a federal norm": lambda i: isinstance(i, Rule) and i.cite[0].norm == "Lei 12.009/2009",
    "a suspended device": lambda i: (
        isinstance(i, NormItem) and any(s.is_ == "suspended" and s.devices for s in i.status)
    ),
    "a transition that keeps the old rule": lambda i: (
        isinstance(i, Rule) and i.transition is not None and i.transition.keeps == "old"
    ),
    "a fine that doubles": lambda i: isinstance(i, Ladder) and i.factor is not None,
}


@pytest.mark.parametrize("thing", NEW)
def test_it_has_what_neither_founding_law_has(thing: str) -> None:
    assert any(NEW[thing](item) for item in ours())
    assert not [item.code for item in theirs() if NEW[thing](item)]


SHIPPED = [
    path
    for room, kinds in (
        ("services", ("py", "sql", "txt", "html")),
        ("tenants", ("py",)),
        ("workers", ("py",)),
        ("graphql", ("py", "graphql")),
        ("deploy", ("py", "sql")),
    )
    for kind in kinds
    for path in sorted((ROOT / room).rglob(f"*.{kind}"))
]


def own_words() -> set[str]:
    """The town's names, norms, units, and every code of its file; the kinds and the names of lists are the system's."""
    found: set[str] = set()
    for item in ours():
        match item:
            case CodeList():
                found |= set(item.codes)
            case Municipality():
                found |= {item.name, item.slug, item.ibge, *item.hosts}
            case Process():
                found |= {item.code, *(step.code for step in item.step)}
            case Tariff():
                found |= {item.code, *(component.code for component in item.components)}
            case _:
                found.add(item.code)
    return {bare(word) for word in found}


def test_no_code_has_a_word_of_it() -> None:
    words = own_words()
    pattern = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, words)) + r")(?![\w-])")
    sources = {path: bare(path.read_text(encoding="utf-8")) for path in SHIPPED}

    met = {f"{path.relative_to(ROOT)}: {word}" for path, text in sources.items() for word in pattern.findall(text)}

    assert not met
    assert len(words) > 80
    assert len(sources) > 100
    assert pattern.search(bare('if town.slug == "vila-nova-do-ipe" or unit == "UTM": ...'))
