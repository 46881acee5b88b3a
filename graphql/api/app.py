"""The web application: `uvicorn api.app:create_app --factory`."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from api import graphiql
from api.auth import Verifier
from api.documents import Documents
from api.endpoint import Endpoint, answer
from api.evidence import evidence_routes
from api.importing.upload import Upload
from api.middleware import Cors, Envelope, origin_host
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
    clock = clock or clock_of(settings)
    if alone:
        tracing.begin(settings, "praca-api")
    database = Database(settings, clock)
    towns = Towns(database)
    endpoint = Endpoint(
        schema=schema._schema,
        settings=settings,
        database=database,
        documents=Documents(schema._schema, settings),
        verifier=Verifier(settings, clock),
        towns=towns,
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        watched = RegisterNumbers(database, asyncio.get_running_loop())
        ended = metrics.serve(settings, PoolUse(database), watched)
        try:
            await database.check_role()
            if alone:
                gc.freeze()  # what is there from the start is not looked through again and again
                gc.set_threshold(settings.gc_threshold)
            yield
        finally:
            if ended is not None:
                await asyncio.to_thread(ended)
            await database.close()
            tracing.end()

    async def allowed(origin: str) -> bool:
        host = origin_host(origin)
        return origin in settings.cors_origins or (host is not None and await towns.of_host(host) is not None)

    return Starlette(
        routes=[*routes(endpoint, settings), *(graphiql.routes() if settings.explorable else [])],
        lifespan=lifespan,
        middleware=[Middleware(Envelope), Middleware(Cors, allowed=allowed)],
    )


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
