"""What enforcement shows: plain attributes, loaded by set before they are completed."""

from datetime import date
from decimal import Decimal as Number

import strawberry

from api.types.decisions import Decision
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import LocalDateTime


@output(description="A photograph or paper of a record (prova). `path`: where it is fetched, with the caller's token.")
class Evidence(Node):
    path: str
    media_type: str
    size: int = strawberry.field(description="In bytes.")
    sha256: str
    received_at: LocalDateTime


@output(description="What an infraction drew (penalidade): applied, or waiting for the process that comes first.")
class Penalty(Node):
    infraction: str
    reported_as: str | None = strawberry.field(description="The infraction that repetition makes of it.")
    what: str = strawberry.field(description="warning, fine, points, suspension, ending, order …")
    nth: int = strawberry.field(description="The how manieth time it is, as the law counts.")
    state: str = strawberry.field(description="applied, to_be_tried, withdrawn.")
    points: int | None
    seen_on: date
    notified_on: date | None
    fine_id: strawberry.ID | None
    fine_number: str | None
    units: Number | None
    unit: str | None
    rate: Number | None
    brl: Number | None
    due_on: date | None = strawberry.field(description="The last day to pay (vencimento).")
    defence_until: date | None = strawberry.field(description="The last day for a defence (prazo de defesa).")
    final_on: date | None = strawberry.field(description="From this day on it is final, if nobody challenges it.")
    may_open: list[str] = strawberry.field(description="Infractions whose process may be opened, never by itself.")
    articles: list[str]


@output(description="What an inspector saw (registro de ocorrência).")
class Occurrence(Node):
    number: str
    client_id: str
    seen_at: LocalDateTime = strawberry.field(description="By the device's clock.")
    received_at: LocalDateTime = strawberry.field(description="By ours.")
    seen_on: date
    place: str
    plate: str | None
    vehicle_id: strawberry.ID | None = strawberry.field(description="Of the plate, also where it was registered later.")
    permit_id: strawberry.ID | None
    permit_number: str | None
    holder_name: str | None
    driver_name: str | None
    person_name: str | None = strawberry.field(description="Of nobody with a permit or a card (pessoa identificada).")
    offender_name: str | None
    category: str | None
    infractions: list[str]
    notes: str
    statement: str = strawberry.field(description="What the person said (declarações).")
    refused_to_sign: bool = strawberry.field(description="Noted by the agent (recusa em assinar).")
    notified_on: date | None
    inspector: str
    office: str
    state: str = strawberry.field(description="open, applied, to_be_tried, dismissed.")
    version: int
    decision: Decision = strawberry.field(description="What the law drew when it was recorded.")
    case_number: str | None = strawberry.field(description="Of the process that was opened from it.")
    penalties: list[Penalty]
    evidence: list[Evidence]
    copy: str = strawberry.field(description="The text of the person's copy (cópia do auto).")


@output(description="What who complains keeps (protocolo). The secret is told this once.")
class ComplaintReceipt:
    number: str
    secret: str
    answer_until: date | None = strawberry.field(description="The last day to answer, where the law sets one.")
    decision: Decision


@output(description="A complaint as who complained may follow it (acompanhamento da reclamação).")
class ComplaintStatus:
    number: str
    received_on: date
    answer_until: date | None
    answer: str | None
    founded: bool | None = strawberry.field(description="Found to be right (procedente).")
    answered_on: date | None
    case_number: str | None
    decision: Decision = strawberry.field(description="By when it must be answered, as the law says it.")


@output(description="A complaint of the public (reclamação); for offices.")
class Complaint(Node):
    number: str
    received_at: LocalDateTime
    received_on: date
    text: str
    plate: str | None
    happened_on: date | None
    permit_id: strawberry.ID | None
    permit_number: str | None
    answer_until: date | None
    article: str | None
    answer: str | None
    founded: bool | None
    answered_on: date | None
    case_number: str | None
    version: int


@output(description="A penalty as it stands on a day (penalidade no prontuário).")
class ConductEntry:
    penalty: Penalty
    final: bool = strawberry.field(description="Nobody can challenge it any more.")
    paid: bool | None = strawberry.field(description="Of a fine.")
    dismissed: bool = strawberry.field(description="Its case found that it was wrong.")
    suspended_on: date | None = strawberry.field(
        description="Since when it stands still while it is challenged (efeito suspensivo): it counts for nothing."
    )
    counts: bool = strawberry.field(description="Towards the next time, as the law counts repetition.")


@output(description="A suspension or an end that was decided (suspensão, extinção).")
class ConductMeasure:
    what: str
    infraction: str
    since: date
    until: date | None
    in_force: bool = strawberry.field(description="On the day asked.")


@output(description="What the law counts of an infraction's past, and what one more time would draw (reincidência).")
class ConductRepetition:
    infraction: str
    category: str | None = strawberry.field(description="In which it was committed (categoria).")
    nth: int | None = strawberry.field(description="The how manieth the next time would be.")
    counted: list[date]
    decision: Decision


@output(description="The record of conduct on a day (prontuário de penalidades).")
class Conduct:
    on: date
    entries: list[ConductEntry]
    measures: list[ConductMeasure]
    repetition: list[ConductRepetition]
    points: Decision
