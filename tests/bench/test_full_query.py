"""How fast the list of permits is, against the least that could be done and against what tutorials do.

All three in one run and in turns, each in this process: a machine's load then weighs on all alike.
"""

import json
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson
import pytest

from services.database import Database
from tests.bench import tutorial
from tests.bench.register import full_town
from tests.support.web import edge

ROUNDS, PERMITS = 7, 200
OF_THE_LIMIT, TIMES_THE_TUTORIALS = 0.10, 4
ASKED = {"first": 50, "fines": 5}
FULL = """
query Full($first: Int!, $fines: Int!) {
  permits(first: $first) { edges { node {
    id number category state since
    holder { id name kind }
    vehicle { id plate manufactureYear doors }
    stand { number place }
    fines(first: $fines) { number infraction seenOn units brl }
  } } }
}
"""
BY_HAND = """
SELECT json_build_object('data', json_build_object('permits', json_build_object('edges', json_agg(json_build_object(
  'node', json_build_object(
    'id', p.id, 'number', p.number, 'category', p.category, 'state', p.state, 'since', lower(p.during),
    'holder', (
        SELECT json_build_object('id', h.id, 'name', person.name, 'kind', h.kind)
        FROM holder AS h JOIN person ON person.tenant_id = h.tenant_id AND person.id = h.person_id
        WHERE h.tenant_id = p.tenant_id AND h.id = p.holder_id
    ),
    'vehicle', (
        SELECT json_build_object('id', v.id, 'plate', v.plate, 'manufactureYear', v.manufacture_year, 'doors', v.doors)
        FROM permit_vehicle AS pv JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
        WHERE pv.tenant_id = p.tenant_id AND pv.permit_id = p.id AND pv.during @> $2::date
    ),
    'stand', (
        SELECT json_build_object('number', s.stand) FROM stand_assignment AS s
        WHERE s.tenant_id = p.tenant_id AND s.permit_id = p.id AND s.during @> $2::date
    ),
    'fines', (
        SELECT json_agg(json_build_object(
            'number', f.number, 'infraction', f.infraction, 'seenOn', f.seen_on, 'units', f.units, 'brl', f.brl))
        FROM (
            SELECT * FROM fine WHERE tenant_id = p.tenant_id AND permit_id = p.id
            ORDER BY seen_on DESC, id DESC LIMIT $4
        ) AS f
    )
  )
)))))::text
FROM (SELECT set_config('app.tenant_id', $1, true)::uuid AS id) AS town
CROSS JOIN LATERAL (
    SELECT p.*, state(p, $2::date) AS state FROM permit AS p WHERE p.tenant_id = town.id ORDER BY p.id LIMIT $3
) AS p
"""


async def rate(ask: Callable[[], Awaitable[None]], times: int) -> float:
    """Requests in a second."""
    begin = time.perf_counter()
    for _ in range(times):
        await ask()
    return times / (time.perf_counter() - begin)


async def test_the_full_list_is_near_the_limit_and_far_from_the_tutorials(
    own_database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    town = await full_town(own_database, PERMITS)
    async with edge(own_database, tmp_path, directory_seconds=600) as web, own_database.engine.connect() as connection:
        raw: Any = (await connection.get_raw_connection()).driver_connection
        day = own_database.clock.now().date()
        body = orjson.dumps({"query": FULL, "variables": ASKED})
        headers = {
            "content-type": "application/json",
            "authorization": f"Bearer {web.token('bia', town='vila-nova')}",
            "host": "vila-nova.test",
        }
        sent: dict[str, Any] = {}

        async def ours() -> None:
            sent["ours"] = await asked(web.app, body, headers)

        async def by_hand() -> None:
            sent["by hand"] = await raw.fetchval(BY_HAND, str(town), day, ASKED["first"], ASKED["fines"])

        async def tutorials() -> None:
            sent["tutorials"] = await by_tutorial(own_database, town)

        for warm in (ours, by_hand, tutorials):
            await rate(warm, 3)
        same_answers(sent)
        rates: dict[str, list[float]] = {"ours": [], "by hand": [], "tutorials": []}
        for _ in range(ROUNDS):
            rates["ours"].append(await rate(ours, 10))
            rates["by hand"].append(await rate(by_hand, 30))
            rates["tutorials"].append(await rate(tutorials, 2))

    middle = {name: statistics.median(of) for name, of in rates.items()}
    to_limit = statistics.median(a / b for a, b in zip(rates["ours"], rates["by hand"], strict=True))
    to_tutorials = statistics.median(a / b for a, b in zip(rates["ours"], rates["tutorials"], strict=True))
    with capsys.disabled():
        shown = ", ".join(f"{name} {value:.0f}/s" for name, value in middle.items())
        print(f"\nfull list: {shown}; {to_limit:.2f} of the limit, {to_tutorials:.1f} times the tutorials")  # noqa: T201 - what it is for
    assert to_limit >= OF_THE_LIMIT
    assert to_tutorials >= TIMES_THE_TUTORIALS


async def asked(app: Any, body: bytes, headers: dict[str, str]) -> bytes:
    """One request, without a server in between."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/graphql",
        "raw_path": b"/graphql",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }
    answer = bytearray()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        answer.extend(message.get("body", b""))

    await app(scope, receive, send)
    return bytes(answer)


async def by_tutorial(database: Database, town: UUID) -> bytes:
    async with database.reader(town) as tx:
        result = await tutorial.schema.execute(
            tutorial.FULL, variable_values=dict(ASKED), context_value=tutorial.Loaders(tx)
        )
    assert result.errors is None
    return json.dumps({"data": result.data}).encode()


def same_answers(sent: dict[str, Any]) -> None:
    """Each has all the permits, and of each the same holders, vehicles, stands and fines."""
    nodes = [edge["node"] for edge in orjson.loads(sent["ours"])["data"]["permits"]["edges"]]
    hand = [edge["node"] for edge in orjson.loads(sent["by hand"])["data"]["permits"]["edges"]]
    by_loaders = orjson.loads(sent["tutorials"])["data"]["permits"]

    assert [len(each) for each in (nodes, hand, by_loaders)] == [ASKED["first"]] * 3
    assert [n["vehicle"]["plate"] for n in nodes] == [n["vehicle"]["plate"] for n in hand]
    assert [[f["number"] for f in n["fines"]] for n in nodes] == [[f["number"] for f in n["fines"]] for n in hand]
    assert all(len(n["fines"]) == ASKED["fines"] and n["stand"]["place"] for n in nodes)
    assert {n["holder"]["name"] for n in by_loaders} == {n["holder"]["name"] for n in nodes}
