"""What the mutations of a permit's life take: each field is an argument of its use case."""

from datetime import date

import strawberry

from api.facts import FactInput
from api.register.inputs import REQUEST, UNSET

SEEN = "The record as the caller saw it."
JUDGED = "The office has decided what the law leaves to its judgement."
FOUND = "What is declared, or was found out: facts by their codes in the law."


@strawberry.input(description="A request to renew the yearly licence (pedido de renovação).")
class RequestRenewalInput:
    permit_id: strawberry.ID
    requested_on: date | None = strawberry.field(default=UNSET, description="Handed in on this day; today.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A fine for what is late (multa por atraso): one for one omission.")
class FineLatenessInput:
    permit_id: strawberry.ID
    term: str | None = strawberry.field(default=UNSET, description="Of several terms that were missed, which.")
    notified_on: date | None = strawberry.field(default=UNSET, description="Sets the payment term running; today.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A further term for a permit (aditivo de prorrogação).")
class ExtendPermitInput:
    permit_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A permit that passes on (transferência).")
class TransferPermitInput:
    permit_id: strawberry.ID
    cause: str = strawberry.field(description="A code of the law's list of causes.")
    holder_id: strawberry.ID
    vehicle_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The receiver's own; by default the permit's, which passes into their name."
    )
    requested_on: date | None = UNSET
    event_on: date | None = strawberry.field(default=UNSET, description="Of the death, the sale, the finding.")
    to: str | None = strawberry.field(default=UNSET, description="In what capacity they receive, if the law names any.")
    papers: list[str] = strawberry.field(default_factory=list, description="Presented beside those on file.")
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description=FOUND)
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = strawberry.field(default=UNSET, description="The day of the decision; today.")
    judged: bool = strawberry.field(default=False, description=JUDGED)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Who drives while the holder cannot (motorista substituto).")
class AdmitSubstituteInput:
    permit_id: strawberry.ID
    driver_id: strawberry.ID
    since: date
    until: date | None = strawberry.field(default=UNSET, description="By default the last day of the certificate.")
    vehicle_id: strawberry.ID | None = strawberry.field(default=UNSET, description="By default the permit's.")
    proved_by: list[str] = strawberry.field(default_factory=list, description="Who found the holder unfit.")
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description=FOUND)
    requested: bool = strawberry.field(default=True, description="It was asked for in writing.")
    judged: bool = strawberry.field(default=False, description=JUDGED)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Who drives in the holder's place, as for the heirs (condutor do espólio).")
class AdmitStandInInput:
    permit_id: strawberry.ID
    driver_id: strawberry.ID
    role: str = strawberry.field(description="A code of the law's list of roles.")
    since: date | None = UNSET
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description=FOUND)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A substitute whose time ends early (fim da substituição).")
class EndSubstituteInput:
    substitute_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = strawberry.field(default=UNSET, description="The first day without them; today.")
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Something that happens in a permit's service (início do serviço, ausência).")
class NoteEventInput:
    permit_id: strawberry.ID
    event: str = strawberry.field(
        description="service_started, absence_started, absence_justified, absence_ended, summoned, summons_attended."
    )
    on: date | None = UNSET
    why: str | None = UNSET
    length: str | None = strawberry.field(
        default=UNSET, description="How long there is, where the law leaves it to the office: a length (prazo)."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A permit to end (extinção), where the law asks for no process.")
class EndPermitInput:
    permit_id: strawberry.ID
    cause: str = strawberry.field(description="A code of the law's list of endings.")
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = strawberry.field(default=UNSET, description="The first day without the permit; today.")
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A proposal that a permit end (proposta de extinção).")
class ProposeEndingInput:
    permit_id: strawberry.ID
    cause: str = strawberry.field(description="A code of the law's list of endings.")
    infraction: str | None = strawberry.field(default=UNSET, description="What it punishes, where it does.")
    ground: str | None = strawberry.field(default=UNSET, description="Of several ways with this cause, which.")
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = UNSET
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description=FOUND)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A proposal that a permit's licence be suspended (proposta de suspensão).")
class ProposeSuspensionInput:
    permit_id: strawberry.ID
    infraction: str
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = UNSET
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description=FOUND)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A bar that comes to light after the grant (impedimento descoberto).")
class RevealBarInput:
    permit_id: strawberry.ID
    exclusion: str = strawberry.field(description="The code of the bar in the law.")
    facts: list[FactInput] | None = strawberry.field(default=UNSET, description=FOUND)
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="That a proposal is decided for good (decisão definitiva).")
class DecideProposalInput:
    proposal_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = strawberry.field(default=UNSET, description="The day of finality; today.")
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="That a suspension is decided for good: from when to when (suspensão definitiva).")
class FinalizeSuspensionInput:
    proposal_id: strawberry.ID
    since: date | None = strawberry.field(default=UNSET, description="Its first day; that of the decision.")
    until: date | None = strawberry.field(default=UNSET, description="Its last day, as the decision says it.")
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A suspension that ends early (reativação).")
class ReactivatePermitInput:
    suspension_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description=SEEN)
    on: date | None = strawberry.field(default=UNSET, description="The first day of service again; today.")
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
