"""A small schema that has one of everything the edge treats specially."""

from dataclasses import field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import strawberry
from strawberry.schema.config import StrawberryConfig
from strawberry.types import Info

from api.selection import Related, Selection, page_of
from api.types.connections import Connection, Page
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import SCALARS


@strawberry.enum
class Color(Enum):
    WHITE = "white"
    BLACK = "black"


@output(description="A sample.")
class Fine(Node):
    amount: Decimal
    paid: bool = False


@output(description="A sample.")
class Holder(Node):
    name: str
    born: date | None = None


@output(description="A sample.")
class Permit(Node):
    number: int
    color: Color | None = None
    holder: Holder | None = None
    labels: list[str] = field(default_factory=list)
    scores: list[int | None] = field(default_factory=list)
    fines: Connection[Fine] = strawberry.field(resolver=page_of)
    related: strawberry.Private[Related] = field(default_factory=dict)


@output(description="A sample.")
class Lazy:
    number: int


@strawberry.type
class Query:
    @strawberry.field
    async def permits(self, info: Info, first: int | None = None) -> Connection[Permit]:
        page = Page.of(first, None, keys=(int,))
        wanted = Selection.of(info).under("edges", "node")
        permits: list[Permit] = info.context["permits"]
        info.context["asked"] = wanted.names
        for use in wanted.uses("fines"):
            most = Page.of(use.arguments.get("first"), None, keys=(int,))
            info.context.setdefault("uses", []).append((use.key, dict(use.arguments), use.wanted.names))
            for permit in permits:
                permit.related[use.key] = most.connection([(fine, (0,)) for fine in info.context["fines"]])
        return page.connection([(permit, (permit.number,)) for permit in permits])

    @strawberry.field
    def anything(self, info: Info) -> list[Annotated[Permit | Holder, strawberry.union("Anything")]]:
        return [*info.context["permits"], Holder(id=strawberry.ID("h"), name="Ana")]

    @strawberry.field
    def nodes(self, info: Info) -> list[Node]:
        return list(info.context["permits"])


@strawberry.type
class Mutation:
    @strawberry.mutation
    def grant(self, number: int) -> int:
        return number


schema = strawberry.Schema(Query, Mutation, types=[Permit, Holder, Fine], config=StrawberryConfig(scalar_map=SCALARS))


def context(*permits: Permit) -> dict[str, Any]:
    fines = [Fine(id=strawberry.ID(f"f{n}"), amount=Decimal(n) / 2) for n in range(3)]
    return {"permits": list(permits), "fines": fines}


def permit(at: int = 1, **changes: Any) -> Permit:
    return Permit(**{"id": strawberry.ID(f"p{at}"), "number": at, **changes})
