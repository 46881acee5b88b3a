"""What may bear on a drawing is asked of the laws: whatever the rules of a fact name, and nothing else."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from deploy.fictitious.plan import plans
from services.recomputing.bearing import Bearing
from services.recomputing.causes import Cause, Days
from tenants.law.book import Book, Published
from tenants.law.loader import read
from tests.support.factories import BARRA, COTRIGUACU

DAY = date(2026, 3, 10)
HOLIDAY = '[[holiday]]\ntitle = "Feriado"\nday = 2026-03-10\nact = "Decreto"\n'
VALUE = '[[supplied]]\ncode = "{code}"\nvalue = "{value}"\nsource = "Decreto"\n'
CHOICE = '[[choice]]\ncode = "{code}"\noption = "{option}"\nby = "prefeito"\nwhy = "decreto"\n'
AMOUNT = '[[infraction]]\ncode = "CO-40-V"\ncite = "art. 40, V"\ndo = "fine"\nby = "fiscalizacao"\namount = "21 UFM"\n'
SEVERAL = '[[overlap]]\ncode = "outra"\ntitle = "Outra"\ncite = "art. 47"\norder = ["CO-40-V", "CO-40-VIII"]\n'
LADDER = """
[[measure]]
code = "antes"
title = "As de antes"
counts = "{counts}"
cite = "art. 39"
match = ["holder"]
window = "{window}"
{more}
[[ladder]]
code = "outra"
title = "Outra"
cite = "art. 39"
applies = {{ infraction = ["CO-40-V"] }}
measure = "antes"
factor = 2
"""
OTHERS = AMOUNT.replace("40-V", "40-VIII").replace("40, V", "40, VIII")


@cache
def history(slug: str) -> tuple[tuple[Published, ...], Book]:
    pack = next(plan.pack for plan in plans() if plan.slug == slug)
    rows = tuple(Published(1, None, "Lei", raw) for raw in read(pack)[0])
    return rows, Book.of(rows)


def published(slug: str, *texts: str) -> Bearing:
    """The last of several amendments is what is asked about."""
    rows, then = history(slug)
    now = then
    for seq, text in enumerate(texts, start=2):
        raws, _ = read(text, base=tuple(now.items()), norm=now.own_norms[0])
        then, rows = now, (*rows, *(Published(seq, date(2010, 1, 4), "Decreto", raw) for raw in raws))
        now = Book.of(rows)
    return Bearing(Cause(None, len(texts) + 1, "Decreto", Days(now), Days(then)))


@pytest.mark.parametrize(
    ("slug", "text", "codes", "bears"),
    [
        (COTRIGUACU, VALUE.format(code="valor_ufm", value="40 BRL"), ["CO-40-V"], False),
        (BARRA, VALUE.format(code="valor_ufir", value="2 BRL"), ["I-07"], False),
        (COTRIGUACU, CHOICE.format(code="dia_da_ufm", option="payment"), ["CO-40-V"], True),
        (COTRIGUACU, HOLIDAY, ["CO-40-V"], False),
        (COTRIGUACU, AMOUNT, ["CO-40-V"], True),
        (COTRIGUACU, AMOUNT, ["CO-26"], False),
        (COTRIGUACU, AMOUNT + "from = 2026-03-11\n", ["CO-40-V"], False),
        (COTRIGUACU, SEVERAL, ["CO-40-V"], False),
        (COTRIGUACU, SEVERAL, ["CO-40-V", "CO-40-VIII"], True),
        (BARRA, CHOICE.format(code="anexos", option="highest"), ["II-03", "I-07"], True),
        (BARRA, CHOICE.format(code="anexos", option="highest"), ["I-07"], False),
        (BARRA, VALUE.format(code="publicacao", value="2009-12-01"), ["I-07"], True),
        (COTRIGUACU, CHOICE.format(code="advertencia", option="any_warning"), ["CO-39-I"], True),
        (COTRIGUACU, CHOICE.format(code="advertencia", option="any_warning"), ["CO-40-V"], False),
        (COTRIGUACU, OTHERS, ["CO-40-V"], False),
    ],
)
def test_only_what_the_rules_of_a_fact_name_bears_on_it(slug: str, text: str, codes: list[str], bears: bool) -> None:
    assert published(slug, text).on(codes, DAY) is bears


def test_the_same_published_again_bears_on_nothing() -> None:
    assert not published(COTRIGUACU, AMOUNT, AMOUNT).on(["CO-40-V"], DAY)


def test_a_holiday_bears_where_repetition_is_counted_in_working_days() -> None:
    days = LADDER.format(counts="infraction", window="90 days", more="")
    working = LADDER.format(counts="infraction", window="90 working days", more="")

    assert not published(COTRIGUACU, days, HOLIDAY).on(["CO-40-V"], DAY)
    assert published(COTRIGUACU, working, HOLIDAY).on(["CO-40-V"], DAY)


def test_where_points_add_up_the_law_of_earlier_days_bears_too() -> None:
    """What another infraction carried on its own day counts on the day of this one."""
    points = LADDER.format(counts="points", window="12 months", more='sum = "points"')
    earlier = OTHERS + "points = 3\nuntil = 2026-02-01\n"

    assert published(COTRIGUACU, points, earlier).on(["CO-40-V"], DAY)
    assert not published(COTRIGUACU, points.replace('sum = "points"', ""), earlier).on(["CO-40-V"], DAY)
