"""The one thing that is pushed."""

from collections.abc import AsyncGenerator

import strawberry
from strawberry.types import Info

from api.context import Context
from api.importing.types import Job, job_of
from api.types.scalars import read_id
from services.errors import Forbidden
from services.jobs import store


@strawberry.type(description="What is pushed (assinaturas), over graphql-transport-ws alone.")
class Subscription:
    @strawberry.subscription(
        description="A job as it is, then whenever it has come further, until it has ended (andamento de tarefa)."
    )
    async def job_progress(self, info: Info[Context, None], id: strawberry.ID) -> AsyncGenerator[Job, None]:
        context = info.context
        if context.claims is None or context.jobs is None:
            raise Forbidden("read")
        async with context.database.reader(context.town_id) as tx:  # closed before anything is pushed
            (await context.actor_in(tx)).must("read")
            row = await store.one(tx, read_id(id, "job").key)
        changes = context.jobs.changes(context.town_id, row, context.claims)

        async def shown() -> AsyncGenerator[Job, None]:
            try:
                async for each in changes:
                    yield job_of(each)
            finally:
                await changes.aclose()

        return shown()
