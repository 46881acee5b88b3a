"""The third town over HTTP: how it is brought, and how the tests ask its law."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenants.law.book import Book
from tenants.law.law import Law
from tests.support.law import published

if TYPE_CHECKING:
    from tests.support.web import Edge

PACK = Path(__file__).with_name("pack.toml")
HOST = "vilanovadoipe.example"
TODAY = date(2026, 3, 10)
ANSWER = (
    "outcome message value day office money { brl units unit rate } citations { text urn } missing { kind code } "
    "rules { kind code } parts { outcome message value citations { text } rules { code } missing { code } }"
)
ONBOARD = """
mutation ($text: String!) {
  onboard(input: { text: $text }) {
    __typename
    ... on Onboarded { slug name }
    ... on Problem { code message }
  }
}
"""


def pack_text() -> str:
    return PACK.read_text(encoding="utf-8")


def law_of_ipe(on: date = TODAY) -> Law:
    """The town's law of a day without any server."""
    return Book.of(published(pack_text())).on(on)


class Ipe:
    """The town's front end."""

    def __init__(self, web: Edge, onboarding: dict[str, Any]) -> None:
        self.web, self.onboarding = web, onboarding

    async def run(self, document: str, *, subject: str = "", operator: bool = False, **variables: Any) -> Any:
        """The first field of an operation that has no errors; ``subject``: who asks, nobody by default."""
        token = self.web.token(subject, operator=operator) if subject else None
        data = await self.web.ask(document, variables=variables, token=token, host=HOST)
        return next(iter(data.values()))

    async def answer(self, question: str, *, subject: str = "", **arguments: Any) -> Decision:
        """The law's answer to a question query, by its name and arguments."""
        given = ", ".join(f"{name}: {written(value)}" for name, value in arguments.items())
        return Decision(await self.run(f"{{ {question}({given}) {{ {ANSWER} }} }}", subject=subject))


class Decision:
    """A decision as a front end got it."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.outcome: str = body["outcome"]
        self.value: Any = body["value"]
        self.articles = [citation["text"] for citation in body["citations"]]
        self.rules = [rule["code"] for rule in body["rules"]]
        self.missing = [missing["code"] for missing in body["missing"]]

    @property
    def brl(self) -> Decimal:
        return Decimal(self.body["money"]["brl"])

    @property
    def day(self) -> str | None:
        day: str | None = self.body["day"]
        return day

    def part(self, rule: str) -> dict[str, Any]:
        """The part that a rule answered."""
        (found,) = [part for part in self.body["parts"] if rule in [used["code"] for used in part["rules"]]]
        return dict(found)


async def onboarded(web: Edge) -> Ipe:
    data = await web.ask(ONBOARD, variables={"text": pack_text()}, token=web.token("plataforma", operator=True))
    return Ipe(web, data["onboard"])


def written(value: Any) -> str:
    """A literal of the GraphQL language."""
    match value:
        case dict():
            return "{ " + ", ".join(f"{key}: {written(inner)}" for key, inner in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
        case date():
            return f'"{value.isoformat()}"'
        case Decimal():
            return f'"{value}"'
    return json.dumps(value, ensure_ascii=False)


def supposing(**facts: object) -> list[dict[str, str]]:
    """Hypothetical facts; dots written as double underscores."""
    return [{"code": code.replace("__", "."), "value": _said(value)} for code, value in facts.items()]


def _said(value: object) -> str:
    return ("sim" if value else "não") if isinstance(value, bool) else str(value)


def keyed(**keys: str) -> list[dict[str, str]]:
    return [{"key": key, "code": code} for key, code in keys.items()]
