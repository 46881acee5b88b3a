"""What may befall a permit: each step a use case, done to whichever of those that there are."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from services.database import Transaction
from services.enforcement.fining import issue_fine
from services.permits.ending import end_permit
from services.permits.endings.finalizing import dismiss_proposal, finalize_ending
from services.permits.endings.proposing import propose_ending, propose_suspension
from services.permits.endings.revealing import reveal_bar
from services.permits.endings.suspending import finalize_suspension, reactivate_permit
from services.permits.granting import grant_permit
from services.permits.licensing import issue_licence
from services.permits.noting import AWAY, BACK, JUSTIFIED, note_event
from services.permits.renewals.extending import extend_permit
from services.permits.renewals.requesting import request_renewal
from services.permits.substitutes.admitting import admit_substitute
from services.permits.substitutes.leaving import end_substitute
from services.permits.substitutes.standing_in import admit_stand_in
from services.permits.swapping import swap_vehicle
from services.permits.transfers.transferring import transfer_permit
from services.stands.slots import assign_stand
from tests.property.law import generator as of_law
from tests.property.lives import town as register
from tests.property.lives.laws import ABANDONS, BREAKS, HIDDEN, RESTS
from tests.property.lives.town import Town

DAY = timedelta(days=1)
LATELY = 5
CATEGORIES = ("c0", "c2", "c1", "c2")


@dataclass(frozen=True, slots=True)
class Step:
    """What is tried, so many days after the step before, on which of those that there are, ``back`` days ago."""

    verb: str
    days: int
    which: int
    other: int
    back: int


class Idle(Exception):
    """There is nothing to which the step could be done."""


@dataclass(frozen=True, slots=True)
class Doing:
    """One step in its transaction."""

    tx: Transaction
    town: Town
    step: Step

    async def ids(self, sql: str) -> Sequence[UUID]:
        return [row.id for row in await self.tx.rows(sql)]

    def one(self, several: Sequence[Any], by: int) -> Any:
        if not several:
            raise Idle
        return several[by % len(several)]

    async def permit(self) -> UUID:
        """Mostly one that is active."""
        rows = await self.tx.rows(
            "SELECT id, state(permit, CAST(:day AS date)) AS state FROM permit WHERE tenant_id = :tenant ORDER BY id",
            day=self.tx.today,
        )
        active = [row.id for row in rows if row.state == "active"]
        found: UUID = self.one(active if active and self.step.other % 9 else [row.id for row in rows], self.step.which)
        return found

    async def licensed(self) -> UUID:
        """The active one whose licence is the first to be over."""
        rows = await self.tx.rows(
            """
            SELECT p.id FROM permit AS p JOIN licence AS l ON l.tenant_id = :tenant AND l.permit_id = p.id
            WHERE p.tenant_id = :tenant AND state(p, CAST(:day AS date)) = 'active'
            GROUP BY p.id ORDER BY max(upper(l.during)), p.id
            """,
            day=self.tx.today,
        )
        found: UUID = self.one([row.id for row in rows], 0)
        return found

    async def opened(self, effect: str) -> UUID:
        rows = await self.tx.rows(
            "SELECT id FROM proposal WHERE tenant_id = :tenant AND effect = :effect AND state = 'open' ORDER BY id",
            effect=effect,
        )
        found: UUID = self.one([row.id for row in rows], self.step.which)
        return found

    async def away(self) -> UUID:
        rows = await self.tx.rows(
            "SELECT permit_id FROM absence WHERE tenant_id = :tenant AND during @> CAST(:day AS date) ORDER BY id",
            day=self.tx.today,
        )
        found: UUID = self.one([row.permit_id for row in rows], self.step.which)
        return found

    async def running(self, table: str) -> UUID:
        day = self.tx.today
        rows = await self.tx.rows(
            f"SELECT id FROM {table} WHERE tenant_id = :tenant AND during @> CAST(:day AS date) ORDER BY id",  # noqa: S608 - our own
            day=day,
        )
        found: UUID = self.one([row.id for row in rows], self.step.which)
        return found

    @property
    def on(self) -> Any:
        return self.tx.today - self.step.back * DAY

    def holder(self, by: int) -> UUID:
        """Mostly one who has come of late."""
        found: UUID = self.one(self.town.holders[-LATELY if by % 3 else 0 :], by)
        return found

    def vehicle(self, by: int) -> UUID:
        found: UUID = self.one(self.town.vehicles[-LATELY if by % 3 else 0 :], by)
        return found


async def fresh(do: Doing, holder: UUID) -> None:
    """Mostly somebody who asks for a permit has papers of the day."""
    if do.step.other % 4:
        await register.papers(do.tx, do.town, do.town.holders.index(holder), 300)


async def grant(do: Doing) -> None:
    holder = do.holder(do.step.which)
    await fresh(do, holder)
    await grant_to(do, holder, do.vehicle(do.step.other))


async def arrive(do: Doing) -> None:
    """Who has entered last asks for a permit."""
    await grant_to(do, do.town.holders[-1], do.town.vehicles[-1])


async def grant_to(do: Doing, holder: UUID, vehicle: UUID) -> None:
    step = do.step
    stand = do.one([None, None, *do.town.law["stands"]], step.which)
    await grant_permit(
        do.tx, do.town.actor, category=CATEGORIES[step.other % 4], holder_id=holder,
        vehicle_id=vehicle, stand=stand, granted_on=do.on, judged=True,
    )  # fmt: skip


async def license(do: Doing) -> None:
    try:
        permit = await (do.permit() if do.step.other % 2 else do.licensed())
    except Idle:
        permit = await do.permit()
    await issue_licence(do.tx, do.town.actor, permit_id=permit, issued_on=do.on, judged=True)


async def renew(do: Doing) -> None:
    await request_renewal(do.tx, do.town.actor, permit_id=await do.licensed(), requested_on=do.on)


async def extend(do: Doing) -> None:
    await extend_permit(do.tx, do.town.actor, permit_id=await do.permit(), on=do.on)


async def swap(do: Doing) -> None:
    new = do.vehicle(do.step.other)
    await swap_vehicle(do.tx, do.town.actor, permit_id=await do.permit(), vehicle_id=new, on=do.on, judged=True)


async def transfer(do: Doing) -> None:
    vehicle, receiver = do.vehicle(do.step.other) if do.step.which % 3 == 0 else None, do.holder(do.step.other)
    await fresh(do, receiver)
    await transfer_permit(
        do.tx, do.town.actor, permit_id=await do.permit(), cause=of_law.CAUSE, holder_id=receiver,
        vehicle_id=vehicle, to=of_law.RECIPIENT, on=do.on, judged=True,
    )  # fmt: skip


async def suspend(do: Doing) -> None:
    infraction = (RESTS, RESTS, "X-3", "X-0")[do.step.other % 4]
    await propose_suspension(do.tx, do.town.actor, permit_id=await do.permit(), infraction=infraction, on=do.on)


async def finalize(do: Doing) -> None:
    await finalize_ending(do.tx, do.town.actor, proposal_id=await do.opened("end"), on=do.on)


async def rest(do: Doing) -> None:
    until = do.tx.today + (30 + do.step.other % 150) * DAY if do.step.other % 2 else None
    await finalize_suspension(do.tx, do.town.actor, proposal_id=await do.opened("suspend"), until=until)


async def dismiss(do: Doing) -> None:
    effect = "suspend" if do.step.other % 3 else "end"
    await dismiss_proposal(do.tx, do.town.actor, proposal_id=await do.opened(effect))


async def reactivate(do: Doing) -> None:
    await reactivate_permit(do.tx, do.town.actor, suspension_id=await do.running("suspension"), on=do.on)


async def propose(do: Doing, infraction: str, cause: str) -> None:
    permit = await do.away() if infraction == ABANDONS and do.step.other % 5 else await do.permit()
    await propose_ending(do.tx, do.town.actor, permit_id=permit, cause=cause, infraction=infraction, on=do.on)


async def end(do: Doing, cause: str) -> None:
    await end_permit(do.tx, do.town.actor, permit_id=await do.permit(), cause=cause, on=do.on, judged=do.step.other > 2)


async def reveal(do: Doing) -> None:
    facts = {"candidate.other_income": "true"} if do.step.other % 2 else None
    await reveal_bar(do.tx, do.town.actor, permit_id=await do.permit(), exclusion=HIDDEN, facts=facts, on=do.on)


async def note(do: Doing, event: str) -> None:
    permit = await do.away() if event in (JUSTIFIED, BACK) and do.step.other % 5 else await do.permit()
    await note_event(do.tx, do.town.actor, permit_id=permit, event=event, on=do.on)


async def substitute(do: Doing) -> None:
    driver = do.one(do.town.drivers, do.step.other)
    until = do.tx.today + (10 + do.step.other) * DAY if do.step.other % 2 else None
    await admit_substitute(
        do.tx, do.town.actor, permit_id=await do.permit(), driver_id=driver, since=do.on, until=until, judged=True
    )


async def crew(do: Doing) -> None:
    driver = do.one(do.town.drivers, do.step.other)
    await admit_stand_in(do.tx, do.town.actor, permit_id=await do.permit(), driver_id=driver, role=of_law.ROLE)


async def leave(do: Doing) -> None:
    await end_substitute(do.tx, do.town.actor, substitute_id=await do.running("substitute"), on=do.on)


async def move(do: Doing) -> None:
    stand = do.one(do.town.law["stands"], do.step.other)
    await assign_stand(do.tx, do.town.actor, permit_id=await do.permit(), stand=stand, on=do.on)


async def fine(do: Doing) -> None:
    codes = (("X-0", "X-1"), ("X-2", "X-0"), ("X-1",))[do.step.other % 3]
    await issue_fine(
        do.tx, do.town.actor, permit_id=await do.permit(), infractions=codes, seen_on=do.on, notified_on=do.on,
        facts={"local.level": "1", "local.flag": "false"},
    )  # fmt: skip


async def file(do: Doing) -> None:
    await register.papers(do.tx, do.town, do.step.which % len(do.town.holders), 5 * do.step.other)


async def enter(do: Doing) -> None:
    await register.person(do.tx, do.town, do.step.which)
    await register.vehicle(do.tx, do.town, do.step.other)


# A word as often as it is to be tried.
VERBS: Mapping[str, tuple[int, Callable[[Doing], Awaitable[None]]]] = {
    "grant": (2, grant),
    "arrive": (1, arrive),
    "license": (8, license),
    "renew": (4, renew),
    "extend": (6, extend),
    "swap": (3, swap),
    "transfer": (6, transfer),
    "suspend": (2, suspend),
    "rest": (3, rest),
    "reactivate": (3, reactivate),
    "propose for abandonment": (8, partial(propose, infraction=ABANDONS, cause="e7")),
    "propose for an infraction": (2, partial(propose, infraction=BREAKS, cause="e3")),
    "finalize": (7, finalize),
    "dismiss": (3, dismiss),
    "give up": (3, partial(end, cause="e0")),
    "die": (2, partial(end, cause="e1")),
    "dissolve": (2, partial(end, cause="e2")),
    "reveal": (5, reveal),
    "start": (2, partial(note, event="service_started")),
    "be away": (6, partial(note, event=AWAY)),
    "justify": (3, partial(note, event=JUSTIFIED)),
    "come back": (3, partial(note, event=BACK)),
    "substitute": (3, substitute),
    "crew": (2, crew),
    "leave": (3, leave),
    "move": (5, move),
    "fine": (4, fine),
    "file": (2, file),
    "enter": (2, enter),
}
# What is done first, where there is nothing to do a step to.
FIRST = {
    "renew": "license",
    "rest": "suspend",
    "reactivate": "rest",
    "finalize": "reveal",
    "dismiss": "suspend",
    "propose for abandonment": "be away",
    "justify": "be away",
    "come back": "be away",
    "leave": "substitute",
}
