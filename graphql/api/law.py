"""The law in force on a day, as data: what front ends build their forms from. Public, as laws are."""

from datetime import date

import strawberry
from strawberry.scalars import JSON
from strawberry.types import Info

from api.context import Context
from api.law_items import (
    Category,
    Code,
    FactAsked,
    Infraction,
    LawOffice,
    LawRule,
    Norm,
    Parameter,
    Reading,
    Stand,
    Unit,
    common,
    fact_asked,
    infraction_of,
    norm_of,
    parameter_of,
    reading_of,
    stand_of,
)
from api.types.connections import Connection, Page
from services.errors import Invalid
from tenants.law.kinds import basis, grants
from tenants.law.kinds.infractions import Infraction as InfractionItem
from tenants.law.kinds.registry import KINDS
from tenants.law.kinds.stands import Stand as StandItem
from tenants.law.law import Law as TownLaw


@strawberry.type(description="The law of one day, as officially published by another (lei vigente).")
class Law:
    law: strawberry.Private[TownLaw]
    on: date = strawberry.field(description="The day whose law it is (dia do fato).")
    known_at: date | None = strawberry.field(description="As known at the end of this day (conhecida em); absent: now.")

    @strawberry.field(description="The first day of the town's first norm; absent while the town has not said.")
    def first_day(self) -> date | None:
        return self.law.first_day

    @strawberry.field(description="The norms (normas), whatever their status.")
    def norms(self) -> list[Norm]:
        return [norm_of(norm) for norm in self.law.norms.values()]

    @strawberry.field(description="Categories of service (categorias).")
    def categories(self) -> list[Category]:
        return [
            Category(**common(found, self.law), parent=item.parent) for found, item in self.law.all(grants.Category)
        ]

    @strawberry.field(description="Offices and their powers (órgãos e competências).")
    def offices(self) -> list[LawOffice]:
        return [LawOffice(**common(found, self.law), may=list(item.may)) for found, item in self.law.all(basis.Office)]

    @strawberry.field(description="Ambiguous texts and how they are read (interpretações).")
    def readings(self) -> list[Reading]:
        return [reading_of(self.law, found, item) for found, item in self.law.all(basis.Reading)]

    @strawberry.field(description="What only the town can say, and what it has said (parâmetros).")
    def parameters(self) -> list[Parameter]:
        return [parameter_of(self.law, found, item) for found, item in self.law.all(basis.Parameter)]

    @strawberry.field(description="Units of account (unidades fiscais).")
    def units(self) -> list[Unit]:
        return [
            Unit(**common(found, self.law), alias=list(item.alias), values=found.payload.get("values", []))
            for found, item in self.law.all(basis.Unit)
        ]

    @strawberry.field(description="Stands (pontos).")
    def stands(self) -> list[Stand]:
        return [stand_of(self.law, *pair) for pair in self.law.all(StandItem)]

    @strawberry.field(description="Infractions (infrações), in the order of the law.")
    def infractions(self, first: int | None = None, after: str | None = None) -> Connection[Infraction]:
        page = Page.of(first, after, keys=(int,))
        found = list(enumerate(self.law.all(InfractionItem)))
        start = 0 if page.after is None else page.after[0] + 1
        rows = [(infraction_of(self.law, *pair), (at,)) for at, pair in found[start : start + page.limit]]
        return page.connection(rows, len(found))

    @strawberry.field(description="A rule of any kind by its code (regra), as the law pack writes it.")
    def rule(self, kind: str, code: str) -> LawRule | None:
        found = self.law.find(_known(kind), code)
        return None if found is None else LawRule(**common(found, self.law), payload=JSON(dict(found.payload)))

    @strawberry.field(description="Every rule of a kind (regras).")
    def rules(self, kind: str) -> list[LawRule]:
        return [
            LawRule(**common(found, self.law), payload=JSON(dict(found.payload)))
            for found, _ in self.law.all(KINDS[_known(kind)])
        ]

    @strawberry.field(description="The facts that conditions may ask for (fatos), with the question of each.")
    def facts(self, of: str | None = None) -> list[FactAsked]:
        specs = self.law.vocabulary.specs.values()
        return [fact_asked(spec) for spec in specs if of is None or spec.of == of]

    @strawberry.field(description="A code list of the law (lista): codes and their titles.")
    def codes(self, code: str) -> list[Code]:
        return [Code(code=each, title=title) for each, title in self.law.list(code).items()]


def _known(kind: str) -> str:
    if kind not in KINDS:
        raise Invalid("kind", "unknown", f"Não há regra do tipo “{kind}”. Os tipos são: {', '.join(sorted(KINDS))}.")
    return kind


@strawberry.type
class LawQuery:
    @strawberry.field(description="The law of a day (lei vigente): today's when none is named. Public.")
    async def law(self, info: Info[Context, None], on: date | None = None, known_at: date | None = None) -> Law:
        reader = await info.context.reader()
        day = reader.today if on is None else on
        return Law(law=await reader.law(on=day, known_at=known_at), on=day, known_at=known_at)
