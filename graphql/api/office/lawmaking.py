"""A town's law enters and changes: check, onboard, amend, supply, choose; and what an amendment would do."""

from datetime import date
from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.register.inputs import REQUEST
from api.register.mutations import No
from api.types.decisions import Decision, Norms
from api.types.failures import Failure, Invalid, failure_of
from api.types.output import output
from api.types.scalars import global_id
from services.database import Transaction
from services.errors import Expected
from services.municipalities import preview, publishing, store
from services.municipalities.publishing import PackInvalid
from tenants.law.pack import Problem as LawProblem


@output(description="Something wrong (error) or doubtful (warning) in the text of a law: where, and what to do.")
class TextProblem:
    severity: str
    message: str
    hint: str
    line: int | None
    column: int | None

    @classmethod
    def of(cls, problem: LawProblem) -> "TextProblem":
        return cls(
            severity=problem.severity,
            message=problem.message,
            hint=problem.hint,
            line=problem.line,
            column=problem.column,
        )


@output(description="A law text that was refused (texto recusado); nothing was published.")
class TextRefused(Invalid):
    problems: list[TextProblem]


@output(description="A publication (publicação): a set of rule versions, never changed.")
class Publication:
    id: strawberry.ID
    seq: int = strawberry.field(description="Its place among the town's publications.")


@output(description="A municipality that has entered the platform (município).")
class Onboarded:
    slug: str
    name: str


@output(description="A permit whose answer would be another (outorga afetada).")
class AffectedPermit:
    id: strawberry.ID
    number: str
    plate: str
    falls_out: bool
    falls_in: bool
    before: Decision
    after: Decision


@output(description="What an amendment would change in the register on a day (prévia): nothing was written.")
class AmendmentPreview:
    on: date
    looked_at: int
    affected: list[AffectedPermit]
    warnings: list[TextProblem]


@strawberry.input(description="A new municipality's law pack (TOML), whole.")
class OnboardInput:
    text: str
    fictitious: bool = strawberry.field(default=False, description="A register for trying out: samples are allowed.")


@strawberry.input(description="An amendment: only the items it changes, in the form of a law pack.")
class AmendmentInput:
    text: str
    norm: str = strawberry.field(description="The act that enacts it, as people cite it.")
    official_on: date = strawberry.field(description="The official publication day.")
    why: str | None = strawberry.UNSET
    request_id: str | None = strawberry.field(default=strawberry.UNSET, description=REQUEST)


@strawberry.input(description="The value of a parameter, or a point of a series, with its source.")
class SupplyParameterInput:
    code: str
    value: str = strawberry.field(description="As a law pack writes it.")
    source: str
    since: date | None = strawberry.UNSET
    until: date | None = strawberry.UNSET
    official_on: date | None = strawberry.UNSET
    sample: bool = strawberry.field(default=False, description="An example's value: only in a fictitious register.")
    request_id: str | None = strawberry.field(default=strawberry.UNSET, description=REQUEST)


@strawberry.input(description="The option by which an ambiguous text is to be read, and on what basis.")
class ChooseReadingInput:
    code: str
    option: str
    why: str
    since: date | None = strawberry.UNSET
    official_on: date | None = strawberry.UNSET
    request_id: str | None = strawberry.field(default=strawberry.UNSET, description=REQUEST)


PublicationResult = Annotated[Publication | TextRefused | No, strawberry.union("PublicationResult")]
OnboardResult = Annotated[Onboarded | TextRefused | No, strawberry.union("OnboardResult")]


def refusal(error: Expected, norms: Norms) -> Failure:
    """A refused text names its lines; any other no is as everywhere."""
    if not isinstance(error, PackInvalid):
        return failure_of(error, norms)
    problems = [TextProblem.of(problem) for problem in error.problems]
    return TextRefused(code=error.code, message=str(error), field=error.field, problem=error.problem, problems=problems)


async def publication_by(tx: Transaction, id: UUID) -> Publication:
    head = await store.publication(tx, id)
    return Publication(id=global_id("publication", head.id), seq=head.seq)


@strawberry.type
class LawmakingQuery:
    @strawberry.field(
        description="Errors and warnings of a law pack, with line and column (conferir lei); for the operator."
    )
    async def check_pack(self, info: Info[Context, None], text: str) -> list[TextProblem]:
        info.context.operator()
        return [TextProblem.of(problem) for problem in publishing.check_text(text).problems]

    @strawberry.field(
        description="What an amendment would change in the register on a day (prévia); nothing is written."
    )
    async def preview_amendment(self, info: Info[Context, None], input: AmendmentInput, on: date) -> AmendmentPreview:
        tx = await info.context.reader()
        found = await preview.preview_amendment(
            tx, await info.context.actor(), text=input.text, norm=input.norm, official_on=input.official_on, on=on
        )
        norms = (await tx.law(on=on)).norms
        return AmendmentPreview(
            on=found.on,
            looked_at=found.looked_at,
            affected=[affected(changed, norms) for changed in found.changed],
            warnings=[TextProblem.of(problem) for problem in found.warnings],
        )


def affected(changed: preview.Changed, norms: Norms) -> AffectedPermit:
    return AffectedPermit(
        id=global_id("permit", changed.permit_id),
        number=changed.number,
        plate=changed.plate,
        falls_out=changed.falls_out,
        falls_in=changed.falls_in,
        before=Decision.of(changed.before.plain(), norms),
        after=Decision.of(changed.after.plain(), norms),
    )


@strawberry.type
class LawmakingMutation:
    @strawberry.mutation(
        description="Bring a new municipality from its law pack (implantar município); for the operator."
    )
    async def onboard(self, info: Info[Context, None], input: OnboardInput) -> OnboardResult:
        try:
            actor = info.context.operator()
            town = await publishing.onboard(info.context.database, actor, text=input.text, fictitious=input.fictitious)
        except Expected as no:
            return refusal(no, {})
        return Onboarded(slug=town.slug, name=town.name)

    @strawberry.mutation(description="Publish what an act changes in the law (publicar alteração).")
    async def publish_amendment(self, info: Info[Context, None], input: AmendmentInput) -> PublicationResult:
        return await info.context.perform(publishing.amend, input, load=publication_by, refusal=refusal)

    @strawberry.mutation(description="Supply what only the town can say (informar parâmetro).")
    async def supply_parameter(self, info: Info[Context, None], input: SupplyParameterInput) -> PublicationResult:
        return await info.context.perform(publishing.supply_parameter, input, load=publication_by, refusal=refusal)

    @strawberry.mutation(description="Choose how an ambiguous text is read (escolher interpretação).")
    async def choose_reading(self, info: Info[Context, None], input: ChooseReadingInput) -> PublicationResult:
        return await info.context.perform(publishing.choose_reading, input, load=publication_by, refusal=refusal)
