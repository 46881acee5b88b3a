"""What a passenger is told of the taxi before them: above all that it must not serve, since when and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.fixture
async def suspended(legislated: Stage) -> tuple[Living, Any, str]:
    """A permit of 1 March 2010, suspended from the 20th of April to the 10th of May; its plate, and the suspension."""
    town = Living(legislated, COTRIGUACU)
    town.on("2010-03-01")
    permit = await town.permit(await town.somebody(), stand="1")
    town.on("2010-04-20")
    given = {"permitId": permit["id"], "infraction": "CO-41-III"}
    proposal = await town.done("inspector/proposeSuspension", **given)
    made = await town.done("mayor/finalizeSuspension", proposalId=proposal["id"], until="2010-05-10")
    return town, made, permit["vehicle"]["plate"]


async def told(town: Living, plate: str, on: str | None = None) -> Any:
    return (await town.ask("public/publicPermit", plate=plate, **({"on": on} if on else {})))["suspension"]


DAYS = {"since": "2010-04-20", "until": "2010-05-10"}


async def test_a_suspension_is_shown_on_its_days_and_on_no_other(suspended: tuple[Living, Any, str]) -> None:
    town, _, plate = suspended

    found = {day: await told(town, plate, day) for day in ("2010-04-19", "2010-04-20", "2010-05-10", "2010-05-11")}

    assert await told(town, plate) == DAYS, "today, when no day is said"
    assert found == {"2010-04-19": None, "2010-04-20": DAYS, "2010-05-10": DAYS, "2010-05-11": None}


async def test_one_that_was_lifted_is_shown_until_the_day_before(suspended: tuple[Living, Any, str]) -> None:
    town, made, plate = suspended
    town.on("2010-04-25")
    await town.done("mayor/reactivatePermit", suspensionId=made["id"])

    assert await told(town, plate) is None
    assert await told(town, plate, "2010-04-24") == {"since": "2010-04-20", "until": "2010-04-24"}
