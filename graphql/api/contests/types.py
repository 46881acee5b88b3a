"""Calls and what belongs to them: plain attributes, loaded by set before they are completed."""

from datetime import date

import strawberry

from api.register.types import Deadline
from api.types.nodes import Node
from api.types.output import output


@output(description="Why somebody has their place (motivo): a step of the law's order, counted from 1.")
class PlaceReason:
    step: int
    why: str
    citations: list[str]


@output(description="Who answers a call (candidato). Seen by the town's offices, and by the candidate.")
class CallCandidate(Node):
    name: str
    plate: str
    version: int
    enrolled_on: date
    excluded_why: str | None
    awarded_on: date | None
    lost_on: date | None
    lost_why: str | None
    signed_on: date | None
    state: str = strawberry.field(description="Today: enrolled, excluded, awarded, lost, signed.")
    place: int | None = strawberry.field(description="In the published order, shared by equals; 0: out of the draw.")
    reasons: list[PlaceReason]
    permit_id: strawberry.ID | None = strawberry.field(description="The permit granted at the signature (outorga).")
    deadlines: list[Deadline] = strawberry.field(default_factory=list, description="Terms to take the award up.")


@output(description="A list as it was published, letter by letter, before anybody knew the seed (lista fechada).")
class PublishedList:
    revision: int
    published_on: date
    sha256: str
    text: str


@output(description="A candidate's objection to the result (recurso).")
class Objection(Node):
    candidate_id: strawberry.ID
    says: str
    filed_on: date
    upheld: bool | None = strawberry.field(description="Absent: nobody has decided it yet.")
    decided_on: date | None
    version: int


@output(description="A call for vacancies (edital).")
class Call(Node):
    number: str
    category: str
    area: str | None = strawberry.field(description="Of whose stands the vacancies are; absent: of the town's.")
    vacancies: int
    announced_on: date
    opens_on: date
    closes_on: date
    version: int
    state: str = strawberry.field(
        description="Today: announced, open, closed, frozen, published, awarded, ended, undone."
    )
    waits: str | None = strawberry.field(
        description="What the frozen list waits for: nothing, judgement, seed, or law where it breaks no tie."
    )
    draw_source: str | None = strawberry.field(description="The public lottery that gives the seed (sorteio público).")
    draw_on: date | None
    seed: str | None
    seed_on: date | None
    result_on: date | None
    undone: str | None = strawberry.field(description="How it was undone, by the law's code (revogação, anulação).")
    undone_why: str | None
    candidates: list[CallCandidate] = strawberry.field(default_factory=list)
    lists: list[PublishedList] = strawberry.field(default_factory=list)
    objections: list[Objection] = strawberry.field(default_factory=list)
    deadlines: list[Deadline] = strawberry.field(default_factory=list)


@output(description="A candidate as the public knows them (candidato): a key, never a name or a document.")
class PublicCandidate:
    key: str
    place: int
    reasons: list[PlaceReason]


@output(description="What anybody may know of a call (edital, consulta pública).")
class PublicCall:
    number: str
    category: str
    area: str | None = strawberry.field(description="Of whose stands the vacancies are; absent: of the town's.")
    vacancies: int
    announced_on: date
    opens_on: date
    closes_on: date
    state: str
    draw_source: str | None
    draw_on: date | None
    seed: str | None
    result_on: date | None
    undone: str | None = strawberry.field(description="How it was undone, by the law's code (revogação, anulação).")
    undone_why: str | None
    lists: list[PublishedList]
    candidates: list[PublicCandidate] = strawberry.field(description="The published order; empty until then.")


@output(description="The proof of a draw (prova do sorteio): docs/verify_draw.py repeats it.")
class DrawProof:
    file_name: str
    sha256: str
    text: str = strawberry.field(description="JSON, to be saved as it is.")


@output(description="A call that whoever asks has answered (minha inscrição), and how they stand in it.")
class Candidacy:
    candidate: CallCandidate
    call: PublicCall
    deadlines: list[Deadline] = strawberry.field(description="Of the call: until when one may object.")
    objections: list[Objection] = strawberry.field(description="Their own.")
