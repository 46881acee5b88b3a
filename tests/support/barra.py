"""The real pack of Barra do Garças, with what the law leaves to acts of the town as fixtures."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from tenants.law.book import Book
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tests.support.law import book_of, facts_of

PACK = (Path(__file__).parents[2] / "tenants" / "municipalities" / "barra-do-garcas.toml").read_text(encoding="utf-8")
SAID = """
[[supplied]]
source = "fixture"
sample = true
rows = [{ code = "publicacao", value = 2009-12-28 }, { code = "valor_ufir", value = 1.0641 }]
"""
TAXI, ESCOLAR = {"category": "taxi"}, {"category": "escolar"}
CASE_DAY = date(2010, 10, 15)


@cache
def book(said: str = SAID) -> Book:
    """``said``: tables that follow the pack's own."""
    return book_of(said, town=PACK)


def also_said(code: str, value: str) -> Book:
    return book(f'{SAID}[[supplied]]\ncode = "{code}"\nvalue = {value}\nsource = "fixture"\n')


def choosing(reading: str, option: str) -> Book:
    choice = f'[[choice]]\ncode = "{reading}"\noption = "{option}"\nby = "prefeito"\nwhy = "fixture"\n'
    return book(SAID + choice)


def asked(question: Any, on: date, under: Book | None = None, /, **facts: object) -> Decision:
    law = (under or book()).on(on)
    return decide(law, question, facts_of(law, **facts))


def readings(decision: Decision) -> dict[str, str]:
    found = {used.code: used.option for used in decision.readings}
    for part in decision.parts:
        found |= readings(part)
    return found


def articles(decision: Decision) -> set[str]:
    return {cited.short for cited in decision.citations}
