"""What befalls a cohort: grant, licences, inspections, fines, another vehicle, the end. Each by its use case."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from deploy.fictitious.people import Chance, Entering, Member
from deploy.fictitious.plan import Cohort, Inspected, Plan
from services.access import Actor
from services.accounts.linking import link_account
from services.database import Transaction
from services.enforcement.fining import issue_fine
from services.inspections.checklist import checklist
from services.inspections.recording import record_inspection
from services.permits import store as permits
from services.permits.ending import end_permit
from services.permits.granting import grant_permit
from services.permits.licensing import issue_licence
from services.permits.noting import note_event
from services.permits.swapping import swap_vehicle
from services.stands import store as stands
from tenants.law.kinds.requirements import Inspection as InspectionRule
from tenants.law.kinds.stands import Stand

Event = tuple[date, Callable[[date], Awaitable[object]]]


class Offices:
    """Those who were appointed. Each act is done by whoever has the power for it."""

    def __init__(self, actors: Sequence[Actor]) -> None:
        self._actors = actors

    def who(self, power: str) -> Actor:
        """Raises LookupError: the plan appoints nobody who may."""
        found = next((actor for actor in self._actors if actor.may(power)), None)
        if found is None:
            raise LookupError(f"the plan appoints nobody who may {power}")
        return found

    def of(self, office: str) -> Actor:
        """Who holds an office that the law names. Raises LookupError."""
        found = next((actor for actor in self._actors if office in actor.offices), None)
        if found is None:
            raise LookupError(f"the plan appoints nobody to {office}")
        return found


@dataclass(frozen=True, slots=True)
class Story:
    """One cohort of a town, in one transaction."""

    tx: Transaction
    plan: Plan
    cohort: Cohort
    offices: Offices
    chance: Chance

    async def tell(self, first_number: int) -> None:
        """Let everybody of the cohort live through it, one after the other."""
        for at in range(self.cohort.count):
            member = await self._member(first_number + at, at)
            if at == 0 and self.cohort.account:
                await self._account(self.cohort.account, member)

    async def _account(self, subject: str, member: Member) -> None:
        clerk, person, company = self.offices.who("register"), member.person_id, member.company_id
        await link_account(self.tx, clerk, subject=subject, name=member.name, person_id=person, company_id=company)

    async def _member(self, number: int, at: int) -> Member:
        cohort, chance = self.cohort, self.chance
        on = chance.day(cohort.granted) if cohort.granted else chance.today
        entering = Entering(self.tx, self.offices.who("register"), self.plan, cohort, chance, on)
        member = await entering.member(number)
        if cohort.granted and member.holder_id and member.vehicle_id:
            permit = await grant_permit(
                self.tx,
                self.offices.who("grant"),
                category=cohort.category,
                holder_id=member.holder_id,
                vehicle_id=member.vehicle_id,
                stand=await self._free_stand(on) if cohort.stand else None,
                granted_on=on,
                judged=True,
            )
            life = self._life(permit.id, member.holder_id, entering, at)
            for day, happens in sorted(life, key=lambda event: event[0]):
                await happens(day)
        return member

    def _life(self, permit_id: UUID, holder_id: UUID, entering: Entering, at: int) -> Iterator[Event]:
        """What happens to the permit, and when."""
        cohort, chance, tx, who = self.cohort, self.chance, self.tx, self.offices.who

        async def licensed(day: date) -> None:
            await issue_licence(tx, who("license"), permit_id=permit_id, issued_on=day, judged=True)

        async def begun(day: date) -> None:
            await note_event(tx, who("record"), permit_id=permit_id, event="service_started", on=day)

        async def swapped(day: date) -> None:
            newer = await replace(entering, on=day).newer_car(holder_id)
            await swap_vehicle(tx, who("license"), permit_id=permit_id, vehicle_id=newer, on=day, judged=True)

        async def ended(day: date) -> None:
            cause = cohort.ended.cause if cohort.ended else ""
            await end_permit(tx, who("cancel"), permit_id=permit_id, cause=cause, on=day, judged=True)

        def fined(infractions: Sequence[str]) -> Callable[[date], Awaitable[object]]:
            return lambda day: issue_fine(
                tx, who("fine"), permit_id=permit_id, infractions=infractions, seen_on=day, notified_on=day
            )

        def inspected(inspection: Inspected) -> Callable[[date], Awaitable[object]]:
            return lambda day: self._inspect(permit_id, inspection, day)

        if cohort.begins:
            yield entering.on + chance.span(cohort.begins), begun
        yield from ((chance.day(ago), licensed) for ago in cohort.licensed)
        aside = Chance.of(f"{self.plan.slug} {cohort.code} {at}", chance.today)  # what else is drawn stays as it is
        yield from ((aside.day(each.ago), inspected(each)) for each in cohort.inspected if each.concerns(at))
        if cohort.swapped:
            yield chance.day(cohort.swapped), swapped
        yield from ((chance.day(fine.ago), fined(fine.infractions)) for fine in cohort.fined if at % fine.every == 0)
        if cohort.ended:
            yield chance.day(cohort.ended.ago), ended

    async def _inspect(self, permit_id: UUID, inspection: Inspected, day: date) -> None:
        """All that the law has looked at is there and well, but what the plan says is not."""
        law, row = await self.tx.law(on=day), await permits.vehicle_of(self.tx, permit_id, day)
        if row is None:
            raise LookupError(f"the permit has no vehicle on {day}")
        looked_at = checklist(law, self.cohort.category, self.cohort.holder)
        rule = law.get(InspectionRule, inspection.rule)
        office = law.office_of(rule.by) if rule is not None and rule.by else None
        who = self.offices.of(office) if isinstance(office, str) else self.offices.who("inspect")
        judged = [each.rule for each in looked_at if each.judged and each.rule not in inspection.rejected]
        await record_inspection(
            self.tx,
            who,
            vehicle_id=row.vehicle_id,
            rule=inspection.rule,
            inspected_on=day,
            carried=[each.item for each in looked_at if each.item and each.item not in inspection.lacking],
            approved=judged,
            rejected=inspection.rejected,
        )

    async def _free_stand(self, day: date) -> str:
        """The first stand of the law with a slot left."""
        law, taken = await self.tx.law(on=day), await stands.taken(self.tx, day)
        free = (each.code for _, each in law.all(Stand) if each.slots and taken.get(each.code, 0) < each.slots)
        found = next(free, None)
        if found is None:
            raise LookupError(f"no stand has a slot left on {day}")
        return found
