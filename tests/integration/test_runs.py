"""Runs as operator and offices watch them: what failed stays in sight until it has succeeded."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.runs import unfinished
from services.access import operator
from services.accounts import appointments
from services.clock import FixedClock
from services.database import Database
from services.nights import night
from tests.support.poison import cured, poisoned
from tests.support.register import found, make_deadline
from tests.support.servers import Servers
from tests.support.web import edge

OFFICES = '[[office]]\nrows = [{ code = "secretaria", title = "Secretaria", may = ["read"], cite = "art. 2" }]\n'
RUNS = """
query ($first: Int, $after: String, $kind: String, $day: Date, $failed: Boolean) {
  runs(first: $first, after: $after, kind: $kind, day: $day, failed: $failed) {
    pageInfo { hasNextPage endCursor }
    edges { node { town day kind state attempts counts error message offices endedAt } }
  }
}
"""


async def over(database: Database, town: Any, late: int = 1) -> None:
    async with database.transaction(town) as tx:
        await make_deadline(tx, until=tx.today - timedelta(days=late))


async def test_the_operator_is_shown_what_failed_in_any_town_until_it_has_succeeded(
    own_database: Database, servers: Servers, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good = await found(own_database, "vila-ma"), await found(own_database, "vila-boa")
    for town in (bad, good):
        await over(own_database, town)
    assert await unfinished(own_database) == 0
    assert capsys.readouterr().out == "Every run has ended.\n"

    await poisoned(servers, own_database, bad)
    await night(own_database, [bad, good])
    assert await unfinished(own_database) == 1
    told = capsys.readouterr().out
    assert "vila-ma" in told
    assert "2026-03-10" in told
    assert "P0001" in told
    assert "vila-boa" not in told

    await cured(servers, own_database)
    await night(own_database, [bad])
    assert await unfinished(own_database) == 0


async def test_runs_are_listed_by_day_and_filtered_by_kind_day_and_failure(
    own_database: Database, servers: Servers, clock: FixedClock, tmp_path: Path
) -> None:
    town = await found(own_database, "vila-nova", law=OFFICES)
    other = await found(own_database, "serra-alta", law=OFFICES)
    for each in (town, other):
        async with own_database.transaction(each) as tx:
            given = {"subject": "ana", "office": "secretaria", "since": date(2026, 1, 1)}
            await appointments.appoint(tx, operator("platform"), **given)  # type: ignore[arg-type]
    for _ in range(3):
        await over(own_database, town)
        await night(own_database, [town])
        clock.advance(timedelta(days=1))
    await over(own_database, town)
    await poisoned(servers, own_database, town)
    await night(own_database, [town, other])

    async with edge(own_database, tmp_path) as web:
        asking: dict[str, Any] = {"host": "vila-nova.test", "token": web.token()}

        async def asked(**given: Any) -> list[dict[str, Any]]:
            data = await web.ask(RUNS, variables=given, **asking)
            return [each["node"] for each in data["runs"]["edges"]]

        walked, after = [], None
        while True:
            page = (await web.ask(RUNS, variables={"first": 1, "after": after}, **asking))["runs"]
            walked += [each["node"] for each in page["edges"]]
            after = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        (failed,) = await asked(failed=True)

        days = [f"2026-03-{day}" for day in (13, 12, 11, 10)]
        assert [each["day"] for each in walked] == days
        assert [each["day"] for each in await asked(failed=False)] == days[1:]
        assert [each["day"] for each in await asked(day="2026-03-11")] == ["2026-03-11"]
        assert await asked(kind="another") == []
        assert (failed["day"], failed["state"], failed["endedAt"]) == ("2026-03-13", "failed", None)
        assert failed["error"].endswith("P0001")
        assert failed["message"].endswith(".")
        assert (walked[1]["state"], walked[1]["counts"]["expired"], walked[1]["message"]) == ("done", 1, None)
        assert {(each["town"], *each["offices"]) for each in walked} == {("vila-nova", "secretaria")}
        assert await web.codes(RUNS, host="vila-nova.test", token=web.token("bia")) == ["FORBIDDEN"]
