"""Stands, rosters and tariffs: plain attributes, loaded by set before they are completed."""

from dataclasses import field
from datetime import date, datetime
from decimal import Decimal

import strawberry

from api.office.lawmaking import Publication
from api.register.types import Permit, StandPlace
from api.types.decisions import Citation, Decision
from api.types.nodes import Node
from api.types.output import output
from api.types.scalars import LocalDateTime


@output(description="A stand (ponto) on a day: as the law has it, its free slots, and who waits there.")
class StandSlots:
    code: str
    number: int
    place: str
    access: str = strawberry.field(description="fixed, open, shared (fixo, aberto a todos, de horário compartilhado).")
    area: str | None
    hours: str | None = strawberry.field(description="When it may be used; absent: at any hour, or not known yet.")
    takes_slot: bool = strawberry.field(description="Whoever waits there takes a slot (ocupa vaga).")
    slots: int | None = strawberry.field(description="Vacancies (vagas); absent: it takes nobody of its own.")
    taken: int
    free: int | None = strawberry.field(description="As far as the quota of its area leaves them (vagas livres).")
    area_left: int | None = strawberry.field(description="What its area's own quota leaves; absent: it has none.")
    citations: list[Citation]
    waiting: list[Permit] = strawberry.field(
        default_factory=list, description="Those who wait there (titulares do ponto); for offices."
    )


@output(description="An act on a stand (ato de ponto): it published law, from a day on.")
class StandChange:
    id: strawberry.ID
    code: str
    since: date
    publication: Publication
    stand: StandSlots | None = strawberry.field(description="The stand from that day on; absent: it is closed.")


@output(description="A vehicle's hours of work (turno), on the town's clock.")
class RosterShift:
    id: strawberry.ID
    permit_id: strawberry.ID
    number: str = strawberry.field(description="The permit's (número da outorga).")
    starts: LocalDateTime
    ends: LocalDateTime


@output(description="Whom a roster binds (titular na escala), and whether they agree; absent: they have not said.")
class RosterMember:
    permit_id: strawberry.ID
    number: str
    agrees: bool | None


@output(description="A roster (escala de revezamento): who works when.")
class Roster(Node):
    category: str
    since: date
    until: date | None = strawberry.field(description="Its last day; absent: it was closed before its first.")
    state: str = strawberry.field(description="On the day asked: proposed, withdrawn, future, active, ended.")
    basis: str | None = strawberry.field(description="What it rests on: law, agreement (acordo), decree (decreto).")
    norm: str | None
    version: int
    members: list[RosterMember] = strawberry.field(default_factory=list)
    shifts: list[RosterShift] = strawberry.field(default_factory=list)


@output(description="Two shifts that would change hands (permuta), until the other holder answers.")
class RosterSwap(Node):
    roster_id: strawberry.ID
    asked_by: str = strawberry.field(description="The permit of who asks.")
    asked_of: str = strawberry.field(description="The permit of who answers.")
    gives_from: LocalDateTime
    gives_to: LocalDateTime
    takes_from: LocalDateTime
    takes_to: LocalDateTime


@output(description="A draft of the decree that sets a roster without agreement (minuta).")
class RosterDraft:
    office: str = strawberry.field(description="Who may sign it, by the law.")
    text: str
    decision: Decision


@output(description="A vehicle at work at a moment (em serviço): what anybody may know of it.")
class OnDuty:
    number: str
    plate: str | None
    stand: StandPlace | None
    starts: LocalDateTime
    ends: LocalDateTime


@output(description="A line of a cost sheet (item da planilha): reais a month.")
class CostLine:
    item: str
    brl: Decimal


@output(description="A cost sheet (planilha de custos): reais a month, and for each kilometre.")
class CostSheet:
    lines: list[CostLine]
    total: Decimal
    km: Decimal | None
    per_km: Decimal | None
    asked: str | None = strawberry.field(description="What is asked for, in the holder's own words.")
    paper: str | None


@output(
    description="Something done that the law wants before a tariff: heard, approved, papers (ouvido, aprovado, junto)."
)
class TariffStep:
    what: str
    code: str
    on: date
    source: str


@output(description="A review of a tariff (revisão tarifária): asked for, prepared, decided.")
class TariffReview(Node):
    category: str
    because: str = strawberry.field(description="What asks for it: cost, request (custos, requerimento).")
    requested_on: date
    sheet: CostSheet | None
    granted: bool | None = strawberry.field(description="A new table was set, or not; absent: not decided yet.")
    decided_on: date | None
    version: int
    steps: list[TariffStep] = field(default_factory=list)


def moment(value: datetime) -> LocalDateTime:
    return LocalDateTime(value)
