"""Putting a question to the law of a day, and the inputs that questions have in common."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import strawberry
from strawberry.types import Info

from api.context import Context
from api.facts import FactInput, supposed
from api.types.decisions import Decision
from services.errors import Invalid
from tenants.law.decide import decide
from tenants.law.facts import Facts
from tenants.law.questions import Event, PaperFact


@strawberry.input(description="Something of the case that rules may apply to (chave): holder, title, role, area …")
class KeyInput:
    key: str
    code: str


@strawberry.input(description="The day of an event by its name in the law (data).")
class DatedInput:
    event: str
    day: date


@strawberry.input(description="From one day to another, both included (período).")
class SpanInput:
    first: date
    last: date


@strawberry.input(description="A paper presented (documento).")
class PaperInput:
    code: str
    of: str = "holder"
    issued_on: date | None = None
    valid_until: date | None = None


@strawberry.input(description="Something of the past that repetition or points may count (fato anterior).")
class PastInput:
    on: date
    keys: list[KeyInput] = strawberry.field(default_factory=list)
    penalty: str = ""
    final_on: date | None = None
    paid: bool | None = None
    points: int | None = None
    days: int | None = None


async def ask(
    info: Info[Context, None],
    question: Any,
    *,
    on: date | None,
    known_at: date | None = None,
    suppose: Iterable[FactInput] | None = None,
) -> Decision:
    """The law's answer; the day of the fact picks the law.

    Raises:
        Invalid: A supposed fact is not in the vocabulary, or of another type.
        NoLawInForce: The town has published nothing.
    """
    reader = await info.context.reader()
    law = await reader.law(on=reader.today if on is None else on, known_at=known_at)
    facts = Facts.of(supposed(law, list(suppose or ())), law.vocabulary)
    return Decision.of(decide(law, question, facts).plain(), law.norms)


async def facts_given(info: Info[Context, None], on: date | None, given: Iterable[FactInput]) -> Facts:
    """Facts of something inside a question, such as one vehicle of a fleet. Raises Invalid."""
    reader = await info.context.reader()
    law = await reader.law(on=reader.today if on is None else on)
    return Facts.of(supposed(law, list(given)), law.vocabulary)


def keys_of(given: Iterable[KeyInput] | None, **more: str | None) -> dict[str, str]:
    keys = {each.key: each.code for each in given or ()}
    return keys | {key: code for key, code in more.items() if code is not None}


def days_of(given: Iterable[DatedInput] | None) -> Mapping[str, date]:
    return {each.event: each.day for each in given or ()}


def spans_of(given: Iterable[SpanInput] | None) -> tuple[tuple[date, date], ...]:
    """Raises Invalid for one that ends before it begins."""
    for span in given or ():
        if span.last < span.first:
            raise Invalid("suspensions", "order", "O período termina antes de começar.")
    return tuple((span.first, span.last) for span in given or ())


def papers_of(given: Iterable[PaperInput] | None) -> tuple[PaperFact, ...]:
    return tuple(PaperFact(p.code, p.of, p.issued_on, p.valid_until) for p in given or ())


def past_of(given: Iterable[PastInput] | None) -> tuple[Event, ...]:
    return tuple(
        Event(
            on=each.on,
            keys=keys_of(each.keys),
            penalty=each.penalty,
            final_on=each.final_on,
            paid=each.paid,
            points=each.points,
            days=each.days,
        )
        for each in given or ()
    )
