"""Random cases under random laws: nothing takes effect while it waits, nothing is final too early, nothing is lost."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.property.law.generator import packs
from tests.property.proceedings.rites import OCCURS, rites
from tests.property.proceedings.walk import FIRST, Walk, new_slug

if TYPE_CHECKING:
    from services.database import Database
    from tests.support.servers import Servers

EXAMPLES, STEPS = 45, 20
ACTIONS = (
    *("serves", "serves", "defends", "appeals", "takes", "orders", "decides", "decides", "enforces", "archives"),
    "enters",
)


@pytest.fixture
def loop(servers: Servers, worker_number: int) -> Iterator[tuple[asyncio.Runner, Database]]:
    """A loop of its own, since Hypothesis calls from outside of any; and a database on it."""
    from datetime import UTC, datetime, time

    from services.clock import FixedClock
    from services.database import Database
    from tests.conftest import settings_of

    name = f"cases_{uuid.uuid4().hex}"
    with asyncio.Runner() as runner:
        url = runner.run(servers.clone(name))
        clock = FixedClock(datetime.combine(FIRST, time(16), UTC))
        database = Database(settings_of(servers, url, worker_number), clock)
        yield runner, database
        runner.run(database.close())
        runner.run(servers.drop(name))


def machine_of(runner: asyncio.Runner, database: Database, seen: Counter[str]) -> type[RuleBasedStateMachine]:
    class Case(RuleBasedStateMachine):
        """One case of one town."""

        walk: Walk | None = None

        @initialize(law=packs(rites), seed=st.integers(0, 10**6))
        def opens(self, law: str, seed: int) -> None:
            self.walk = Walk(database, seed, seen)
            runner.run(opened(self.walk, law))

        @rule(action=st.sampled_from(ACTIONS))
        def tries(self, action: str) -> None:
            runner.run(self.of.tries(action))

        @rule()
        def goes_on(self) -> None:
            runner.run(self.of.goes_on())

        @rule(days=st.integers(0, 9))
        def passes(self, days: int) -> None:
            runner.run(self.of.passes(days))

        @invariant()
        def holds(self) -> None:
            if self.walk is not None:
                runner.run(self.walk.holds())

        def teardown(self) -> None:
            if self.walk is not None and self.walk.case is not None:
                runner.run(self.walk.ends())

        @property
        def of(self) -> Walk:
            assert self.walk is not None
            return self.walk

    return Case


async def opened(walk: Walk, law: str) -> None:
    walk.town = await founded(walk.database, law)
    await walk.opens()


async def founded(database: Database, law: str) -> Any:
    """A town with a random law, as the loader reads it."""
    from services import acts
    from services.access import operator
    from services.database import NewTown
    from services.municipalities import store
    from tenants.law.loader import load

    slug = new_slug()
    ibge = f"{uuid.uuid4().int % 10**7:07d}"
    town = NewTown(
        slug=slug, name=slug, uf="MT", ibge=ibge, zone="America/Cuiaba", hosts=(f"{slug}.test",), fictitious=True
    )
    async with database.founding(town) as tx:
        act = await acts.record(tx, operator("op"), "law.onboarded", on=("municipality", tx.tenant_id))
        await store.publish(tx, load(law).raws, official_on=None, norm="Lei 1", cause="onboarded", act_id=act.id)
        return tx.tenant_id


def test_any_case_under_any_law(loop: tuple[asyncio.Runner, Database]) -> None:
    runner, database = loop
    seen: Counter[str] = Counter()

    run_state_machine_as_test(
        machine_of(runner, database, seen),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],  # a walk of a database is not worth its shrinking
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert OCCURS - seen.keys() == set(), dict(seen)
