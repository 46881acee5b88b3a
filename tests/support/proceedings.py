"""A case as its offices conduct it: each step in its own transaction, on its own day."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from services import jobs
from services.access import Actor, actor_of, operator
from services.accounts import appointments
from services.clock import FixedClock
from services.database import Database
from services.deadlines import settle
from services.deadlines import store as deadlines
from services.enforcement.fining import issue_fine
from services.municipalities.publishing import amend
from services.proceedings import archiving, deciding, enforcing, filing, instructing, opening, serving, store
from tests.support.factories import Maker, make_town

OPERATOR = operator("platform")
ZONE = ZoneInfo("America/Cuiaba")
NOON = time(12)
FOUNDED = date(2010, 1, 4)


class Docket:
    """One town's cases. ``role``: of whoever acts, as the pack's plan calls its offices."""

    def __init__(self, database: Database, town: UUID) -> None:
        self.database, self.town, self.permits = database, town, 0

    @classmethod
    async def of(cls, database: Database, slug: str, *, samples: bool = True) -> "Docket":
        """Of a town with its samples and offices from that day on."""
        docket = cls(database, UUID(int=0))
        docket.at(FOUNDED)
        docket.town = await make_town(database, slug, samples=samples)
        return docket

    def at(self, day: date, moment: time = NOON) -> None:
        assert isinstance(self.database.clock, FixedClock)
        self.database.clock.at = datetime.combine(day, moment, ZONE).astimezone(UTC)

    async def do(self, use_case: Any, office: str, **given: Any) -> Any:
        """As whoever holds an office."""
        async with self.database.transaction(self.town) as tx:
            return await use_case(tx, await self.actor(tx, office), **given)

    async def holding(self, office: str) -> None:
        """Somebody holds it by now, also for those who will act at once."""
        async with self.database.transaction(self.town) as tx:
            await self.actor(tx, office)

    async def amend(self, text: str) -> None:
        """The town says so, on this day, for all the days of its law."""
        async with self.database.transaction(self.town) as tx:
            await amend(tx, OPERATOR, text=text, norm="Decreto de exemplo", official_on=FOUNDED)

    async def actor(self, tx: Any, office: str) -> Actor:
        """Whoever holds an office; appointed if nobody does."""
        subject = f"no-{office}"
        if not (await actor_of(tx, subject)).offices:
            await appointments.appoint(tx, OPERATOR, subject=subject, office=office, since=FOUNDED)
        return await actor_of(tx, subject)

    async def permit(self, on: date, **given: Any) -> Any:
        self.permits += 1
        async with self.database.transaction(self.town) as tx:
            maker = await Maker.of(tx, seed=f"case {self.permits}")
            return await maker.permit(on, **given)

    async def fined(self, permit_id: UUID, infraction: str, seen_on: date, office: str, **given: Any) -> UUID:
        fine = await self.do(
            issue_fine, office, permit_id=permit_id, infractions=[infraction], seen_on=seen_on, **given
        )
        found: UUID = fine.id
        return found

    async def opens(self, office: str, **given: Any) -> UUID:
        found: UUID = await self.do(opening.open_case, office, **{"text": "Instaure-se.", **given})
        return found

    async def serves(self, case: UUID, office: str, **given: Any) -> None:
        party = given.pop("party_id", None) or (await self.respondents(case))[0]
        await self.do(serving.serve_party, office, case_id=case, party_id=party, **given)

    async def defends(self, case: UUID, office: str, **given: Any) -> None:
        party = given.pop("party_id", None) or (await self.respondents(case))[0]
        await self.do(filing.file_defence, office, case_id=case, party_id=party, text="Não foi assim.", **given)

    async def appeals(self, case: UUID, office: str, **given: Any) -> None:
        party = given.pop("party_id", None) or (await self.respondents(case))[0]
        await self.do(filing.file_appeal, office, case_id=case, party_id=party, text="Recorro.", **given)

    async def takes(self, case: UUID, office: str, **given: Any) -> None:
        await self.do(instructing.take_step, office, case_id=case, text="Manifesto-me.", **given)

    async def orders(self, case: UUID, office: str, **given: Any) -> None:
        await self.do(instructing.order_diligence, office, case_id=case, text="Ouça-se a testemunha.", **given)

    async def decides(self, case: UUID, office: str, outcome: str | Mapping[str, str] = "upheld", **given: Any) -> None:
        """The same for all that waits, or by infraction."""
        waiting = [each for each in await self.charges(case) if each.final_on is None]
        if any(each.appealed_on for each in waiting):
            waiting = [each for each in waiting if each.appealed_on]
        said = [
            {"charge_id": c.id, "outcome": outcome if isinstance(outcome, str) else outcome[c.infraction]}
            for c in waiting
        ]
        await self.do(deciding.decide_case, office, case_id=case, outcomes=said, text="Decido.", **given)

    async def enforces(self, case: UUID, office: str, **given: Any) -> None:
        """Whatever waits to be carried out."""
        for each in await self.charges(case):
            if each.outcome == "upheld" and each.enforced_on is None:
                await self.do(enforcing.enforce_charge, office, case_id=case, charge_id=each.id, **given)

    async def archives(self, case: UUID, office: str, **given: Any) -> None:
        await self.do(archiving.archive_case, office, case_id=case, text="Arquive-se.", **given)

    async def night(self) -> None:
        """Everything that is over is put on record."""
        async with self.database.transaction(self.town) as tx:
            await settle(tx)

    async def work(self) -> None:
        """Whatever waits for a worker."""
        while (await jobs.work(self.database, self.town)).more:
            continue

    # --- what there is ---------------------------------------------------------------------------------------------

    async def case(self, id: UUID) -> Any:
        async with self.database.reader(self.town) as tx:
            return await store.case(tx, id)

    async def respondents(self, id: UUID) -> list[UUID]:
        async with self.database.reader(self.town) as tx:
            return [each.id for each in await store.parties(tx, id) if each.role == "respondent"]

    async def charges(self, id: UUID) -> Sequence[Any]:
        async with self.database.reader(self.town) as tx:
            return await store.charges(tx, id)

    async def pieces(self, id: UUID) -> Sequence[Any]:
        async with self.database.reader(self.town) as tx:
            return await store.pieces(tx, id)

    async def terms(self, kind: str, id: UUID) -> dict[str, Any]:
        """The latest deadline of each kind of a subject."""
        async with self.database.reader(self.town) as tx:
            rows = await deadlines.of_subjects(tx, [(kind, id)], tx.today)
        return {row.kind: row for row in sorted(rows, key=lambda row: row.id)}

    async def rows(self, sql: str, **given: Any) -> Sequence[Any]:
        async with self.database.reader(self.town) as tx:
            return await tx.rows(sql, **given)
