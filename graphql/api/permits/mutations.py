"""The mutations of a permit's life: each is one use case in one transaction, and its noes are answers."""

from typing import Annotated
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.permits import loading
from api.permits.inputs import (
    AdmitStandInInput,
    AdmitSubstituteInput,
    DecideProposalInput,
    EndPermitInput,
    EndSubstituteInput,
    ExtendPermitInput,
    FinalizeSuspensionInput,
    FineLatenessInput,
    NoteEventInput,
    ProposeEndingInput,
    ProposeSuspensionInput,
    ReactivatePermitInput,
    RequestRenewalInput,
    RevealBarInput,
    TransferPermitInput,
)
from api.permits.types import Proposal, RenewalRequest, Substitute, Suspension
from api.register.mutations import IssueFineResult, No, PermitResult, fine_by, permit_asked
from services.database import Transaction
from services.permits import ending, noting
from services.permits.endings import finalizing, proposing, revealing, suspending
from services.permits.endings import store as endings
from services.permits.renewals import extending, lateness, requesting
from services.permits.renewals import store as renewals
from services.permits.substitutes import admitting, leaving, standing_in
from services.permits.substitutes import store as substitutes
from services.permits.transfers import transferring

RenewalRequestResult = Annotated[RenewalRequest | No, strawberry.union("RenewalRequestResult")]
SubstituteResult = Annotated[Substitute | No, strawberry.union("SubstituteResult")]
ProposalResult = Annotated[Proposal | No, strawberry.union("ProposalResult")]
SuspensionResult = Annotated[Suspension | No, strawberry.union("SuspensionResult")]


async def request_by(tx: Transaction, id: UUID) -> RenewalRequest:
    return loading.request_of(await renewals.request(tx, id), (await tx.law(on=tx.today)).norms)


async def substitute_by(tx: Transaction, id: UUID) -> Substitute:
    return loading.substitute_of(await substitutes.substitute(tx, id, tx.today))


async def proposal_by(tx: Transaction, id: UUID) -> Proposal:
    return loading.proposal_of(await endings.proposal(tx, id), (await tx.law(on=tx.today)).norms)


async def suspension_by(tx: Transaction, id: UUID) -> Suspension:
    return loading.suspension_of(await endings.suspension(tx, id, tx.today))


@strawberry.type
class PermitLifeMutation:
    @strawberry.mutation(description="Ask for the yearly licence's renewal (requerer renovação); holders, for theirs.")
    async def request_renewal(self, info: Info[Context, None], input: RequestRenewalInput) -> RenewalRequestResult:
        return await info.context.perform(requesting.request_renewal, input, load=request_by)

    @strawberry.mutation(description="Fine a permit for what it is late with (multar o atraso).")
    async def fine_lateness(self, info: Info[Context, None], input: FineLatenessInput) -> IssueFineResult:
        return await info.context.perform(lateness.fine_lateness, input, load=fine_by)

    @strawberry.mutation(description="Add a further term to a permit (prorrogar, por aditivo).")
    async def extend_permit(self, info: Info[Context, None], input: ExtendPermitInput) -> PermitResult:
        return await info.context.perform(extending.extend_permit, input, load=permit_asked(info))

    @strawberry.mutation(description="Pass a permit on (transferir): the old one ends, the new one is the answer.")
    async def transfer_permit(self, info: Info[Context, None], input: TransferPermitInput) -> PermitResult:
        return await info.context.perform(transferring.transfer_permit, input, load=permit_asked(info))

    @strawberry.mutation(description="Admit who drives while the holder cannot (credenciar substituto).")
    async def admit_substitute(self, info: Info[Context, None], input: AdmitSubstituteInput) -> SubstituteResult:
        return await info.context.perform(admitting.admit_substitute, input, load=substitute_by)

    @strawberry.mutation(
        description="Admit who drives one permit's vehicle in its holder's place, until it ends (condutor do espólio)."
    )
    async def admit_stand_in(self, info: Info[Context, None], input: AdmitStandInInput) -> SubstituteResult:
        return await info.context.perform(standing_in.admit_stand_in, input, load=substitute_by)

    @strawberry.mutation(description="The holder drives again (encerrar a substituição).")
    async def end_substitute(self, info: Info[Context, None], input: EndSubstituteInput) -> SubstituteResult:
        return await info.context.perform(leaving.end_substitute, input, load=substitute_by)

    @strawberry.mutation(description="Note an event of a permit's service (início do serviço, ausência).")
    async def note_event(self, info: Info[Context, None], input: NoteEventInput) -> PermitResult:
        return await info.context.perform(noting.note_event, input, load=permit_asked(info))

    @strawberry.mutation(description="End a permit where the law asks for no process (extinguir, a pedido).")
    async def end_permit(self, info: Info[Context, None], input: EndPermitInput) -> PermitResult:
        return await info.context.perform(ending.end_permit, input, load=permit_asked(info))

    @strawberry.mutation(description="Propose that a permit end (propor a extinção): its holder is told.")
    async def propose_ending(self, info: Info[Context, None], input: ProposeEndingInput) -> ProposalResult:
        return await info.context.perform(proposing.propose_ending, input, load=proposal_by)

    @strawberry.mutation(description="Propose that a permit's licence be suspended (propor a suspensão do alvará).")
    async def propose_suspension(self, info: Info[Context, None], input: ProposeSuspensionInput) -> ProposalResult:
        return await info.context.perform(proposing.propose_suspension, input, load=proposal_by)

    @strawberry.mutation(description="A bar comes to light (impedimento descoberto): the end is proposed, or at once.")
    async def reveal_bar(self, info: Info[Context, None], input: RevealBarInput) -> ProposalResult:
        return await info.context.perform(revealing.reveal_bar, input, load=proposal_by)

    @strawberry.mutation(description="The decision to end a permit is final (decisão definitiva): it ends.")
    async def finalize_ending(self, info: Info[Context, None], input: DecideProposalInput) -> ProposalResult:
        return await info.context.perform(finalizing.finalize_ending, input, load=proposal_by)

    @strawberry.mutation(description="The decision is final, and nothing comes of the proposal (improcedência).")
    async def dismiss_proposal(self, info: Info[Context, None], input: DecideProposalInput) -> ProposalResult:
        return await info.context.perform(finalizing.dismiss_proposal, input, load=proposal_by)

    @strawberry.mutation(description="The decision to suspend is final (suspensão do alvará), for days that it says.")
    async def finalize_suspension(self, info: Info[Context, None], input: FinalizeSuspensionInput) -> SuspensionResult:
        return await info.context.perform(suspending.finalize_suspension, input, load=suspension_by)

    @strawberry.mutation(description="A suspension ends before its last day (reativar o alvará).")
    async def reactivate_permit(self, info: Info[Context, None], input: ReactivatePermitInput) -> SuspensionResult:
        return await info.context.perform(suspending.reactivate_permit, input, load=suspension_by)
