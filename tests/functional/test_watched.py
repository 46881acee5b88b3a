"""What the API says of its operations to whoever watches it: never to who asks."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import generate_latest

from api.context import Context
from api.documents import trusted
from deploy.embedded.program import free_port, wait_until
from services import metrics
from services.database import Database
from services.tokens import Issuer
from tests.support.collector import AT_ONCE, collecting
from tests.support.processes import api_processes, environment
from tests.support.register import found
from tests.support.web import Edge, edge
from tests.support.workers import sample, scraped

HOST = "vila-nova.test"
MUNICIPALITY = trusted()["public/municipality"]
PERMITS = trusted()["clerk/permits"]
REGISTER = trusted()["clerk/registerPerson"]
Counted = Callable[..., float]


@pytest.fixture
def counted() -> Counted:
    """How many operations came to an outcome since the test began."""
    before: dict[tuple[str, str], float] = {}

    def now(operation: str, outcome: str) -> float:
        shown = generate_latest(metrics.REGISTRY).decode()
        return sample(shown, "praca_requests_total", operation=operation, outcome=outcome) or 0

    def since(operation: str, outcome: str, *, begin: bool = False) -> float:
        key = (operation, outcome)
        if begin:
            before[key] = now(*key)
        return now(*key) - before[key]

    return since


async def test_each_outcome_is_counted_by_the_document_s_own_name(
    web: Edge, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [
        ("public/municipality", "ok"),
        ("clerk/permits", "forbidden"),
        ("clerk/registerPerson", "forbidden"),
        ("clerk/permits", "bug"),
        ("other", "ok"),
        ("other", "rejected"),
    ]
    for operation, outcome in expected:
        counted(operation, outcome, begin=True)
    given = {"input": {"cpf": "11144477735", "name": "Ana Souza"}}

    await web.ask(MUNICIPALITY, host=HOST)
    await web.post(PERMITS, host=HOST)
    await web.post(REGISTER, variables=given, host=HOST, token=web.token())
    await web.ask("query AnaSouza { municipality { slug } }", host=HOST)
    await web.post("{ nothing }", host=HOST)

    async def broken(self: Context) -> Any:
        raise RuntimeError("cpf 111.444.777-35")

    monkeypatch.setattr(Context, "actor", broken)
    await web.post(PERMITS, host=HOST)

    assert {each: counted(*each) for each in expected} == dict.fromkeys(expected, 1)
    shown = generate_latest(metrics.REGISTRY).decode()
    assert "Ana" not in shown
    assert (sample(shown, "praca_request_duration_seconds_count", operation="clerk/permits") or 0) >= 2


async def test_a_line_says_what_an_operation_was_and_came_to(web: Edge, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    await web.ask(MUNICIPALITY, host=HOST, headers={"x-request-id": "front-end-0001"})

    (line,) = [json.loads(each) for each in capsys.readouterr().err.splitlines() if '"request"' in each]
    assert (line["operation"], line["outcome"], line["town"]) == ("public/municipality", "ok", "vila-nova")
    assert line["request_id"] == "front-end-0001"
    assert 0 < line["seconds"] < 60


async def test_no_line_is_written_where_a_setting_says_so(
    own_database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await found(own_database, "vila-nova")
    async with edge(own_database, tmp_path, log_requests=False) as web:
        capsys.readouterr()
        await web.ask(MUNICIPALITY, host=HOST)

    assert '"request"' not in capsys.readouterr().err


async def test_a_process_shows_its_numbers_at_a_port_of_their_own_and_sends_its_traces_where_a_setting_says(
    own_database: Database, tmp_path: Path
) -> None:
    """Nothing of the numbers is at the address that front ends know."""
    await found(own_database, "vila-nova")
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    Issuer(keys)
    port = free_port()
    with ExitStack() as stack:
        collector = stack.enter_context(collecting())
        given = {"PRACA_METRICS_PORT": str(port), "PRACA_OTLP_ENDPOINT": collector.address, **AT_ONCE}
        (address,) = stack.enter_context(api_processes(1, environment(own_database, keys, **given), tmp_path))
        async with httpx.AsyncClient(base_url=address, headers={"host": HOST}) as client:
            asked = await client.post("/graphql", json={"query": MUNICIPALITY})
            public = await client.get("/metrics")
        shown = scraped(port)
        assert wait_until(lambda: bool(collector.named("graphql public/municipality")), seconds=30)

    assert asked.json()["data"]["municipality"]["slug"] == "vila-nova"
    assert public.status_code == 404
    assert sample(shown, "praca_requests_total", operation="public/municipality", outcome="ok") == 1
    assert sample(shown, "praca_pool_connections", state="in_use") is not None
    assert sample(shown, "praca_register_read") == 1
    assert sample(shown, "praca_towns", zone="America/Cuiaba") == 1
