"""The API as a front end meets it: requests over HTTP to an application of one test's own database."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from api.app import create_app
from services.clock import Clock
from services.database import Database
from services.settings import Settings
from services.tokens import Issuer

ISSUER = "https://login.test"


class Edge:
    """An application and its issuer. ``host`` decides the town, as it does behind a proxy."""

    def __init__(self, app: Starlette, client: httpx.AsyncClient, settings: Settings, clock: Clock) -> None:
        self.app, self.client, self.settings, self.clock = app, client, settings, clock
        self.issuer = Issuer(settings.keys_dir or Path())

    def token(self, subject: str = "ana", *, town: str | None = None, operator: bool = False) -> str:
        return self.issuer.token(self.settings, self.clock, subject=subject, town=town, operator=operator)

    async def post(
        self,
        query: str | None,
        *,
        variables: dict[str, Any] | None = None,
        token: str | None = None,
        host: str = "localhost",
        path: str = "/graphql",
        headers: dict[str, str] | None = None,
        **body: Any,
    ) -> httpx.Response:
        sent = {"host": host, **({"authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        content = {"query": query, "variables": variables or {}, **body}
        return await self.client.post(path, json={k: v for k, v in content.items() if v is not None}, headers=sent)

    async def ask(self, query: str, **options: Any) -> dict[str, Any]:
        """The data of an operation that has no errors."""
        answer = (await self.post(query, **options)).json()
        assert "errors" not in answer, json.dumps(answer["errors"], ensure_ascii=False, indent=1)
        data: dict[str, Any] = answer["data"]
        return data

    async def codes(self, query: str | None, **options: Any) -> list[str]:
        """The codes of the errors of an operation."""
        answer = (await self.post(query, **options)).json()
        return [error["extensions"]["code"] for error in answer.get("errors", ())]


@asynccontextmanager
async def edge(database: Database, folder: Path, **changes: Any) -> AsyncIterator[Edge]:
    """The application on the test's own database, its settings changed as named."""
    keys = folder / "keys"
    keys.mkdir(mode=0o700)
    kept = {"keys_dir": keys, "jwks_file": keys / "jwks.json", "evidence_folder": folder / "evidence"}
    own = {"issuer": ISSUER, "directory_seconds": 0, **kept, **changes}
    settings = Settings.model_validate({**database.settings.model_dump(), **own})
    app = create_app(settings, database.clock)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        yield Edge(app, client, settings, database.clock)
