"""What the mutations of cases take: each field is an argument of its use case."""

from datetime import date
from decimal import Decimal

import strawberry

from api.facts import FactInput
from api.register.inputs import REQUEST, UNSET

SEEN = "The case as the caller saw it."
ON = "The day of the act; today."


@strawberry.input(
    description="Who answers: a holder, a driver, a person, or the name of nobody in the register (autuado)."
)
class RespondentInput:
    holder_id: strawberry.ID | None = UNSET
    driver_id: strawberry.ID | None = UNSET
    person_id: strawberry.ID | None = UNSET
    name: str | None = UNSET


@strawberry.input(description="A case to open about one fact (instauração).")
class OpenCaseInput:
    infractions: list[str] = strawberry.field(description="All that the one fact is.")
    seen_on: date
    opened_by: str = strawberry.field(description="A code of the law's list of origins.")
    text: str = strawberry.field(description="What sets it going: its first piece.")
    process: str | None = strawberry.field(default=UNSET, description="Of several, which process of the law.")
    permit_id: strawberry.ID | None = UNSET
    category: str | None = UNSET
    respondents: list[RespondentInput] = strawberry.field(
        default_factory=list, description="By default the permit's holder."
    )
    fine_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="Fines that were applied for the fact: provisional until the case is over."
    )
    facts: list[FactInput] | None = UNSET
    opened_on: date | None = strawberry.field(default=UNSET, description=ON)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Who acts for a respondent (representante, procurador).")
class AddRepresentativeInput:
    case_id: strawberry.ID
    party_id: strawberry.ID
    text: str = strawberry.field(description="The power of attorney (procuração).")
    person_id: strawberry.ID | None = UNSET
    name: str | None = strawberry.field(default=UNSET, description="Of nobody in the register.")
    since: date | None = strawberry.field(default=UNSET, description=ON)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="That a representative acts no more (renúncia, revogação do mandato).")
class EndRepresentationInput:
    case_id: strawberry.ID
    party_id: strawberry.ID = strawberry.field(description="The representative.")
    text: str = strawberry.field(description="The paper that says so.")
    on: date | None = strawberry.field(default=UNSET, description="The first day without; today.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A paper to put in the file (juntada).")
class AddPieceInput:
    case_id: strawberry.ID
    title: str
    text: str
    restricted: bool = True
    filed_on: date | None = strawberry.field(default=UNSET, description=ON)
    evidence_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="A photograph or document that was sent before, which it shows (prova)."
    )
    order: str | None = strawberry.field(
        default=UNSET, description="What whoever judges orders by it, by the law's word for it (despacho)."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A day that is known of a service, by the law's word for it: received, posted …")
class ServiceDateInput:
    name: str
    on: date


@strawberry.input(description="How a party was served, or could not be (citação, intimação).")
class ServePartyInput:
    case_id: strawberry.ID
    party_id: strawberry.ID
    way: str
    dates: list[ServiceDateInput] = strawberry.field(default_factory=list)
    failed_on: date | None = strawberry.field(default=UNSET, description="The attempt failed that day.")
    refused: bool = strawberry.field(default=False, description="The person refused to sign (recusa).")
    where_unknown: bool = strawberry.field(default=False, description="In a place that nobody knows.")
    received_by: str | None = strawberry.field(default=UNSET, description="Who signed, where it was not the party.")
    why: str | None = UNSET
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A respondent's defence (impugnação, defesa).")
class FileDefenceInput:
    case_id: strawberry.ID
    party_id: strawberry.ID
    text: str
    addressed_to: str | None = strawberry.field(default=UNSET, description="The office that it was handed to.")
    contents: list[str] | None = strawberry.field(
        default=UNSET, description="Which of the contents that the law asks for it has; what it lacks is noted."
    )
    filed_on: date | None = strawberry.field(default=UNSET, description="When an office received it; today.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A respondent's appeal, against all or a part (recurso).")
class FileAppealInput:
    case_id: strawberry.ID
    party_id: strawberry.ID
    text: str
    charge_ids: list[strawberry.ID] | None = strawberry.field(default=UNSET, description="A part; by default all.")
    filed_on: date | None = strawberry.field(default=UNSET, description="When an office received it; today.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A text by which an office acts in a case (réplica, parecer, diligência, despacho).")
class CaseTextInput:
    case_id: strawberry.ID
    text: str
    on: date | None = strawberry.field(default=UNSET, description=ON)
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What a charge comes to: upheld or dismissed (procedente, improcedente).")
class OutcomeInput:
    charge_id: strawberry.ID
    outcome: str


@strawberry.input(description="A decision, of each charge that waits (decisão, julgamento).")
class DecideCaseInput:
    case_id: strawberry.ID
    outcomes: list[OutcomeInput]
    text: str
    on: date | None = strawberry.field(default=UNSET, description=ON)
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A final decision to carry out (execução da decisão).")
class EnforceChargeInput:
    case_id: strawberry.ID
    charge_id: strawberry.ID
    since: date | None = strawberry.field(default=UNSET, description="First day of a suspension.")
    until: date | None = strawberry.field(default=UNSET, description="Its last day.")
    on: date | None = strawberry.field(default=UNSET, description=ON)
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A legal hold, or its end (suspensão do descarte).")
class HoldCaseInput:
    case_id: strawberry.ID
    why: str
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A case whose pieces are to be destroyed (inutilização).")
class DisposeCaseInput:
    case_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What was paid of a fine (recolhimento).")
class RecordPaymentInput:
    fine_id: strawberry.ID
    brl: Decimal
    reference: str = strawberry.field(description="The receipt's number.")
    paid_on: date | None = strawberry.field(default=UNSET, description=ON)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A fine for active debt (inscrição em dívida ativa).")
class SendToActiveDebtInput:
    fine_id: strawberry.ID
    on: date | None = strawberry.field(default=UNSET, description=ON)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
