"""The web application: `uvicorn api.app:create_app --factory`."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from api import graphiql
from api.auth import Verifier
from api.documents import Documents
from api.endpoint import Endpoint, answer
from api.evidence import evidence_routes
from api.importing.upload import Upload
from api.middleware import Cors, Envelope, origin_host
from api.progress.looking import JobLooker
from api.progress.sockets import Sockets
from api.schema import schema
from api.towns import Towns
from api.watching import PoolUse
from services import logs, metrics, tracing
from services.clock import Clock, clock_of
from services.database import Database
from services.evidence.storage import storage_of
from services.settings import Settings
from services.settings import settings as process_settings
from services.tokens import Issuer
from services.watching.numbers import RegisterNumbers


def create_app(settings: Settings | None = None, clock: Clock | None = None) -> Starlette:
    """Refuses to start, with UnsafeRole, as a database role that row-level security does not bind."""
    logs.configure()
    alone = settings is None  # the process is this application's, not a test's
    settings = settings or process_settings()
    if alone:
        tracing.begin(settings, "praca-api")  # before the database: its statements are watched from the first
    endpoint = endpoint_of(settings, clock or clock_of(settings))
    jobs = JobLooker(endpoint.database)

    async def allowed(origin: str) -> bool:
        host = origin_host(origin)
        known = host is not None and await endpoint.towns.of_host(host) is not None
        return known or origin in settings.cors_origins

    app = Starlette(
        routes=[
            *routes(endpoint, settings),
            *pushing(Sockets(endpoint, jobs, allowed), settings),
            *(graphiql.routes() if settings.explorable else []),
        ],
        lifespan=partial(living, endpoint, jobs, alone),
        middleware=[Middleware(Envelope), Middleware(Cors, allowed=allowed)],
    )
    app.state.jobs = jobs
    return app


def endpoint_of(settings: Settings, clock: Clock) -> Endpoint:
    database = Database(settings, clock)
    return Endpoint(
        schema=schema._schema,
        settings=settings,
        database=database,
        documents=Documents(schema._schema, settings),
        verifier=Verifier(settings, clock),
        towns=Towns(database),
    )


@asynccontextmanager
async def living(endpoint: Endpoint, jobs: JobLooker, alone: bool, app: Starlette) -> AsyncIterator[None]:
    database, settings = endpoint.database, endpoint.settings
    numbers = RegisterNumbers(database, asyncio.get_running_loop())
    stop_showing = metrics.serve(settings, PoolUse(database), numbers)
    try:
        await database.check_role()
        if alone:
            gc.freeze()  # what is there from the start is not looked through again and again
            gc.set_threshold(settings.gc_threshold)
        yield
    finally:
        if stop_showing is not None:
            await asyncio.to_thread(stop_showing)
        await jobs.close()
        await database.close()
        if alone:
            tracing.end()


def pushing(sockets: Sockets, settings: Settings) -> list[BaseRoute]:
    async def graphql(socket: WebSocket) -> None:
        await sockets(socket)

    paths = ["/graphql", "/t/{town}/graphql"] if settings.embedded else ["/graphql"]
    return [WebSocketRoute(path, graphql) for path in paths]


def routes(endpoint: Endpoint, settings: Settings) -> list[BaseRoute]:
    async def graphql(request: Request) -> Response:
        if request.method == "GET":
            return await graphiql.show(request)
        return await endpoint(request)

    async def ready(request: Request) -> Response:
        """Can it answer: is the database there?"""
        await endpoint.database.check_role()
        return answer({"ready": True}, HTTPStatus.OK)

    async def health(request: Request) -> Response:
        """Does the process live? It asks nobody else."""
        return answer({"alive": True}, HTTPStatus.OK)

    methods = ["GET", "POST"] if settings.explorable else ["POST"]
    files = Upload(endpoint.settings, endpoint.database, endpoint.verifier, endpoint.towns)

    async def upload(request: Request) -> Response:
        return await files(request)

    found: list[BaseRoute] = [
        Route("/graphql", graphql, methods=methods),
        Route("/imports/{sha256}", upload, methods=["PUT"]),
        Route("/ready", ready, methods=["GET"]),
        Route("/health", health, methods=["GET"]),
        *evidence_routes(endpoint, storage_of(settings)),
    ]
    if settings.embedded:
        # On one machine every town has the same host: the path stands for it.
        found.append(Route("/t/{town}/graphql", graphql, methods=methods))
        found.append(Route("/t/{town}/imports/{sha256}", upload, methods=["PUT"]))
        if settings.keys_dir is not None:
            Issuer(settings.keys_dir)  # its keys are there before the first token comes
            keys = settings.keys_dir / "jwks.json"

            async def jwks(request: Request) -> Response:
                return FileResponse(keys, media_type="application/json")

            found.append(Route("/.well-known/jwks.json", jwks, methods=["GET"]))
    return found
