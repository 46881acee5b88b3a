"""What the mutations of a call take: each field is an argument of its use case."""

from datetime import date

import strawberry

from api.facts import FactInput
from api.register.inputs import REQUEST, UNSET
from api.service.inputs import MetInput

SOURCE = "The public lottery that will give the seed, where the law draws lots; of a day still to come."


@strawberry.input(description="A call for vacancies to open (abrir edital).")
class OpenCallInput:
    category: str
    vacancies: int
    closes_on: date = strawberry.field(description="The last day to enrol.")
    opens_on: date | None = strawberry.field(default=UNSET, description="The first day to enrol.")
    announced_on: date | None = strawberry.field(default=UNSET, description="The legal day, which picks the law.")
    area: str | None = strawberry.field(default=UNSET, description="Only vacancies of an area (zona), by its quota.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A candidate to enrol (inscrever candidato).")
class EnrolCandidateInput:
    call_id: strawberry.ID
    holder_id: strawberry.ID
    vehicle_id: strawberry.ID
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description="What they declare of themselves.")
    enrolled_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A list to freeze and publish (fechar a lista).")
class FreezeCallInput:
    call_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description="The call as the caller saw it.")
    draw_source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    draw_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="The place that an office gives a candidate (lugar), from 1; equals share one.")
class JudgedPlaceInput:
    candidate_id: strawberry.ID
    place: int


@strawberry.input(description="What the law leaves to an office's judgement (julgamento).")
class RecordJudgementInput:
    call_id: strawberry.ID
    step: int = strawberry.field(description="The step of the law's order, from 1.")
    places: list[JudgedPlaceInput] = strawberry.field(description="Of all whom the steps before left equal.")
    version: int | None = UNSET
    draw_source: str | None = strawberry.field(
        default=UNSET, description="Another lottery, where the one named has passed meanwhile."
    )
    draw_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A candidate by id (candidato).")
class CandidateInput:
    candidate_id: strawberry.ID


@strawberry.input(description="The seed of a draw (semente): the result of the public lottery that was named.")
class EnterSeedInput:
    call_id: strawberry.ID
    seed: str = strawberry.field(description="The result, as the lottery publishes it.")
    source: str = strawberry.field(description="As it was named when the list was frozen.")
    drawn_on: date
    absent: list[CandidateInput] | None = strawberry.field(
        default=UNSET, description="Who was absent, where the law makes something of it."
    )
    version: int | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A result to publish (publicar o resultado).")
class PublishResultInput:
    call_id: strawberry.ID
    version: int | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="An objection to file (recorrer do resultado).")
class FileObjectionInput:
    candidate_id: strawberry.ID = strawberry.field(description="Who objects.")
    says: str
    filed_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="An objection to decide (decidir o recurso). Upheld, it takes the result back.")
class DecideObjectionInput:
    objection_id: strawberry.ID
    upheld: bool
    why: str
    candidate_id: strawberry.ID | None = strawberry.field(default=UNSET, description="Who leaves the order by it.")
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description="What is right of who objected.")
    version: int | None = strawberry.field(default=UNSET, description="The objection as the caller saw it.")
    draw_source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    draw_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Vacancies to award to those who are next (adjudicar).")
class AwardInput:
    call_id: strawberry.ID
    version: int | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Somebody does not take up what they were awarded (desistência): the next is called.")
class CallNextInput:
    candidate_id: strawberry.ID
    why: str
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A signature (termo de adesão), with which the permit is granted.")
class SignAdhesionInput:
    candidate_id: strawberry.ID
    stand: str | None = UNSET
    signed_on: date | None = UNSET
    judged: bool = strawberry.field(
        default=False, description="The office has decided what the law leaves to its judgement."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A call to undo (revogar, anular o edital): everybody who answered it is told.")
class UndoCallInput:
    call_id: strawberry.ID
    undoing: str = strawberry.field(description="In what way, by the law's code.")
    why: str
    met: list[MetInput] = strawberry.field(default_factory=list, description="What the law wants before.")
    version: int | None = strawberry.field(default=UNSET, description="The call as the caller saw it.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
