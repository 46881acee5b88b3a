"""The town itself, and who is asking."""

from datetime import date

import strawberry
from strawberry.types import Info

from api.context import Context
from api.types.output import output
from services.access import OPERATOR_POWERS


@output(description="A municipality (município).")
class Municipality:
    slug: str
    name: str
    uf: str = strawberry.field(description="The state (unidade da federação).")
    ibge: str = strawberry.field(description="Its code at the statistics institute (código IBGE).")
    zone: str = strawberry.field(description="Where its days begin (fuso horário).")
    today: date = strawberry.field(description="Its local day (hoje).")
    fictitious: bool = strawberry.field(description="For trying out: its values may be samples (fictício).")


@output(description="Who asks (usuário), by the register of the town's day.")
class Viewer:
    subject: str
    kind: str = strawberry.field(description="operator, office, holder, driver or public.")
    offices: list[str] = strawberry.field(description="The offices held today (órgãos).")
    powers: list[str] = strawberry.field(description="What these offices may do (competências).")


@strawberry.type
class MunicipalityQuery:
    @strawberry.field(description="The town of this address or token (município). Public.")
    async def municipality(self, info: Info[Context, None]) -> Municipality:
        reader = await info.context.reader()
        town = reader.town
        return Municipality(
            slug=town.slug,
            name=town.name,
            uf=town.uf,
            ibge=town.ibge,
            zone=town.zone,
            today=reader.today,
            fictitious=town.fictitious,
        )

    @strawberry.field(description="Who asks (usuário); absent when nobody says.")
    async def viewer(self, info: Info[Context, None]) -> Viewer | None:
        claims = info.context.claims
        if claims is None:
            return None
        if info.context.town is None and claims.operator:
            return Viewer(subject=claims.subject, kind="operator", offices=[], powers=sorted(OPERATOR_POWERS))
        actor = await info.context.actor()
        powers = OPERATOR_POWERS if actor.kind == "operator" else actor.powers
        return Viewer(subject=actor.subject, kind=actor.kind, offices=list(actor.offices), powers=sorted(powers))
