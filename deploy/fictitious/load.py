"""Both towns with their fictitious register, made once: what is there already is left as it is."""

import asyncio
import hashlib
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from deploy.fictitious.people import Chance
from deploy.fictitious.plan import Cohort, Plan, plans
from deploy.fictitious.stories import Offices, Story
from services import acts
from services.access import actor_of, operator
from services.accounts.appointments import appoint
from services.database import Database, Request, Town, Transaction
from services.municipalities import store
from services.municipalities.publishing import amend, onboard

OPERATOR = operator("praca-fictitious")
SAMPLES = "Valores de exemplo, sem norma"
Say = Callable[[str], None]
Step = Callable[[Transaction], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A town that is ready to be tried out, with its plan, which says whom tokens may mean there."""

    town: Town
    plan: Plan


async def load_all(database: Database, say: Say) -> list[Loaded]:
    """Onboard each town of the plans and fill its register; one that is complete costs a few look-ups.

    Cut short, it goes on where it stopped: each step is a transaction that its request makes once.
    """
    return list(await asyncio.gather(*(load(database, plan, say) for plan in plans())))


async def load(database: Database, plan: Plan, say: Say) -> Loaded:
    async with database.directory() as directory:
        town_id = await store.town_by_slug(directory, plan.slug)
    if town_id is None:
        town_id = (await onboard(database, OPERATOR, text=plan.pack, fictitious=True)).id
        say(f"{plan.slug}: the law is published")
    async with database.reader(town_id) as tx:
        town = tx.town
    if town.fictitious:  # never into a register that is meant
        await once(database, town_id, "samples", partial(supply, plan=plan))
        await once(database, town_id, "offices", partial(fill_offices, plan=plan))
        await fill(database, town_id, plan, say)
    return Loaded(town, plan)


async def once(database: Database, town_id: UUID, step: str, work: Step) -> bool:
    """Do a step in a transaction of its own; False when it was done before."""
    request = Request(f"fictitious {step}", hashlib.sha256(step.encode()).digest())
    async with database.transaction(town_id, request=request) as tx:
        if await acts.repeated(tx, request.id, request.hash):
            return False
        await work(tx)
        return True


async def supply(tx: Transaction, *, plan: Plan) -> None:
    """Sample values of what only the town can say."""
    await amend(tx, OPERATOR, text=plan.samples, norm=SAMPLES, official_on=tx.today)


async def fill_offices(tx: Transaction, *, plan: Plan) -> None:
    for account in plan.account:
        for office in account.offices:
            await appoint(tx, OPERATOR, subject=account.subject, office=office, since=tx.today, name=account.name)


async def fill(database: Database, town_id: UUID, plan: Plan, say: Say) -> None:
    """Those with permits one cohort after the other, so that each town's numbers are always the same; the rest beside.

    Members' own numbers go by the plan's order.
    """
    firsts = itertools.accumulate((cohort.count for cohort in plan.cohort), initial=1)
    steps = list(zip(plan.cohort, firsts, strict=False))
    lanes = [[step for step in steps if bool(step[0].granted) is granted] for granted in (True, False)]
    entered = sum(await asyncio.gather(*(lane(database, town_id, plan, each) for each in lanes)))
    if entered:
        say(f"{plan.slug}: {entered} people and companies are in the register, with what befell them")


async def lane(database: Database, town_id: UUID, plan: Plan, steps: Sequence[tuple[Cohort, int]]) -> int:
    """Cohorts in turn; how many people entered."""
    entered = 0
    for cohort, first in steps:
        story = partial(tell, plan=plan, cohort=cohort, first_number=first)
        if await once(database, town_id, f"cohort {cohort.code}", story):
            entered += cohort.count
    return entered


async def tell(tx: Transaction, *, plan: Plan, cohort: Cohort, first_number: int) -> None:
    officers = [await actor_of(tx, account.subject) for account in plan.account if account.offices]
    chance = Chance.of(f"{plan.slug} {cohort.code}", tx.today)
    await Story(tx, plan, cohort, Offices(officers), chance).tell(first_number)
