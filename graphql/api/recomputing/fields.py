"""Recomputation (recontagem): what it would change, the job that does it, what it leaves to be looked at."""

from datetime import date
from typing import Annotated, Any
from uuid import UUID

import strawberry
from sqlalchemy import Row
from strawberry.scalars import JSON
from strawberry.types import Info

from api.context import Context
from api.importing.types import Job, job_of
from api.nodes import loads
from api.register.inputs import REQUEST, UNSET
from api.register.mutations import No
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.decisions import Decision, Norms
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import global_id, read_id
from services.database import Reader
from services.jobs import store as jobs
from services.recomputing import previewing, reviewing, running, store
from services.recomputing.previewing import Change, Draft

CHANGE_KEY = (int, str)
REVIEW = "review"


@strawberry.input(description="An amendment that nobody has published yet (minuta).")
class DraftInput:
    text: str
    norm: str
    official_on: date


@strawberry.input(description="What it is because of: a publication, or one that is only drafted; exactly one of them.")
class RecomputationCause:
    publication_id: strawberry.ID | None = None
    draft: DraftInput | None = None


@output(description="Something that a recomputation would change, or list (linha da prévia).")
class RecomputedRow:
    what: str = strawberry.field(description="term: its last day moves; amount: it is owed otherwise; review")
    subject_id: strawberry.ID
    shown: str = strawberry.field(description="The kind of the term, the code of the infraction.")
    before: str = strawberry.field(description="A day, a sum, or in words what the law draws.")
    after: str
    finding: str | None = strawberry.field(
        description="Why it is only listed: expired, met_late, would_be_over, paid, in_active_debt, fee, "
        "amount_of_its_own, drawn_otherwise (of the fact the law now draws something else)"
    )
    decision: Decision


@output(description="What a recomputation would do (prévia da recontagem): nothing was written.")
class RecomputationPreview:
    norm: str
    looked_at: int
    terms: int
    amounts: int
    reviews: int
    rows: Connection[RecomputedRow]


@output(description="A publication, by its id, and its recomputation (recontagem): the job that does it.")
class Recomputation(Node):
    norm: str
    job: Job | None


@output(description="Something closed or paid that a publication would have counted otherwise (revisão).")
class RecomputationReview(Node):
    norm: str = strawberry.field(description="The publication, as people cite it.")
    subject_id: strawberry.ID
    shown: str
    article: str | None
    finding: str
    before: JSON = strawberry.field(
        description="lastDay, state, closedOn of a term; units, unit, rate, brl of an amount; drawn: in words."
    )
    after: JSON
    decision: Decision
    found_on: date
    state: str = strawberry.field(description="open, decided")
    outcome: str | None = strawberry.field(description="kept, to_correct")
    why: str | None
    decided_on: date | None
    decided_by: str | None
    version: int


@strawberry.input(description="Count again what a publication changes of what runs and is owed (recontar).")
class RecomputeInput:
    publication_id: strawberry.ID
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What is to be of something that was listed (decidir a revisão).")
class ReviewRecomputationInput:
    review_id: strawberry.ID
    outcome: str = strawberry.field(description="kept: it stays as it is; to_correct: whoever may is to correct it.")
    why: str
    version: int | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


RecomputationResult = Annotated[Recomputation | No, strawberry.union("RecomputationResult")]
RecomputationReviewResult = Annotated[RecomputationReview | No, strawberry.union("RecomputationReviewResult")]


def row_of(change: Change, norms: Norms) -> RecomputedRow:
    return RecomputedRow(
        what=change.what,
        subject_id=global_id(change.subject_kind, change.subject_id),
        shown=change.shown,
        before=change.before,
        after=change.after,
        finding=change.finding,
        decision=Decision.of(change.decision, norms),
    )


def review_of(row: Row[Any], norms: Norms) -> RecomputationReview:
    return RecomputationReview(
        id=global_id(REVIEW, row.id),
        norm=row.norm,
        subject_id=global_id(row.subject_kind, row.subject_id),
        shown=row.shown,
        article=row.article,
        finding=row.finding,
        before=row.before,
        after=row.after,
        decision=Decision.of(row.decision, norms),
        found_on=row.found_on,
        state=row.state,
        outcome=row.outcome,
        why=row.why,
        decided_on=row.decided_on,
        decided_by=row.decided_by,
        version=row.version,
    )


async def recomputation_by(tx: Reader, publication_id: UUID) -> Recomputation:
    """Raises NotFound."""
    row = await store.publication(tx, publication_id)
    newest = await jobs.latest_of(tx, running.SUBJECT, [publication_id])
    job = newest.get(publication_id)
    return Recomputation(
        id=global_id(running.SUBJECT, publication_id), norm=row.norm, job=None if job is None else job_of(job)
    )


async def review_by(tx: Reader, id: UUID) -> RecomputationReview:
    return review_of(await store.review(tx, id), (await tx.law(on=tx.today)).norms)


@loads(running.SUBJECT)
async def recomputation(tx: Reader, id: UUID, wanted: Selection) -> Recomputation:
    return await recomputation_by(tx, id)


@loads(REVIEW)
async def review(tx: Reader, id: UUID, wanted: Selection) -> RecomputationReview:
    return await review_by(tx, id)


@strawberry.type
class RecomputingQuery:
    @strawberry.field(
        description="What a recomputation would change and list (prévia da recontagem); for who may publish law."
    )
    async def preview_recomputation(
        self, info: Info[Context, None], cause: RecomputationCause, first: int | None = None, after: str | None = None
    ) -> RecomputationPreview:
        actor, tx = await info.context.actor(), await info.context.reader()
        page = Page.of(first, after, keys=CHANGE_KEY)
        named = read_id(cause.publication_id, "publication").key if cause.publication_id else None
        draft = Draft(cause.draft.text, cause.draft.norm, cause.draft.official_on) if cause.draft else None
        found = await previewing.preview_recomputation(tx, actor, publication_id=named, draft=draft)
        norms = (await tx.law(on=tx.today)).norms
        start = page.after[0] + 1 if page.after else 0
        rows = list(enumerate(found.changes))[start : start + page.limit]
        return RecomputationPreview(
            norm=found.cause.norm,
            looked_at=found.looked_at,
            terms=found.count("term"),
            amounts=found.count("amount"),
            reviews=found.count("review"),
            rows=page.connection([(row_of(change, norms), (at, str(change.subject_id))) for at, change in rows]),
        )

    @strawberry.field(description="A publication's newest recomputation (recontagem); for offices.")
    async def recomputation(self, info: Info[Context, None], publication_id: strawberry.ID) -> Recomputation:
        tx = await office_reader(info.context)
        return await recomputation_by(tx, read_id(publication_id, "publication").key)

    @strawberry.field(
        description="What recomputations left as it is, to be looked at (revisões da recontagem); for offices. "
        "`state`: open, decided."
    )
    async def recomputation_reviews(
        self,
        info: Info[Context, None],
        first: int | None = None,
        after: str | None = None,
        state: str | None = None,
        publication_id: strawberry.ID | None = None,
    ) -> Connection[RecomputationReview]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        named = read_id(publication_id, "publication").key if publication_id else None
        of = (await store.publication(tx, named)).id if named else None
        later = page.after[0] if page.after else None
        rows = await store.reviews(tx, page.limit, after=later, state=state, publication=of)
        norms = (await tx.law(on=tx.today)).norms
        return page.connection([(review_of(row, norms), (row.id,)) for row in rows])


@strawberry.type
class RecomputingMutation:
    @strawberry.mutation(description="Count again what a publication changes (recontar); a worker does it.")
    async def recompute(self, info: Info[Context, None], input: RecomputeInput) -> RecomputationResult:
        return await info.context.perform(running.recompute, input, load=recomputation_by)

    @strawberry.mutation(description="Say what is to be of something that was listed (decidir a revisão).")
    async def review_recomputation(
        self, info: Info[Context, None], input: ReviewRecomputationInput
    ) -> RecomputationReviewResult:
        return await info.context.perform(reviewing.review_recomputation, input, load=review_by)
