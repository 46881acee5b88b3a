"""Permits in a random order of steps, each on its own day, with nights between, and what must hold after each."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from services.clock import FixedClock
from services.errors import Conflict, Invalid, Refused
from services.nights import night
from tests.property.lives.invariants import broken
from tests.property.lives.steps import DAY, FIRST, VERBS, Doing, Idle, Step
from tests.property.lives.town import Town

AFTER_ANOTHER = """
SELECT count(*) FROM licence AS n JOIN licence AS b ON b.tenant_id = n.tenant_id AND b.permit_id = n.permit_id
WHERE n.tenant_id = :tenant AND lower(n.during) = upper(b.during)
"""
PROLONGED = "SELECT count(*) FROM extension WHERE tenant_id = :tenant"
DAYS, BACK = (0, 0, 1, 3, 5, 10, 20, 40, 60, 150, 300), (0, 0, 0, 1, 5)
OF_NO_PERMIT = frozenset({"enter", "file"})
GRANTS, FEW, ASKING = 6, 3, 3
INSISTED = ("transfer", "move")


def script(seed: int, steps: int) -> list[Step]:
    """A few grants first, that there may be lives, and then anything."""
    chance = Random(seed)  # noqa: S311 - the same every time
    verbs = chance.choices(list(VERBS), [times for times, _ in VERBS.values()], k=steps)
    return [
        Step(
            verb,
            days=chance.choice(DAYS),
            which=chance.randrange(60),
            other=chance.randrange(60),
            back=chance.choice(BACK),
        )
        for verb in [*["grant"] * GRANTS, *verbs]
    ]


async def walk(town: Town, clock: FixedClock, script: Sequence[Step]) -> None:
    """Every step on its day, the night before it, and what must hold after each."""
    await _holds(town, "the beginning", night=True)
    for step in script:
        if step.days:
            clock.advance(step.days * DAY)
            (outcome,) = await night(town.database, [town.id])
            assert outcome.error is None, outcome
            await _holds(town, f"the night before {step}", night=True)
        for each in await _with_newcomer(town, step):
            await _befall(town, each)
    await _told(town)


async def _with_newcomer(town: Town, step: Step) -> list[Step]:
    """Where hardly anything lives, somebody new asks for a permit first."""
    async with town.database.transaction(town.id) as tx:
        alive = await tx.scalar(
            "SELECT count(*) FROM permit WHERE tenant_id = :tenant AND during @> CAST(:day AS date)", day=tx.today
        )
    new = (
        [replace(step, verb=verb, back=0) for verb in ("enter", "arrive")]
        if alive < FEW and step.which % 3 == 0
        else []
    )
    return [*new, step]


async def _befall(town: Town, step: Step, *, first: bool = True) -> None:
    """The step, and what must hold after it; where there is nothing to do it to, what makes such a thing first."""
    try:
        if await _try(town, step) and step.verb not in OF_NO_PERMIT:
            await _holds(town, str(step))
    except Idle:
        if first and step.verb in FIRST:
            await _befall(town, replace(step, verb=FIRST[step.verb]))
            await _befall(town, step, first=False)


async def _try(town: Town, step: Step) -> bool:
    """A permit is passed on to one after the other until one gets it."""
    for at in range(ASKING if step.verb in INSISTED else 1):
        if await _done(town, replace(step, which=step.which + at, other=step.other + 3 * at)):
            town.seen.done[step.verb] += 1
            return True
    return False


async def _done(town: Town, step: Step) -> bool:
    """An expected no is an answer; anything else is a bug. Raises Idle."""
    _, verb = VERBS[step.verb]
    try:
        async with town.database.transaction(town.id) as tx:
            await verb(Doing(tx, town, step))
    except (Refused, Conflict, Invalid) as no:
        town.seen.refused[step.verb] += 1
        if isinstance(no, Refused):
            town.seen.decision(no.decision.plain())
        return False
    return True


async def _holds(town: Town, after: str, *, night: bool = False) -> None:
    async with town.database.transaction(town.id) as tx:
        found = await broken(tx, after_the_night=night, **town.law)
        assert not found, f"after {after}, on {tx.today}: {found}"


async def _told(town: Town) -> None:
    """What occurred, as the register itself tells it."""
    async with town.database.transaction(town.id) as tx:
        for row in await tx.rows("SELECT CAST(body AS jsonb) AS body FROM act WHERE tenant_id = :tenant"):
            town.seen.decision(row.body)
        for row in await tx.rows("SELECT decision AS body FROM renewal_request WHERE tenant_id = :tenant"):
            town.seen.decision(row.body)
        for row in await tx.rows("SELECT CAST(inputs AS jsonb) AS body FROM deadline WHERE tenant_id = :tenant"):
            town.seen.kinds.update(rule["kind"] for rule in row.body.get("rule", ()))
        for row in await tx.rows(
            "SELECT ended_cause AS cause FROM permit WHERE tenant_id = :tenant AND ended_cause IS NOT NULL"
        ):
            town.seen.endings[row.cause] += 1
        town.seen.kinds["fee"] += await tx.scalar(
            "SELECT count(*) FROM licence WHERE tenant_id = :tenant AND fee_brl IS NOT NULL"
        )
        town.seen.chains["a licence after another"] += await tx.scalar(AFTER_ANOTHER)
        town.seen.chains["a permit prolonged"] += await tx.scalar(PROLONGED)
