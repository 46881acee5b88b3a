"""The product as its users meet it: towns over HTTP, each role with its token and its front end's own documents."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from api.documents import trusted
from deploy.fictitious.plan import Plan, plans
from services.clock import FixedClock
from services.database import Database
from tests.conftest import settings_of
from tests.support.servers import TEMPLATE, Servers
from tests.support.web import Edge, edge

BARRA, COTRIGUACU = "barra-do-garcas", "cotriguacu"
NOW = datetime(2026, 3, 10, 15, 0, tzinfo=UTC)
TODAY = date(2026, 3, 10)
DOCUMENTS = trusted()
PLANS = {plan.slug: plan for plan in plans()}
OPERATOR = "plataforma"


@dataclass(frozen=True, slots=True)
class Stage:
    """Both towns, or none yet, on a database of its own."""

    web: Edge
    database: Database
    servers: Servers

    async def run(self, document: str, *, town: str, role: str = "", **variables: Any) -> Any:
        """The first field of a document's answer, asked by whoever has the role of its folder in the town."""
        role = role or document.partition("/")[0]
        data = await self.web.ask(DOCUMENTS[document], variables=variables, **self.asking(role, town))
        return next(iter(data.values()))

    async def body(self, document: str, *, town: str, role: str = "", **variables: Any) -> Any:
        """The whole answer, whatever it is."""
        asking = self.asking(role or document.partition("/")[0], town)
        return (await self.web.post(DOCUMENTS.get(document, document), variables=variables, **asking)).json()

    async def act(self, document: str, given: Mapping[str, Any], *, town: str, role: str = "") -> Any:
        """What a mutation answers, be it a no."""
        return await self.run(document, town=town, role=role, input=dict(given))

    async def done(self, document: str, given: Mapping[str, Any], *, town: str, role: str = "") -> Any:
        """What a mutation has made."""
        made = await self.act(document, given, town=town, role=role)
        assert "message" not in made, made
        return made

    def asking(self, role: str, town: str) -> dict[str, Any]:
        """Host and token of a role: its account in the town's plan."""
        if role == "public":
            return {"host": host_of(town)}
        if role == "operator":
            return {"token": self.web.token(OPERATOR, town=town or None, operator=True)}
        return {"token": self.web.token(subject_of(town, role), town=town)}

    def at(self, moment: datetime) -> None:
        """Let it be that moment."""
        clock = self.web.clock
        assert isinstance(clock, FixedClock)
        clock.at = moment

    async def town(self, slug: str) -> UUID:
        async with self.database.directory() as directory:
            found: UUID = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=slug)
        return found


def host_of(town: str) -> str:
    return f"{town}.praca.example"


def subject_of(town: str, role: str) -> str:
    """A role without an account in the plan is its own subject."""
    return next((account.subject for account in PLANS[town].account if account.role == role), role)


@asynccontextmanager
async def staged(
    servers: Servers,
    folder: Path,
    *,
    source: str = TEMPLATE,
    name: str | None = None,
    at: datetime = NOW,
    **settings: Any,
) -> AsyncIterator[Stage]:
    """The application on a copy of a database; without a name the copy is gone afterwards."""
    kept = name or f"stage_{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
    await servers.command(f'create database "{kept}" template "{source}"')
    database = Database(settings_of(servers, servers.url(kept), 0), FixedClock(at))
    try:
        async with edge(database, folder, **settings) as web:
            yield Stage(web, database, servers)
    finally:
        await database.close()
        if name is None:
            await servers.drop(kept)


async def found_towns(stage: Stage) -> None:
    """Both towns from their packs by the platform's operator, with sample values and everybody in office."""
    for slug, plan in PLANS.items():
        await stage.done("operator/onboard", {"text": plan.pack, "fictitious": True}, town="", role="operator")
        await publish(stage, slug, plan.samples, norm="Valores de exemplo")
        await fill_offices(stage, plan)


async def fill_offices(stage: Stage, plan: Plan) -> None:
    for account in plan.account:
        for office in account.offices:
            given = {"subject": account.subject, "office": office, "since": "2010-01-01", "name": account.name}
            await stage.done("mayor/appoint", given, town=plan.slug, role="operator")


async def publish(stage: Stage, town: str, text: str, *, norm: str, official_on: date = TODAY) -> Any:
    given = {"text": text, "norm": norm, "officialOn": official_on.isoformat()}
    return await stage.done("operator/publishAmendment", given, town=town)


def supposing(**facts: object) -> list[dict[str, str]]:
    """Hypothetical facts; dots written as double underscores."""
    return [{"code": code.replace("__", "."), "value": said(value)} for code, value in facts.items()]


def said(value: object) -> str:
    if isinstance(value, bool):
        return "sim" if value else "não"
    return str(value)


def articles(decision: Mapping[str, Any]) -> set[str]:
    """Every device that an answer or one of its parts cites, as people write it."""
    cited = {citation["text"].partition(", ")[2] for citation in decision["citations"]}
    return cited.union(*(articles(part) for part in decision.get("parts", ())))


def readings(decision: Mapping[str, Any]) -> dict[str, str]:
    """The option by which each ambiguous text was read."""
    found = {used["code"]: used["option"] for used in decision.get("readings", ())}
    for part in decision.get("parts", ()):
        found |= readings(part)
    return found
