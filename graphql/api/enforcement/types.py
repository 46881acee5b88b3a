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
    permit_id: strawberry.ID | None
    permit_number: str | None
    holder_name: str | None
    driver_name: str | None
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
    penalties: list[Penalty]
    evidence: list[Evidence]
    copy: str = strawberry.field(description="The text of the person's copy (cópia do auto).")
