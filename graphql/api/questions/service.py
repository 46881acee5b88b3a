"""Who and what may serve, how many, and at what fare."""

from datetime import date
from decimal import Decimal as Number

import strawberry
from strawberry.types import Info

from api.context import Context
from api.facts import FactInput
from api.questions.asking import KeyInput, PaperInput, ask, facts_given, keys_of, papers_of
from api.types.decisions import Decision
from api.types.scalars import LocalDateTime
from services.errors import Invalid
from tenants.law.questions import (
    CampaignQuestion,
    FareQuestion,
    HolderQuestion,
    InspectionQuestion,
    QuotaQuestion,
    ShareQuestion,
    SubstituteQuestion,
    TransferQuestion,
    VehicleAgeQuestion,
)


@strawberry.input(description="Vehicles of like facts and how many there are of them (frota).")
class FleetInput:
    count: int
    facts: list[FactInput]


@strawberry.input(description="How and when the holder got the permit from another (aquisição).")
class AcquiredInput:
    cause: str
    on: date


@strawberry.type
class ServiceQuestions:
    @strawberry.field(description="What a ride costs (tarifa), by the town's clock and the table of its day.")
    async def quote_fare(
        self,
        info: Info[Context, None],
        category: str,
        starts: LocalDateTime,
        ends: LocalDateTime | None = None,
        fare: Number | None = None,
        events: list[str] | None = None,
        metres: int | None = None,
        waiting: int | None = None,
        from_area: str | None = None,
        to_area: str | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        if ends is not None and ends < starts:
            raise Invalid("ends", "order", "A corrida termina antes de começar.")
        question = FareQuestion(category, starts, ends, fare, tuple(events or ()), keys_of(keys))
        ride = {"metres": metres, "waiting": waiting, "from_area": from_area, "to_area": to_area}
        told = [FactInput(code=f"ride.{name}", value=str(value)) for name, value in ride.items() if value is not None]
        return await ask(info, question, on=starts.date(), suppose=[*told, *(suppose or ())])

    @strawberry.field(description="Would there be room for one more permit (vagas), with so many in force?")
    async def quote_quota(
        self,
        info: Info[Context, None],
        category: str,
        active: int,
        free_slots: int | None = None,
        area: str | None = None,
        area_active: int | None = None,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = QuotaQuestion(category, active, free_slots, area, area_active, keys_of(keys))
        return await ask(info, question, on=on, suppose=suppose)

    @strawberry.field(description="Would the shares of such a fleet hold if a vehicle entered, left or took a place?")
    async def quote_share(
        self,
        info: Info[Context, None],
        category: str,
        fleet: list[FleetInput],
        entering: list[FactInput] | None = None,
        leaving: list[FactInput] | None = None,
        among: str = "fleet",
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = ShareQuestion(
            category=category,
            fleet=[(await facts_given(info, on, each.facts), each.count) for each in fleet],
            entering=None if entering is None else await facts_given(info, on, entering),
            leaving=None if leaving is None else await facts_given(info, on, leaving),
            among=among,
            keys=keys_of(keys),
        )
        return await ask(info, question, on=on, suppose=suppose)

    @strawberry.field(description="May a vehicle of this age enter, be renewed, stay (idade do veículo)?")
    async def vehicle_age(
        self,
        info: Info[Context, None],
        category: str,
        at: str = "entry",
        on: date | None = None,
        papers: list[PaperInput] | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = VehicleAgeQuestion(category, at, papers_of(papers), keys_of(keys))
        return await ask(info, question, on=on, suppose=suppose)

    @strawberry.field(description="May such a holder hold (one more) in a category (titularidade)?")
    async def may_hold(
        self,
        info: Info[Context, None],
        category: str,
        holder: str,
        at: str = "entry",
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        return await ask(info, HolderQuestion(category, holder, at, keys_of(keys)), on=on, suppose=suppose)

    @strawberry.field(description="May another drive in the holder's stead (substituto), from when to when?")
    async def substitute(
        self,
        info: Info[Context, None],
        category: str,
        since: date,
        until: date | None = None,
        days: int | None = None,
        requested: bool | None = None,
        proved_by: list[str] | None = None,
        paper: str | None = None,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = SubstituteQuestion(
            category, since, until, days, requested, tuple(proved_by or ()), paper, keys_of(keys)
        )
        return await ask(info, question, on=since if on is None else on, suppose=suppose)

    @strawberry.field(description="May a permit pass on for this cause (transferência)?")
    async def transfer(
        self,
        info: Info[Context, None],
        category: str,
        cause: str,
        requested_on: date | None = None,
        event_on: date | None = None,
        decided_on: date | None = None,
        to: str | None = None,
        granted_on: date | None = None,
        times: int | None = None,
        acquired: AcquiredInput | None = None,
        papers: list[str] | None = None,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = TransferQuestion(
            category=category,
            cause=cause,
            requested_on=requested_on,
            event_on=event_on,
            decided_on=decided_on,
            to=to,
            granted_on=granted_on,
            times=times,
            acquired=None if acquired is None else (acquired.cause, acquired.on),
            papers=tuple(papers or ()),
            keys=keys_of(keys),
        )
        return await ask(info, question, on=on or requested_on, suppose=suppose)

    @strawberry.field(description="When the next inspection is due (vistoria).")
    async def inspection_due(
        self,
        info: Info[Context, None],
        category: str,
        last_on: date | None = None,
        of: str = "vehicle",
        plate: str | None = None,
        papers: list[PaperInput] | None = None,
        found_on: date | None = None,
        on: date | None = None,
        keys: list[KeyInput] | None = None,
        suppose: list[FactInput] | None = None,
    ) -> Decision:
        question = InspectionQuestion(category, last_on, of, plate, papers_of(papers), found_on, keys_of(keys))
        return await ask(info, question, on=on, suppose=suppose)

    @strawberry.field(description="From when to when a campaign runs (recadastramento), by plate where that decides.")
    async def campaign(
        self, info: Info[Context, None], code: str, plate: str | None = None, on: date | None = None
    ) -> Decision:
        return await ask(info, CampaignQuestion(code, plate), on=on)
