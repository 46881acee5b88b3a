"""Random lives of permits under random laws: what must never happen to a register does not."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from uuid import uuid4

from hypothesis import HealthCheck, Phase, given, settings

from services.clock import FixedClock
from services.database import Database
from tenants.law.decision import Outcome
from tenants.law.kinds.registry import RULES
from tests.conftest import NOW, settings_of
from tests.property.law.generator import ENDINGS
from tests.property.lives.laws import laws
from tests.property.lives.steps import VERBS
from tests.property.lives.town import Seen, found
from tests.property.lives.walk import script, walk
from tests.support.servers import Servers

LAWS, STEPS = 12, 55
# What no step of a permit's life asks of the law.
ELSEWHERE = frozenset(
    {
        *("selection", "restriction", "conduct", "campaign", "points", "process", "service"),
        *("stand_policy", "roster", "service_duty", "tariff", "tariff_policy"),
    }
)


def test_no_life_under_any_law_breaks_what_holds_of_every_register(servers: Servers, worker_number: int) -> None:
    """It says nothing unless each step, each kind of rule, outcome and ending, and each chain has occurred."""
    seen, numbers = Seen(), count(1)
    with asyncio.Runner() as runner, own(runner, servers, worker_number) as (database, clock):

        @settings(
            max_examples=LAWS,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(laws())
        def live(text: str) -> None:
            runner.run(one(text, next(numbers)))

        async def one(text: str, number: int) -> None:
            clock.at = NOW
            town = await found(database, text, number, seen)
            await walk(town, clock, script(number, STEPS))

        live()
    missed = {
        "steps": VERBS.keys() - seen.done.keys(),
        "kinds": {cls.kind for cls in RULES} - ELSEWHERE - seen.kinds.keys(),
        "outcomes": {outcome.value for outcome in Outcome} - seen.outcomes.keys(),
        "chains": {chain for chain, times in seen.chains.items() if not times},
        "endings": ENDINGS.keys() - seen.endings.keys(),
    }
    assert not any(missed.values()), missed


@contextmanager
def own(runner: asyncio.Runner, servers: Servers, number: int) -> Iterator[tuple[Database, FixedClock]]:
    """A database of the test's own, in the loop in which its steps run."""
    name, clock = f"lives_{uuid4().hex}", FixedClock(NOW)
    database = Database(settings_of(servers, runner.run(servers.clone(name)), number), clock)
    yield database, clock
    runner.run(database.close())
    runner.run(servers.drop(name))
