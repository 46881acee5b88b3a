"""Calls for offices; and what is public of them: the lists, the order, the proof of the draw."""

import hashlib
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.contests import loading
from api.contests.types import Call, CallCandidate, Candidacy, DrawProof, Objection, PublicCall
from api.context import Context
from api.register.loading import deadline_of
from api.register.queries import UUID_KEY, office_reader
from api.selection import Selection
from api.types.connections import Connection, Page
from api.types.scalars import read_id
from services.database import Reader
from services.deadlines import store as deadlines
from services.errors import Forbidden
from services.selection import proof, store


@strawberry.type
class ContestQuery:
    @strawberry.field(description="Calls for vacancies (editais), the latest first; for offices.")
    async def calls(
        self, info: Info[Context, None], first: int | None = None, after: str | None = None
    ) -> Connection[Call]:
        tx = await office_reader(info.context)
        page = Page.of(first, after, keys=UUID_KEY)
        rows = await store.page(tx, tx.today, page.limit, page.after[0] if page.after else None)
        wanted = Selection.of(info).under("edges", "node")
        nodes = await loading.calls_of(tx, rows, wanted, tx.today)
        return page.connection([(node, (row.id,)) for node, row in zip(nodes, rows, strict=True)])

    @strawberry.field(description="A call by its id (edital); for offices.")
    async def call(self, info: Info[Context, None], id: strawberry.ID) -> Call:
        tx = await office_reader(info.context)
        return await call_by(tx, read_id(id, "call").key, Selection.of(info))

    @strawberry.field(description="The calls that whoever asks has answered, the latest first (minhas inscrições).")
    async def my_candidacies(self, info: Info[Context, None]) -> list[Candidacy]:
        actor = await info.context.actor()
        if actor.person_id is None and actor.company_id is None:
            raise Forbidden("hold")
        tx = await info.context.reader()
        rows = await store.mine(tx, tx.today, person=actor.person_id, company=actor.company_id)
        return await loading.candidacies_of(tx, rows, tx.today)

    @strawberry.field(description="What anybody may know of a call, by its number (consulta pública do edital).")
    async def public_call(self, info: Info[Context, None], number: str) -> PublicCall | None:
        tx: Reader = await info.context.reader()
        row = await store.by_number(tx, number, tx.today)
        return None if row is None else loading.public_of(row, (await store.lists(tx, [row.id])).get(row.id, ()))

    @strawberry.field(description="The proof of a call's draw, by its number (prova do sorteio). Public.")
    async def draw_proof(self, info: Info[Context, None], number: str) -> DrawProof | None:
        tx: Reader = await info.context.reader()
        row = await store.by_number(tx, number, tx.today)
        text = None if row is None else await proof.proof_of(tx, row)
        if text is None:
            return None
        name = f"sorteio-{tx.town.slug}-{number.replace('/', '-')}.json"
        return DrawProof(file_name=name, sha256=hashlib.sha256(text.encode()).hexdigest(), text=text)


async def call_by(tx: Reader, id: UUID, wanted: Selection) -> Call:
    """One call with what is asked of it. Raises NotFound."""
    (found,) = await loading.calls_of(tx, [await store.call(tx, id, tx.today)], wanted, tx.today)
    return found


async def candidate_by(tx: Reader, id: UUID) -> CallCandidate:
    row = await store.candidate(tx, id, tx.today)
    call = await store.call(tx, row.call_id, tx.today)
    found = loading.candidate_of(row, loading.reasons_of(call.result))
    found.deadlines = [deadline_of(each) for each in await deadlines.of_subjects(tx, [("candidate", id)], tx.today)]
    return found


async def objection_by(tx: Reader, id: UUID) -> Objection:
    return loading.objection_of(await store.objection_row(tx, id))
