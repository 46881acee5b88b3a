"""What the mutations of stands, rosters and tariffs take: each field is an argument of its use case."""

from datetime import date
from decimal import Decimal

import strawberry

from api.register.inputs import REQUEST, UNSET
from api.types.scalars import LocalDateTime

ACCESS = "fixed, open, shared: open to all in its hours, and fixed in all others (horário compartilhado)."
HOURS = "As a law pack writes them: 22:00-06:00."
JUDGED = "The office records that it decides what the law leaves to it."
SOURCE = "For an office that records what a holder says: where it has it from (lista assinada)."


@strawberry.input(description="Something that the law wants before an act, and where it is on record.")
class MetInput:
    code: str = strawberry.field(description="As the law calls it, or `legislative`: the legislature's leave.")
    source: str


@strawberry.input(description="A permit that goes to another stand by the same act (mudança de ponto).")
class StandMoveInput:
    permit_id: strawberry.ID
    stand: str


@strawberry.input(description="A new stand (criar ponto), by an act published on a day.")
class CreateStandInput:
    category: str
    number: int
    place: str
    slots: int | None = UNSET
    access: str | None = strawberry.field(default=UNSET, description=ACCESS)
    hours: str | None = strawberry.field(default=UNSET, description=HOURS)
    area: str | None = UNSET
    norm: str
    official_on: date
    since: date | None = strawberry.field(default=UNSET, description="Its first day; that of its publication.")
    met: list[MetInput] = strawberry.field(default_factory=list)
    judged: bool = strawberry.field(default=False, description=JUDGED)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Another place, number of slots or area for a stand (remanejar ponto).")
class MoveStandInput:
    stand: str
    place: str | None = UNSET
    slots: int | None = UNSET
    area: str | None = strawberry.field(default=UNSET, description="Another area (zona), with a quota of its own.")
    access: str | None = strawberry.field(default=UNSET, description=ACCESS)
    hours: str | None = strawberry.field(default=UNSET, description=HOURS)
    norm: str
    official_on: date
    since: date | None = UNSET
    met: list[MetInput] = strawberry.field(default_factory=list)
    judged: bool = strawberry.field(default=False, description=JUDGED)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="The end of a stand (extinguir ponto), and where those go who wait there.")
class CloseStandInput:
    stand: str
    norm: str
    official_on: date
    since: date | None = strawberry.field(default=UNSET, description="The first day without it.")
    met: list[MetInput] = strawberry.field(default_factory=list)
    moves: list[StandMoveInput] = strawberry.field(default_factory=list)
    judged: bool = strawberry.field(default=False, description=JUDGED)
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Hours of work of a permit's vehicle (turno), on the town's clock.")
class ShiftInput:
    permit_id: strawberry.ID
    starts: LocalDateTime
    ends: LocalDateTime


@strawberry.input(description="Whose vehicle need not work, and why, by the law's code (dispensa).")
class ExemptInput:
    permit_id: strawberry.ID
    why: str


@strawberry.input(description="A roster to look at (escala a conferir).")
class CheckRosterInput:
    category: str
    since: date
    until: date
    shifts: list[ShiftInput]
    exempt: list[ExemptInput] = strawberry.field(default_factory=list)


@strawberry.input(description="A roster to propose (propor escala): the drivers' own, or one that a solver finds.")
class ProposeRosterInput:
    category: str
    since: date
    until: date = strawberry.field(description="Its last day.")
    shifts: list[ShiftInput] | None = strawberry.field(default=UNSET, description="Absent: a solver finds them.")
    exempt: list[ExemptInput] = strawberry.field(default_factory=list)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Whether the holder of a permit agrees to a roster (anuência).")
class AnswerRosterInput:
    roster_id: strawberry.ID
    permit_id: strawberry.ID
    agrees: bool
    source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A roster to approve (homologar escala).")
class ApproveRosterInput:
    roster_id: strawberry.ID
    version: int | None = UNSET
    norm: str | None = strawberry.field(default=UNSET, description="The decree, where there is no agreement.")
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A proposal to withdraw, or a roster to end before its last day (encerrar escala).")
class CloseRosterInput:
    roster_id: strawberry.ID
    version: int | None = UNSET
    on: date | None = strawberry.field(default=UNSET, description="The first day without it.")
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Two shifts that a holder would change with another (pedir permuta).")
class AskSwapInput:
    shift_ids: list[strawberry.ID] = strawberry.field(description="The one's own, then the other's.")
    source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Whether the other holder agrees to a swap (responder permuta).")
class AnswerSwapInput:
    swap_id: strawberry.ID
    agrees: bool
    source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A line of a cost sheet: reais a month.")
class CostLineInput:
    item: str
    brl: Decimal


@strawberry.input(description="A cost sheet (planilha de custos) of a month.")
class CostSheetInput:
    lines: list[CostLineInput]
    km: Decimal | None = strawberry.field(default=UNSET, description="Driven in the month.")
    asked: str | None = strawberry.field(default=UNSET, description="What is asked for (pedido).")
    paper: str | None = strawberry.field(default=UNSET, description="The paper of the law that this sheet is.")


@strawberry.input(description="A tariff to review (pedir revisão da tarifa).")
class OpenTariffReviewInput:
    category: str
    because: str | None = strawberry.field(default=UNSET, description="cost, request; by default by who asks.")
    holder_id: strawberry.ID | None = strawberry.field(default=UNSET, description="Whose request an office enters.")
    sheet: CostSheetInput | None = UNSET
    requested_on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Something done that the law wants before a tariff (ouvida, aprovação, documento).")
class RecordTariffStepInput:
    tariff_review_id: strawberry.ID
    what: str = strawberry.field(description="heard, approved, papers.")
    code: str = strawberry.field(description="Who, or which paper, by the law's code.")
    source: str
    on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A review that leaves the tariff as it is (indeferir revisão).")
class RefuseTariffReviewInput:
    tariff_review_id: strawberry.ID
    why: str
    version: int | None = UNSET
    on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A component of a fare: so many reais, once or for each so much of a fact of the ride.")
class FareComponentInput:
    code: str
    brl: Decimal
    times: str | None = strawberry.field(default=UNSET, description="A fact: ride.metres, ride.waiting …")
    per: Decimal | None = strawberry.field(default=UNSET, description="How much of the fact one value is for.")
    beyond: Decimal | None = UNSET
    below: Decimal | None = UNSET
    round: str | None = strawberry.field(default=UNSET, description="exact, up, down: a part of `per`.")


@strawberry.input(description="A table of tariffs (tabela), or a surcharge on the others (`add`).")
class TariffTableInput:
    code: str
    title: str
    components: list[FareComponentInput] = strawberry.field(default_factory=list)
    minimum: Decimal | None = UNSET
    from_area: str | None = strawberry.field(default=UNSET, description="Only for rides from this zone.")
    to_area: str | None = UNSET
    hours: str | None = strawberry.field(default=UNSET, description="A band: 22:00-06:00, first minute in, last out.")
    weekdays: list[str] = strawberry.field(default_factory=list, description="monday …")
    holidays: bool = False
    events: list[str] = strawberry.field(default_factory=list)
    add: str | None = strawberry.field(default=UNSET, description="A surcharge: 20%, or 5.00 BRL.")
    stacking: str | None = strawberry.field(default=UNSET, description="add, replace, greatest.")


@strawberry.input(description="A zone of tariffs (zona).")
class AreaInput:
    code: str
    title: str


@strawberry.input(description="The table that a review came to (fixar tarifa), in place of the one before.")
class SetTariffInput:
    tariff_review_id: strawberry.ID
    norm: str
    official_on: date
    since: date | None = strawberry.field(default=UNSET, description="Its first day; that of its publication.")
    tables: list[TariffTableInput]
    areas: list[AreaInput] = strawberry.field(default_factory=list)
    by_law: bool = strawberry.field(default=False, description="The act is a law, not a decree.")
    version: int | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
