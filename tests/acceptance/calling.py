"""A call for vacancies over HTTP, each step by the role whose front end has it, in a town of its own law."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from api.types.scalars import global_id
from services.clock import FixedClock
from tests.acceptance.applying import applicant, facts_of
from tests.acceptance.stage import BARRA, COTRIGUACU, subject_of

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

ANNOUNCED, LAST_DAY = "2026-03-02", "2026-03-09"
LOTTERY = "Loteria Federal, extração 6.050"
GRANTERS = {BARRA: "secretary", COTRIGUACU: "mayor"}
ALIKE = {
    BARRA: {
        "candidate.other_income": "não",
        "candidate.dependants": "2",
        "candidate.driving_months": "60",
        "candidate.sole_provider": "não",
        "candidate.marital": "married",
        "local.residente_desde": "2010-01-01",
    },
    COTRIGUACU: {"candidate.dependants": "2", "candidate.driving_months": "60"},
}


@dataclass(slots=True)
class Calling:
    stage: Stage
    town: str
    call: dict[str, Any] = field(default_factory=dict)
    candidates: list[dict[str, Any]] = field(default_factory=list)

    @property
    def clock(self) -> FixedClock:
        clock = self.stage.web.clock
        assert isinstance(clock, FixedClock)
        return clock

    @property
    def today(self) -> date:
        return self.clock.at.date()

    def pass_days(self, days: int) -> None:
        self.stage.at(self.clock.at + timedelta(days=days))

    async def does(self, document: str, **given: Any) -> Any:
        """What the document answers, asked by who has the office for it here."""
        role = document.partition("/")[0]
        granting = "granter" if role in ("secretary", "mayor") and "decide" not in document else role
        role = GRANTERS[self.town] if granting == "granter" else role
        return await self.stage.act(document, given, town=self.town, role=role)

    async def done(self, document: str, **given: Any) -> Any:
        made = await self.does(document, **given)
        assert "code" not in made, made
        return made

    async def opens(self, vacancies: int = 1) -> None:
        days = {"announcedOn": ANNOUNCED, "closesOn": LAST_DAY}
        self.call = await self.done("secretary/openCall", category="taxi", vacancies=vacancies, **days)

    async def enrolling(self, **facts: str) -> dict[str, Any]:
        """What the counter sends for somebody with all papers; ``facts`` declared otherwise, dots as ``__``."""
        told = ALIKE[self.town] | {code.replace("__", "."): value for code, value in facts.items()}
        pair = (await applicant(self.stage, self.town)).pair
        return {"callId": self.call["id"], "facts": facts_of(told), "enrolledOn": LAST_DAY, **pair}

    async def enrols(self, **facts: str) -> dict[str, Any]:
        made: dict[str, Any] = await self.done("clerk/enrolCandidate", **await self.enrolling(**facts))
        self.candidates.append(made)
        return made

    def draw(self) -> dict[str, Any]:
        """The lottery that is named at the freezing, where the law draws lots."""
        return {"drawSource": LOTTERY, "drawOn": str(self.today + timedelta(days=4))} if self.town == BARRA else {}

    async def freezes(self) -> Any:
        return await self.done("secretary/freezeCall", callId=self.call["id"], **self.draw())

    def judging(self, step: int, *places: int) -> dict[str, Any]:
        given = zip(self.candidates, places, strict=True)
        said = [{"candidateId": each["id"], "place": place} for each, place in given]
        return {"callId": self.call["id"], "step": step, "places": said}

    async def judges(self, step: int, *places: int, role: str = "inspector") -> Any:
        given = self.judging(step, *places)
        return await self.stage.done("inspector/recordJudgement", given, town=self.town, role=role)

    async def frozen(self, how_many: int = 2, vacancies: int = 1) -> None:
        await self.opens(vacancies)
        for _ in range(how_many):
            await self.enrols()
        await self.freezes()

    async def ranked(self, how_many: int = 2, vacancies: int = 1) -> None:
        """Frozen, and judged: the first who enrolled is the first."""
        await self.frozen(how_many, vacancies)
        places = range(1, how_many + 1)
        if self.town == BARRA:
            await self.judges(6, *places)
        else:
            await self.judges(1, *places, role="secretary")

    async def published(self, how_many: int = 2, vacancies: int = 1) -> Any:
        await self.ranked(how_many, vacancies)
        return await self.done("secretary/publishResult", callId=self.call["id"])

    async def published_with_the_account(self) -> Any:
        """The second of two is the candidate of the plan, who has an account: how they see it themselves."""
        await self.opens()
        await self.enrols()
        given = {"callId": self.call["id"], "facts": facts_of(ALIKE[self.town]), "enrolledOn": LAST_DAY}
        self.candidates.append(await self.done("clerk/enrolCandidate", **given, **await self.account()))
        await self.freezes()
        await self.judges(6, 1, 2)
        await self.done("secretary/publishResult", callId=self.call["id"])
        own = await self.stage.run("holder/myCandidacies", town=self.town, role="candidate")
        (found,) = [each for each in own if each["call"]["number"] == self.call["number"]]
        return found

    async def account(self) -> dict[str, str]:
        """Holder and vehicle of the plan's candidate."""
        sql = (
            "SELECT h.id AS holder, v.id AS vehicle FROM account AS a "
            "JOIN holder AS h ON h.tenant_id = a.tenant_id AND h.person_id = a.person_id "
            "JOIN vehicle AS v ON v.tenant_id = h.tenant_id AND v.holder_id = h.id "
            "WHERE a.tenant_id = :tenant AND a.subject = :subject"
        )
        async with self.stage.database.reader(await self.stage.town(self.town)) as tx:
            row = await tx.one(sql, subject=subject_of(self.town, "candidate"))
        return {"holderId": global_id("holder", row.holder), "vehicleId": global_id("vehicle", row.vehicle)}

    async def awarded(self, how_many: int = 2, vacancies: int = 1) -> Any:
        await self.published(how_many, vacancies)
        self.pass_days(8)
        return await self.done("mayor/award", callId=self.call["id"])


@contextmanager
def for_a_while(stage: Stage) -> Iterator[None]:
    """Whatever day it becomes, afterwards it is the day before."""
    clock = stage.web.clock
    assert isinstance(clock, FixedClock)
    before: datetime = clock.at
    try:
        yield
    finally:
        stage.at(before)
