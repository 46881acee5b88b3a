"""What a conduct draws, by when one must act, what it costs."""

from datetime import date

import strawberry
from strawberry.types import Info

from api.context import Context
from api.facts import FactInput
from api.questions.asking import (
    DatedInput,
    KeyInput,
    PastInput,
    SpanInput,
    ask,
    days_of,
    keys_of,
    past_of,
    spans_of,
)
from api.types.decisions import Decision
from tenants.law.questions import (
    FeeQuestion,
    InfractionsQuestion,
    PointsQuestion,
    ProcessQuestion,
    ServedQuestion,
    StepQuestion,
    TermQuestion,
)


@strawberry.type
class PenaltyQuestions:
    @strawberry.field(
        description="What one fact draws that is all these infractions (multa, penalidade). Overlap strikes out, "
        "repetition counts the past; the law is that of the day on which it was seen."
    )
    async def quote_infraction(
        self,
        info: Info[Context, None],
        codes: list[str],
        seen_on: date,
        category: str | None = None,
        keys: list[KeyInput] | None = None,
        past: list[PastInput] | None = None,
        days: list[DatedInput] | None = None,
        known_at: date | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = InfractionsQuestion(
            codes=tuple(codes), keys=keys_of(keys, category=category), events=past_of(past), days=days_of(days)
        )
        return await ask(info, question, on=seen_on, known_at=known_at, suppose=suppose)

    @strawberry.field(description="The points that live on a day, and what their sum draws (pontuação).")
    async def points(
        self,
        info: Info[Context, None],
        past: list[PastInput],
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        return await ask(info, PointsQuestion(past_of(past), keys_of(keys)), on=on, suppose=suppose)

    @strawberry.field(description="By when, counting from an event, and what follows lateness (prazo).")
    async def term(
        self,
        info: Info[Context, None],
        code: str,
        start: date,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suspensions: list[SpanInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = TermQuestion(code, start, keys_of(keys), spans_of(suspensions))
        return await ask(info, question, on=on, suppose=suppose)

    @strawberry.field(description="How a kind of case is conducted (processo): steps, who judges.")
    async def process(
        self, info: Info[Context, None], process: str, on: date | None = None, keys: list[KeyInput] | None = None
    ) -> Decision:
        return await ask(info, ProcessQuestion(process, keys_of(keys)), on=on)

    @strawberry.field(description="By when, to whom and with what effect a step of a case is taken (defesa, recurso).")
    async def step_term(
        self,
        info: Info[Context, None],
        process: str,
        step: str,
        start: date | None = None,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suspensions: list[SpanInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = StepQuestion(process, step, start, keys_of(keys), spans_of(suspensions))
        return await ask(info, question, on=on, suppose=suppose)

    @strawberry.field(description="When a service counts as done (intimação, notificação).")
    async def served(
        self,
        info: Info[Context, None],
        way: str,
        dates: list[DatedInput],
        tried: list[str] | None = None,
        where_unknown: bool = False,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
    ) -> Decision:
        ways = None if tried is None else tuple(tried)
        return await ask(info, ServedQuestion(way, days_of(dates), ways, where_unknown, keys_of(keys)), on=on)

    @strawberry.field(description="What a fee comes to (taxa), by its code or by the act that it is of.")
    async def fee(
        self,
        info: Info[Context, None],
        code: str | None = None,
        of: str | None = None,
        instalments: int = 1,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        days: list[DatedInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = FeeQuestion(code, of, keys_of(keys), days_of(days), instalments)
        return await ask(info, question, on=on, suppose=suppose)
