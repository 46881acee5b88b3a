"""The mutations of cases and of money: each is one use case in one transaction, and its noes are answers."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any
from uuid import UUID

import strawberry
from strawberry.types import Info

from api.context import Context
from api.proceedings import loading
from api.proceedings.inputs import (
    AddPieceInput,
    AddRepresentativeInput,
    CaseTextInput,
    DecideCaseInput,
    DisposeCaseInput,
    EndRepresentationInput,
    EnforceChargeInput,
    FileAppealInput,
    FileDefenceInput,
    HoldCaseInput,
    OpenCaseInput,
    RecordPaymentInput,
    SendToActiveDebtInput,
    ServePartyInput,
)
from api.proceedings.types import Case, FineAccount
from api.register.mutations import No
from api.selection import Selection
from services.access import Actor
from services.database import Transaction
from services.money import indebting, paying
from services.proceedings import (
    archiving,
    deciding,
    enforcing,
    filing,
    instructing,
    opening,
    parties,
    serving,
)

CaseResult = Annotated[Case | No, strawberry.union("CaseResult")]
FineAccountResult = Annotated[FineAccount | No, strawberry.union("FineAccountResult")]


def case_asked(info: Info[Context, None]) -> Callable[[Transaction, UUID], Awaitable[Case]]:
    """Shows the case with what the mutation selects of it."""
    wanted = Selection.of(info)

    async def load(tx: Transaction, id: UUID) -> Case:
        return await loading.case_of(tx, id, wanted)

    return load


async def serve(tx: Transaction, actor: Actor, *, dates: Any = (), **given: Any) -> UUID:
    """The days by their names."""
    return await serving.serve_party(tx, actor, dates={each["name"]: each["on"] for each in dates}, **given)


@strawberry.type
class ProceedingMutation:
    @strawberry.mutation(description="Open a case about one fact (instaurar processo).")
    async def open_case(self, info: Info[Context, None], input: OpenCaseInput) -> CaseResult:
        return await info.context.perform(opening.open_case, input, load=case_asked(info))

    @strawberry.mutation(description="Somebody acts for a respondent (juntar procuração).")
    async def add_representative(self, info: Info[Context, None], input: AddRepresentativeInput) -> CaseResult:
        return await info.context.perform(parties.add_representative, input, load=case_asked(info))

    @strawberry.mutation(description="A representative acts no more (juntar renúncia ou revogação do mandato).")
    async def end_representation(self, info: Info[Context, None], input: EndRepresentationInput) -> CaseResult:
        return await info.context.perform(parties.end_representation, input, load=case_asked(info))

    @strawberry.mutation(description="Put a paper in the file (juntar peça).")
    async def add_piece(self, info: Info[Context, None], input: AddPieceInput) -> CaseResult:
        return await info.context.perform(instructing.add_piece, input, load=case_asked(info))

    @strawberry.mutation(description="Record that a party was served, or could not be (citar, intimar).")
    async def serve_party(self, info: Info[Context, None], input: ServePartyInput) -> CaseResult:
        return await info.context.perform(serve, input, load=case_asked(info))

    @strawberry.mutation(description="File a respondent's defence (impugnar); nothing is to be deposited.")
    async def file_defence(self, info: Info[Context, None], input: FileDefenceInput) -> CaseResult:
        return await info.context.perform(filing.file_defence, input, load=case_asked(info))

    @strawberry.mutation(description="File a respondent's appeal, against all or a part (recorrer).")
    async def file_appeal(self, info: Info[Context, None], input: FileAppealInput) -> CaseResult:
        return await info.context.perform(filing.file_appeal, input, load=case_asked(info))

    @strawberry.mutation(description="Take the step in course: reply, study, opinion, diligence (réplica, parecer).")
    async def take_step(self, info: Info[Context, None], input: CaseTextInput) -> CaseResult:
        return await info.context.perform(instructing.take_step, input, load=case_asked(info))

    @strawberry.mutation(description="Order more evidence before deciding (converter em diligência).")
    async def order_diligence(self, info: Info[Context, None], input: CaseTextInput) -> CaseResult:
        return await info.context.perform(instructing.order_diligence, input, load=case_asked(info))

    @strawberry.mutation(description="Decide what an instance has before it (decidir, julgar).")
    async def decide_case(self, info: Info[Context, None], input: DecideCaseInput) -> CaseResult:
        return await info.context.perform(deciding.decide_case, input, load=case_asked(info))

    @strawberry.mutation(description="Carry out what is final (executar a decisão).")
    async def enforce_charge(self, info: Info[Context, None], input: EnforceChargeInput) -> CaseResult:
        return await info.context.perform(enforcing.enforce_charge, input, load=case_asked(info))

    @strawberry.mutation(description="Order a case to be archived (arquivar).")
    async def archive_case(self, info: Info[Context, None], input: CaseTextInput) -> CaseResult:
        return await info.context.perform(archiving.archive_case, input, load=case_asked(info))

    @strawberry.mutation(description="Nothing of a case is destroyed from now on (suspender o descarte).")
    async def hold_case(self, info: Info[Context, None], input: HoldCaseInput) -> CaseResult:
        return await info.context.perform(archiving.hold_case, input, load=case_asked(info))

    @strawberry.mutation(description="The hold on a case ends (liberar o descarte).")
    async def release_case(self, info: Info[Context, None], input: HoldCaseInput) -> CaseResult:
        return await info.context.perform(archiving.release_case, input, load=case_asked(info))

    @strawberry.mutation(description="Destroy what the pieces say, when the years of keeping are over (inutilizar).")
    async def dispose_case(self, info: Info[Context, None], input: DisposeCaseInput) -> CaseResult:
        return await info.context.perform(archiving.dispose_case, input, load=case_asked(info))

    @strawberry.mutation(description="Record what was paid of a fine (registrar pagamento).")
    async def record_payment(self, info: Info[Context, None], input: RecordPaymentInput) -> FineAccountResult:
        return await info.context.perform(paying.record_payment, input, load=loading.account_of)

    @strawberry.mutation(description="Send an unpaid fine to active debt (inscrever em dívida ativa).")
    async def send_to_active_debt(self, info: Info[Context, None], input: SendToActiveDebtInput) -> FineAccountResult:
        return await info.context.perform(indebting.send_to_active_debt, input, load=loading.account_of)
