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


@strawberry.input(description="Which record goes to a process (abrir processo de um registro).")
class TryOccurrenceInput:
    occurrence_id: strawberry.ID
    opened_by: str = strawberry.field(description="By the law's word for how a process is opened.")
    text: str = strawberry.field(description="What sets it going: its first piece (termo de instauração).")
    process: str | None = strawberry.field(default=UNSET, description="Of several, which.")
    opened_on: date | None = UNSET
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A complaint (reclamação), of anybody.")
class FileComplaintInput:
    text: str
    plate: str | None = UNSET
    happened_on: date | None = UNSET
    email: str | None = strawberry.field(
        default=UNSET, description="To which the answer is sent; without it, it is read with number and secret."
    )


@strawberry.input(description="What who complained is told (resposta à reclamação).")
class AnswerComplaintInput:
    complaint_id: strawberry.ID
    answer: str
    founded: bool
    on: date | None = UNSET
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Which founded complaint goes to a process (abrir processo de uma reclamação).")
class TryComplaintInput:
    complaint_id: strawberry.ID
    infractions: list[str]
    opened_by: str = strawberry.field(description="By the law's word for how a process is opened.")
    text: str = strawberry.field(description="What sets it going: its first piece (termo de instauração).")
    seen_on: date | None = strawberry.field(default=UNSET, description="As the complaint says it, otherwise.")
    offender_name: str | None = strawberry.field(default=UNSET, description="Where the vehicle serves no permit.")
    process: str | None = UNSET
    facts: list[FactInput] | None = UNSET
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Whose a fact is, known later (identificação do autuado): exactly one of them.")
class IdentifyOffenderInput:
    occurrence_id: strawberry.ID
    why: str = strawberry.field(description="How it became known.")
    holder_id: strawberry.ID | None = UNSET
    driver_id: strawberry.ID | None = UNSET
    person_id: strawberry.ID | None = UNSET
    name: str | None = strawberry.field(default=UNSET, description="Of nobody in the register.")
    version: int | None = strawberry.field(default=UNSET, description="The record as the caller saw it.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
