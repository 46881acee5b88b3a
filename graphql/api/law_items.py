"""The items of a law as types: what all have, and what front ends need of some kinds."""

from datetime import date
from typing import Any

import strawberry
from strawberry.scalars import JSON

from api.types.decisions import Citation, citations
from api.types.output import interface, output
from tenants.law import citation
from tenants.law.decision import Missing, plain
from tenants.law.facts import FactSpec
from tenants.law.kinds import basis
from tenants.law.kinds.infractions import Infraction as InfractionItem
from tenants.law.kinds.stands import Stand as StandItem
from tenants.law.law import InForce
from tenants.law.law import Law as TownLaw


@interface(description="An item of the law (item): code, title, articles, since when, by which publication.")
class LawItem:
    kind: str
    code: str
    title: str
    since: date | None
    publication: str
    citations: list[Citation]


@output(description="A rule of any kind (regra).")
class LawRule(LawItem):
    payload: JSON = strawberry.field(description="As the law pack writes it: exact, literals as text.")


@output(description="A category of service (categoria).")
class Category(LawItem):
    parent: str | None


@output(description="An office and what it may do (órgão).")
class LawOffice(LawItem):
    may: list[str]


@output(description="An option of an ambiguous text (opção).")
class ReadingOption:
    code: str
    text: str


@output(description="A code of a list and its title (código).")
class Code:
    code: str
    title: str


@output(description="An ambiguous text, its options and the one that counts (interpretação).")
class Reading(LawItem):
    ask: str
    options: list[ReadingOption]
    option: str | None = strawberry.field(description="The one that counts; absent: nobody has said.")
    chosen: bool = strawberry.field(description="The town chose it by an act; otherwise it is the default.")
    why: str


@output(description="What only the town can say (parâmetro).")
class Parameter(LawItem):
    type: str
    ask: str
    unit: str | None
    missing: bool = strawberry.field(description="Not supplied for this day: what depends on it is undetermined.")
    value: str | None = strawberry.field(description="What was supplied, as literals of the law are written.")
    source: str | None = strawberry.field(description="The norm or act that says so (fonte).")
    sample: bool = strawberry.field(description="Only an example, in a fictitious register (amostra).")


@output(description="A unit of account and its values (unidade fiscal).")
class Unit(LawItem):
    alias: list[str]
    values: JSON


@output(description="A stand (ponto).")
class Stand(LawItem):
    number: int
    place: str
    slots: int | None = strawberry.field(description="Vacancies (vagas); absent: the law does not say.")
    access: str
    area: str | None


@output(description="An infraction (infração).")
class Infraction(LawItem):
    group: str
    subject: str = strawberry.field(description="Who commits it: holder, driver, vehicle, anyone.")
    does: str = strawberry.field(description="What it draws: fine, suspend, end …")
    amount: str | None = strawberry.field(description="As the law writes it; absent where it depends on facts.")
    by: list[str] = strawberry.field(description="The offices that may apply it; empty: whoever has the power.")
    payload: JSON


@output(description="A norm (norma).")
class Norm:
    label: str
    title: str
    rank: str
    level: str
    urn: str


@output(description="A fact that may be asked for (fato).")
class FactAsked:
    code: str
    type: str
    unit: str | None
    of: str
    ask: str
    list: str | None = strawberry.field(description="The code list that it is taken from.")
    proof: str


def common(found: InForce, law: TownLaw) -> dict[str, Any]:
    """What every item has."""
    item = found.item
    return {
        "kind": item.kind,
        "code": item.code,
        "title": item.title,
        "since": found.since,
        "publication": found.publication,
        "citations": citations(map(str, item.cite), law.norms),
    }


def stand_of(law: TownLaw, found: InForce, item: StandItem) -> Stand:
    return Stand(
        **common(found, law),
        number=item.number,
        place=item.place,
        slots=item.slots,
        access=item.access,
        area=item.area,
    )


def infraction_of(law: TownLaw, found: InForce, item: InfractionItem) -> Infraction:
    amount = found.payload.get("amount")
    return Infraction(
        **common(found, law),
        group=item.group,
        subject=item.subject,
        does=item.do,
        amount=str(amount) if isinstance(amount, str | int) else None,
        by=list(item.by),
        payload=JSON(dict(found.payload)),
    )


def reading_of(law: TownLaw, found: InForce, item: basis.Reading) -> Reading:
    _, option, chosen = law.reading(item.code)
    return Reading(
        **common(found, law),
        ask=item.ask,
        options=[ReadingOption(code=code, text=text) for code, text in item.options.items()],
        option=option,
        chosen=chosen,
        why=item.why,
    )


def parameter_of(law: TownLaw, found: InForce, item: basis.Parameter) -> Parameter:
    value = law.param(item.code)
    supplied = law.get(basis.Supplied, item.code)
    missing = isinstance(value, Missing) or supplied is None
    return Parameter(
        **common(found, law),
        type=item.type,
        ask=item.ask,
        unit=item.unit,
        missing=missing,
        value=None if supplied is None or missing else _written(supplied.value),
        source=None if supplied is None else supplied.source,
        sample=supplied is not None and supplied.sample,
    )


def _written(value: Any) -> str:
    """As literals of the law are written: yes and no as `true` and `false`."""
    return str(value).lower() if isinstance(value, bool) else str(plain(value))


def norm_of(norm: citation.Norm) -> Norm:
    return Norm(label=norm.label, title=norm.title, rank=norm.rank, level=norm.level, urn=norm.urn)


def fact_asked(spec: FactSpec) -> FactAsked:
    return FactAsked(
        code=spec.code, type=spec.type, unit=spec.unit, of=spec.of, ask=spec.ask, list=spec.list, proof=spec.proof
    )
