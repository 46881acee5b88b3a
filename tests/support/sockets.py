"""A server with real WebSockets in the test's own process, and a client of graphql-transport-ws."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import uvicorn
import websockets
from websockets.asyncio.client import ClientConnection

from api.documents import trusted
from deploy.embedded.program import free_port
from tests.support.web import Edge

PROTOCOL = "graphql-transport-ws"
PROGRESS = trusted()["clerk/jobProgress"]
PATIENCE_SECONDS = 20


class Client:
    """One connection. What comes is awaited, never slept for."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def say(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            heard: dict[str, Any] = json.loads(await self.connection.recv())
        return heard

    async def begin(self, token: str | None) -> None:
        """Say who it is, and be let in."""
        await self.say(type="connection_init", payload={"authorization": f"Bearer {token}"} if token else {})
        assert await self.hear() == {"type": "connection_ack"}

    async def watch(self, job: str, *, id: str = "1", query: str | None = PROGRESS, **payload: Any) -> None:
        asked = {"query": query, "variables": {"id": job}, **payload}
        await self.say(type="subscribe", id=id, payload={k: v for k, v in asked.items() if v is not None})

    async def told(self, id: str = "1") -> dict[str, Any]:
        """The job in the next message."""
        message = await self.hear()
        assert (message["type"], message["id"]) == ("next", id), message
        found: dict[str, Any] = message["payload"]["data"]["jobProgress"]
        return found

    async def until(self, **members: Any) -> dict[str, Any]:
        """The first job told that is so: a look between two commits shows what lies between them."""
        while True:
            job = await self.told()
            if members.items() <= job.items():
                return job

    async def refused(self, id: str = "1") -> str:
        """The code of the error in the next message."""
        message = await self.hear()
        assert (message["type"], message["id"]) == ("error", id), message
        return str(message["payload"][0]["extensions"]["code"])

    async def left(self) -> int:
        """With which code the server closes."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            with suppress(websockets.ConnectionClosed):
                while True:
                    await self.connection.recv()
        return int(self.connection.close_code or 0)


@asynccontextmanager
async def serving(web: Edge) -> AsyncIterator[str]:
    """The address of the application's server; its life is the edge's."""
    port = free_port()
    config = uvicorn.Config(web.app, port=port, ws="websockets-sansio", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it says so by an attribute alone
        await asyncio.sleep(0.01)
    try:
        yield f"ws://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await running


@asynccontextmanager
async def connected(
    address: str, *, host: str, path: str = "/graphql", origin: str | None = None, protocol: str = PROTOCOL
) -> AsyncIterator[Client]:
    """As a front end of the town connects; its `Host` names the town, as behind a proxy."""
    async with websockets.connect(
        f"ws://{host}{path}",
        host="127.0.0.1",
        port=int(address.rpartition(":")[2]),
        subprotocols=[websockets.Subprotocol(protocol)],
        origin=None if origin is None else websockets.Origin(origin),
        proxy=None,
        ping_interval=None,
    ) as connection:
        yield Client(connection)
