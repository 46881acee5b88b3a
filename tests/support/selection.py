"""A call for vacancies, step by step, each in a transaction of its own on a day of its own."""

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from services.access import Actor, actor_of
from services.clock import FixedClock
from services.database import Database, Transaction
from services.selection import (
    awarding,
    calling,
    drawing,
    enrolling,
    freezing,
    objecting,
    proof,
    signing,
    store,
)
from tests.support.factories import Maker, free_stand, plan_of

SCRIPT = Path(__file__).parents[2] / "docs/verify_draw.py"
LOTTERY = "Loteria Federal, extração 6.050, 1º prêmio"
ALIKE: dict[str, Any] = {
    "candidate__other_income": "não",
    "candidate__dependants": 2,
    "candidate__driving_months": 60,
    "candidate__sole_provider": "não",
    "candidate__marital": "married",
    "local__residente_desde": "2010-01-01",
}
NOBODY = UUID(int=0)
Step = Callable[..., Awaitable[Any]]


@dataclass(slots=True)
class Contest:
    """A town in which a call runs. ``who`` of a step is a role of the town's plan."""

    database: Database
    town: UUID
    slug: str
    granter: str
    call: UUID = NOBODY
    candidates: list[UUID] = field(default_factory=list)

    @property
    def today(self) -> date:
        return self.clock.at.date()

    @property
    def clock(self) -> FixedClock:
        assert isinstance(self.database.clock, FixedClock)
        return self.database.clock

    def pass_days(self, days: int) -> None:
        self.clock.at += timedelta(days=days)

    def at(self, day: date) -> None:
        self.clock.at = datetime.combine(day, self.clock.at.timetz())

    async def does(self, role: str, use_case: Step, /, **given: Any) -> Any:
        async with self.database.transaction(self.town) as tx:
            return await use_case(tx, await self.actor(tx, role), **given)

    async def actor(self, tx: Transaction, role: str) -> Actor:
        account = next(each for each in plan_of(self.slug).account if each.role == role)
        return await actor_of(tx, account.subject)

    async def opens(self, vacancies: int, *, category: str = "taxi", days: int = 2) -> Any:
        closes = self.today + timedelta(days=days)
        call = await self.does(
            self.granter, calling.open_call, category=category, vacancies=vacancies, closes_on=closes
        )
        self.call = call.id
        return call

    async def enrols(self, *, cohort: dict[str, Any] | None = None, **facts: object) -> UUID:
        """Somebody with all papers; ``facts`` are declared (dots as ``__``)."""
        async with self.database.transaction(self.town) as tx:
            make = await Maker.of(tx, seed=f"candidate {len(self.candidates)}")
            member = await make.candidate(**(cohort or {}))
            told = {code.replace("__", "."): str(value) for code, value in facts.items()}
            candidate = await enrolling.enrol_candidate(
                tx, make.offices.who("register"), call_id=self.call, facts=told,
                holder_id=member.holder_id or NOBODY, vehicle_id=member.vehicle_id or NOBODY,
            )  # fmt: skip
        self.candidates.append(candidate.id)
        return candidate.id

    async def freezes(self, **given: Any) -> Any:
        return await self.does(self.granter, freezing.freeze_call, call_id=self.call, **given)

    async def judges(self, step: int, places: dict[UUID, int], role: str = "inspector", **given: Any) -> Any:
        said = [{"candidate_id": id, "place": place} for id, place in places.items()]
        return await self.does(role, freezing.record_judgement, call_id=self.call, step=step, places=said, **given)

    async def draws(self, seed: str, **given: Any) -> Any:
        told = {"source": LOTTERY, "drawn_on": self.today, **given}
        return await self.does(self.granter, drawing.enter_seed, call_id=self.call, seed=seed, **told)

    async def publishes(self) -> Any:
        return await self.does(self.granter, drawing.publish_result, call_id=self.call)

    async def awards(self) -> Any:
        return await self.does(self.granter, awarding.award, call_id=self.call)

    async def signs(self, candidate: UUID, **given: Any) -> Any:
        async with self.database.transaction(self.town) as tx:
            own = {"stand": await free_stand(tx, "taxi", self.today)}
        told = {**own, **given}
        return await self.does(self.granter, signing.sign_adhesion, candidate_id=candidate, judged=True, **told)

    async def objects(self, candidate: UUID, **given: Any) -> Any:
        told = {"says": "Faltou contar um dependente.", **given}
        return await self.does("clerk", objecting.file_objection, candidate_id=candidate, **told)

    async def rows(self, sql: str, **params: Any) -> list[Any]:
        async with self.database.reader(self.town) as tx:
            return await tx.rows(sql, **params)

    async def states(self) -> dict[UUID, str]:
        async with self.database.reader(self.town) as tx:
            found = (await store.candidates(tx, [self.call], tx.today)).get(self.call, [])
        return {row.id: row.state for row in found}

    async def order(self) -> list[tuple[int, UUID]]:
        rows = await self.rows(
            "SELECT place, id FROM selection_candidate WHERE tenant_id = :tenant AND call_id = :call "
            "ORDER BY place, id", call=self.call,
        )  # fmt: skip
        return [(row.place, row.id) for row in rows]

    async def proof(self) -> dict[str, Any]:
        async with self.database.reader(self.town) as tx:
            text = await proof.proof_of(tx, await store.call(tx, self.call, tx.today))
        assert text is not None
        return dict(json.loads(text))


def verified(proof: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """What a stranger's Python says of a proof file: no site, no environment, the standard library alone."""
    file = folder / "proof.json"
    file.write_text(json.dumps(proof), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={})


async def frozen(contest: Contest, *dependants: int, vacancies: int = 1) -> None:
    """A list of candidates who differ in their dependants alone."""
    await contest.opens(vacancies)
    for how_many in dependants:
        await contest.enrols(**ALIKE | {"candidate__dependants": how_many})
    contest.pass_days(3)
    await contest.freezes(draw_source=LOTTERY, draw_on=contest.today + timedelta(days=4))


async def drawn(contest: Contest, *dependants: int, vacancies: int = 1, seed: str = "48213") -> None:
    await frozen(contest, *dependants, vacancies=vacancies)
    most = [id for id, how_many in zip(contest.candidates, dependants, strict=True) if dependants.count(how_many) > 1]
    await contest.judges(6, dict.fromkeys(most, 1))
    contest.pass_days(4)
    await contest.draws(seed)


async def bid(contest: Contest, *places: int, vacancies: int = 1) -> None:
    """Proposals of drivers, judged; the result is published and nobody can object any more."""
    await contest.opens(vacancies)
    for _ in places:
        await contest.enrols(candidate__driving_months=60, candidate__dependants=1)
    contest.pass_days(3)
    await contest.freezes()
    if len(places) > vacancies:
        await contest.judges(1, dict(zip(contest.candidates, places, strict=True)), role="secretary")
    await contest.publishes()
    contest.pass_days(8)
