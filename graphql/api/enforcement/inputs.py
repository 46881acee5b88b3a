"""What the mutations of enforcement take: each field is an argument of its use case."""

from datetime import date

import strawberry

from api.facts import FactInput
from api.register.inputs import REQUEST, UNSET
from api.types.scalars import LocalDateTime

SEEN = "The record as the caller saw it."


@strawberry.input(
    description="What was seen (registro de ocorrência). Sent again with the same `clientId` and content it is one."
)
class RecordOccurrenceInput:
    client_id: str = strawberry.field(description="The device's own name for the record, as a UUID.")
    seen_at: LocalDateTime = strawberry.field(description="By the device's clock, in the town's time.")
    place: str
    infractions: list[str] = strawberry.field(description="All that the one fact is.")
    plate: str | None = strawberry.field(default=UNSET, description="Picks vehicle and permit of that day.")
    permit_id: strawberry.ID | None = UNSET
    driver_id: strawberry.ID | None = UNSET
    offender_name: str | None = strawberry.field(default=UNSET, description="Of somebody who is in no register.")
    category: str | None = strawberry.field(default=UNSET, description="Where there is no permit to say it.")
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description="What was seen, by the law's words.")
    notes: str = ""
    statement: str = strawberry.field(default="", description="What the person said.")
    refused_to_sign: bool = False
    notified_on: date | None = strawberry.field(
        default=UNSET, description="The person was given the copy; without it nothing is applied yet."
    )


@strawberry.input(description="Whose penalties are applied (aplicar as penalidades de um registro).")
class ApplyPenaltiesInput:
    occurrence_id: strawberry.ID
    notified_on: date | None = strawberry.field(default=UNSET, description="The person was told; today.")
    judged: bool = strawberry.field(default=False, description="The office has decided what the law leaves to it.")
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Of which record nothing comes, and why (arquivar).")
class DismissOccurrenceInput:
    occurrence_id: strawberry.ID
    why: str
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
