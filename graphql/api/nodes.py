"""Fetching a record again by its id alone. Each subject says how its own are loaded."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.selection import Selection
from api.types.nodes import Node
from api.types.scalars import read_id
from services.database import Reader
from services.errors import NotFound

Load = Callable[[Reader, UUID, Selection], Awaitable[Any]]
LOADERS: dict[str, Load] = {}


def loads(kind: str) -> Callable[[Load], Load]:
    """Say how a record of this kind is loaded, for whoever may read the register."""

    def kept(load: Load) -> Load:
        LOADERS[kind] = load
        return load

    return kept


@strawberry.type
class NodeQuery:
    @strawberry.field(
        description="A record by its id (registro), whatever its kind; none where the town has no such. For offices."
    )
    async def node(self, info: Info[Context, None], id: strawberry.ID) -> Node | None:
        (await info.context.actor()).must("read")
        try:
            named = read_id(id)
            load = LOADERS.get(named.kind)
            made: Node | None = await load(await info.context.reader(), named.key, Selection.of(info)) if load else None
        except NotFound:
            return None
        return made
