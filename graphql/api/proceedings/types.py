"""An administrative case: plain attributes, each part loaded with one statement before it is completed."""

from datetime import date, datetime
from decimal import Decimal as Number

import strawberry
from strawberry.scalars import JSON

from api.register.types import Deadline
from api.types.decisions import Decision, ReadingUsed, RuleUsed
from api.types.nodes import Node
from api.types.output import output


@output(description="Who answers in a case (autuado), or acts for one who does (representante).")
class CaseParty(Node):
    role: str = strawberry.field(description="respondent or representative.")
    name: str | None
    acts_for: strawberry.ID | None
    since: date
    ended_on: date | None = strawberry.field(description="The first day on which a representative acts no more.")


@output(description="An infraction that a case is about (infração imputada), and what became of it.")
class CaseCharge(Node):
    infraction: str
    title: str
    applied: bool = strawberry.field(description="What it draws was applied before the case, provisionally.")
    effects: JSON = strawberry.field(description="What the law draws for it.")
    fine_id: strawberry.ID | None = strawberry.field(description="The fine that was applied (multa).")
    proposal_id: strawberry.ID | None = strawberry.field(description="What was proposed, and waits (proposta).")
    outcome: str | None = strawberry.field(description="upheld or dismissed.")
    decided_on: date | None
    appealed_on: date | None
    suspended_on: date | None = strawberry.field(description="Since when what it draws waits (efeito suspensivo).")
    final_on: date | None = strawberry.field(description="Since when it is final (decisão definitiva).")
    enforced_on: date | None


@output(description="An attempt to serve a party (citação, intimação).")
class CaseService:
    party_id: strawberry.ID
    step: str = strawberry.field(description="The step of the process that it sets running.")
    way: str
    refused: bool
    failed_on: date | None
    served_on: date | None = strawberry.field(description="The day on which it counts as done.")
    decision: Decision


@output(description="A photograph or document that a piece shows (prova), kept outside the file, known by its hash.")
class Exhibit:
    path: str | None = strawberry.field(
        description="Where it is fetched, with the token of who may see the piece; none once it was destroyed."
    )
    media_type: str
    size: int = strawberry.field(description="In bytes.")
    sha256: str


@output(description="A piece of the file (peça), in order; `chain` binds it to the one before.")
class CasePiece(Node):
    seq: int
    kind: str
    title: str
    restricted: bool
    filed_on: date
    filed_at: datetime
    late: bool
    first_page: int
    pages: int
    text: str | None = strawberry.field(description="None once it was destroyed after the years of keeping.")
    gone: str | None = strawberry.field(description="What stands in its place then (inutilização).")
    sha256: str
    previous: str
    chain: str
    evidence: Exhibit | None


@output(description="A case in a list (processo administrativo).")
class CaseSummary:
    id: strawberry.ID
    number: str
    process: str
    opened_on: date
    state: str = strawberry.field(description="open, final, archived, disposed.")
    step: str | None = strawberry.field(description="Where it stands; none when it is over.")
    version: int


@output(description="An administrative case (processo administrativo), for offices and its parties.")
class Case(Node):
    number: str
    process: str
    opened_by: str
    seen_on: date
    opened_on: date
    state: str = strawberry.field(description="open, final, archived, disposed.")
    step: str | None = strawberry.field(description="Where it stands; none when it is over.")
    archived_on: date | None
    held_on: date | None
    disposed_on: date | None
    version: int
    decision: Decision = strawberry.field(description="What the law draws for the fact.")
    parties: list[CaseParty] = strawberry.field(default_factory=list)
    charges: list[CaseCharge] = strawberry.field(default_factory=list)
    services: list[CaseService] = strawberry.field(default_factory=list)
    pieces: list[CasePiece] = strawberry.field(default_factory=list)
    deadlines: list[Deadline] = strawberry.field(default_factory=list)


@output(description="A piece as anybody may see it (peça): without its text where that is restricted.")
class PublicPiece:
    seq: int
    title: str
    filed_on: date
    first_page: int
    pages: int
    sha256: str
    chain: str
    text: str | None
    gone: str | None = strawberry.field(description="What stands in its place once it was destroyed (inutilização).")
    evidence: Exhibit | None = strawberry.field(description="Only where the piece is for everybody.")


@output(description="A charge as anybody may see it.")
class PublicCharge:
    infraction: str
    title: str
    outcome: str | None
    final_on: date | None


@output(description="What anybody may know of a case (consulta pública): no names.")
class PublicCase:
    number: str
    process: str
    opened_on: date
    state: str
    step: str | None
    charges: list[PublicCharge]
    pieces: list[PublicPiece]


@output(description="A day of a count, and why it counts or not.")
class CertifiedDay:
    day: date
    counted: bool
    why: str


@output(description="A deadline was counted again since a publication changed what it is counted by (recontagem).")
class Recount:
    on: date
    was: date = strawberry.field(description="Its last day until then.")
    last_day: date
    norm: str = strawberry.field(description="The publication, as people cite it.")
    message: str


@output(description="How a deadline was counted (certidão de prazo).")
class DeadlineCertificate:
    deadline: Deadline
    message: str
    rolled_from: date | None = strawberry.field(description="The day on which it would have ended.")
    days: list[CertifiedDay]
    rules: list[RuleUsed]
    readings: list[ReadingUsed]
    recounts: list[Recount]


@output(description="The whole file of a case to take away (autos): a PDF with index and pages, and its twin in JSON.")
class CaseFile:
    number: str
    head: str = strawberry.field(description="The last link of the chain of pieces.")
    pdf: str = strawberry.field(description="In base64.")
    twin: str = strawberry.field(description="JSON text: docs/verify_case.py checks it.")


@output(description="What was paid of a fine (pagamento).")
class Payment(Node):
    paid_on: date
    brl: Number
    reference: str


@output(description="An entry in active debt (inscrição em dívida ativa).")
class ActiveDebt(Node):
    number: str
    entered_on: date
    brl: Number
    decision: Decision
    cancelled_on: date | None = strawberry.field(
        description="It fell, since the fine was not due after all (cancelamento da inscrição)."
    )


@output(description="What is due of a fine (conta da multa), in reais.")
class FineAccount:
    id: strawberry.ID
    number: str
    brl: Number
    paid: Number
    left: Number
    payments: list[Payment]
    deadlines: list[Deadline]
    debt: ActiveDebt | None
