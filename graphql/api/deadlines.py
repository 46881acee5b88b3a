"""The kinds of deadline that a town's law sets running (inventário de prazos), for front ends and for lawyers."""

from datetime import date

import strawberry
from strawberry.types import Info

from api.context import Context
from api.types.decisions import Missing
from api.types.output import output
from services.inventory import executors, named
from tenants.law import deadline_kinds
from tenants.law.inventory import inventory


@output(description="What follows a last day (consequência), and what in the system carries it out.")
class DeadlineFollow:
    do: str
    draws: str = strawberry.field(description="The infraction, process, cause, order or template that it is about.")
    after: str | None = strawberry.field(description="How long after the last day; absent: at once.")
    office: str | None = strawberry.field(description="Whose it is then.")
    executor: str | None
    articles: list[str]


@output(description="Who is told ahead of a last day (lembrete).")
class DeadlineReminder:
    to: str
    leads: list[str]
    template: str


@output(description="A kind of deadline of the town's law (espécie de prazo).")
class DeadlineKind:
    kind: str
    rule_kind: str
    rule: str
    title: str
    of: str = strawberry.field(description="Of what it is: permit, licence, case …")
    articles: list[str]
    length: str = strawberry.field(description="How long, as people say it.")
    missing: list[Missing] = strawberry.field(description="What the town must supply before anybody knows how long.")
    binds: str = strawberry.field(description="party, authority")
    opens: list[str] = strawberry.field(description="The events that set it running.")
    meets: list[str] = strawberry.field(description="The events that meet it.")
    ends: bool = strawberry.field(description="Its last day alone settles it: a validity, a time for something.")
    follows: list[DeadlineFollow]
    told: list[DeadlineReminder]


def kind_of(found: deadline_kinds.DeadlineKind) -> DeadlineKind:
    known = executors()
    return DeadlineKind(
        kind=found.kind,
        rule_kind=found.rule_kind,
        rule=found.rule,
        title=found.title,
        of=found.of,
        articles=[str(citation) for citation in found.cite],
        length=found.length.said,
        missing=[Missing(kind=each.kind, code=each.code, ask=each.ask) for each in found.length.missing],
        binds=found.binds,
        opens=list(found.opens),
        meets=list(found.meets),
        ends=found.ends,
        follows=[
            DeadlineFollow(
                do=each.do,
                draws=each.draws,
                after=each.after.said if each.after else None,
                office=each.office,
                executor=named(known[each.do]) if each.do in known else None,
                articles=[str(citation) for citation in each.cite],
            )
            for each in found.follows
        ],
        told=[
            DeadlineReminder(to=each.to, leads=[lead.said for lead in each.leads], template=each.template)
            for each in found.told
        ],
    )


@strawberry.type
class DeadlineKindQuery:
    @strawberry.field(
        description="Every kind of deadline that the law of a day sets running (inventário de prazos): by which rule "
        "and article, what opens, meets and ends it, what follows, who is told and how long ahead."
    )
    async def deadline_kinds(
        self, info: Info[Context, None], on: date | None = None, of: str | None = None
    ) -> list[DeadlineKind]:
        tx = await info.context.reader()
        found = inventory(await tx.law(on=on or tx.today))
        return [kind_of(each) for each in found if of in (None, each.of)]
