"""What every request meets: documents, limits, errors, headers, other sites, GraphiQL."""

import logging
import re
from pathlib import Path
from typing import Any

import pytest
from graphql import get_introspection_query

from api.context import Context
from api.documents import hash_of, trusted
from services.database import Database
from services.errors import Forbidden
from tests.support.web import Edge, edge

TOWN = "{ municipality { slug } }"
HOST = "vila-nova.test"
FRONT_END = "https://vila-nova.test"


async def test_a_bug_is_masked_and_logged_without_what_it_held(
    web: Edge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(self: Context) -> Any:
        raise RuntimeError("cpf 111.444.777-35")

    monkeypatch.setattr(Context, "reader", broken)
    answer = await web.post(TOWN, host=HOST, headers={"x-request-id": "front-end-0001"})

    assert answer.status_code == 200
    (error,) = answer.json()["errors"]
    assert error["extensions"] == {"code": "INTERNAL", "requestId": "front-end-0001"}
    assert "front-end-0001" in error["message"]
    assert "111.444.777-35" not in answer.text
    assert answer.headers["x-request-id"] == "front-end-0001"
    logged = capsys.readouterr().err
    assert "graphql.bug" in logged
    assert "test_edge.py" in logged
    assert "111.444.777-35" not in logged


async def test_an_expected_no_keeps_its_code(web: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no(self: Context) -> Any:
        raise Forbidden("read", ["Lei 1/2000, art. 2"])

    monkeypatch.setattr(Context, "reader", no)
    (error,) = (await web.post(TOWN, host=HOST)).json()["errors"]

    assert error["extensions"] == {"code": "FORBIDDEN", "power": "read", "citations": ["Lei 1/2000, art. 2"]}
    assert "art. 2" in error["message"]


async def test_a_bug_outside_graphql_is_masked_too(web: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(self: Database) -> None:
        raise RuntimeError("password is hunter2")

    monkeypatch.setattr(Database, "check_role", broken)
    answer = await web.client.get("/ready")

    assert answer.status_code == 500
    assert answer.json()["errors"][0]["extensions"]["code"] == "INTERNAL"
    assert "hunter2" not in answer.text


async def test_ready_asks_the_database_and_health_nobody(web: Edge) -> None:
    assert (await web.client.get("/ready")).json() == {"ready": True}
    assert (await web.client.get("/health")).json() == {"alive": True}


@pytest.mark.parametrize(
    ("content", "type_", "status"),
    [
        (b"query={municipality{slug}}", "application/x-www-form-urlencoded", 415),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"query": 1}', "application/json", 400),
        (b'{"query": "{ a }", "variables": []}', "application/json", 400),
        (rb'{"query": "query ($code: String!) { a }", "variables": {"code": "a\u0000b"}}', "application/json", 400),
        (rb'{"query": "{ rule(code: \"a\\u0000b\") { code } }"}', "application/json", 400),
        (b" " * 3_000_000, "application/json", 413),
    ],
    ids=["form", "broken", "batch", "query", "variables", "nothing's letter", "the same within the query", "long"],
)
async def test_what_is_no_graphql_request_is_refused(web: Edge, content: bytes, type_: str, status: int) -> None:
    answer = await web.client.post("/graphql", content=content, headers={"content-type": type_, "host": HOST})

    assert answer.status_code == status
    assert answer.json()["errors"][0]["extensions"] == {"code": "BAD_REQUEST"}


async def test_nothing_is_executed_by_get(web: Edge) -> None:
    answer = await web.client.get("/graphql", params={"query": TOWN}, headers={"host": HOST})

    assert "vila-nova" not in answer.text


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{ nothing }", None),
        ("{ municipality { slug }", None),
        ("{ " + " ".join(f"a{n}: municipality {{ slug }}" for n in range(40)) + " }", "TOO_MUCH"),
        ("mutation { a: __typename b: __typename }", "ONE_ROOT_FIELD"),
        ("{ municipality { " + "slug " * 5000 + " } }", None),
        ("{" * 4000, None),
    ],
    ids=["unknown", "syntax", "aliases", "two roots", "tokens", "nested"],
)
async def test_a_document_that_may_not_be_asked(web: Edge, query: str, code: str | None) -> None:
    body = (await web.post(query, host=HOST)).json()

    assert "data" not in body
    assert code in [error.get("extensions", {}).get("code") for error in body["errors"]]


async def test_errors_of_the_request_have_their_own_status_where_the_caller_knows_it(web: Edge) -> None:
    accept = {"accept": "application/graphql-response+json"}
    wrong = await web.post("{ nothing }", host=HOST, headers=accept)
    right = await web.post(TOWN, host=HOST, headers=accept)

    assert (wrong.status_code, right.status_code) == (400, 200)
    assert right.headers["content-type"] == accept["accept"]


async def test_a_wrong_variable_is_told_to_the_caller(web: Edge) -> None:
    query = "query ($on: Date) { law(on: $on) { on } }"
    (error,) = (await web.post(query, host=HOST, variables={"on": "31/01/2026"})).json()["errors"]

    assert "$on" in error["message"]


async def test_a_known_document_is_asked_by_its_hash(web: Edge) -> None:
    digest = hash_of(trusted()["public/municipality"])
    by_id = await web.post(None, host=HOST, documentId=f"sha256:{digest}")
    by_extension = await web.post(None, host=HOST, extensions={"persistedQuery": {"version": 1, "sha256Hash": digest}})

    assert by_id.json()["data"]["municipality"]["slug"] == "vila-nova"
    assert by_extension.json() == by_id.json()


async def test_an_unknown_hash_is_learnt_with_its_document(web: Edge) -> None:
    known = {"persistedQuery": {"version": 1, "sha256Hash": hash_of(TOWN)}}

    assert await web.codes(None, host=HOST, extensions=known) == ["PERSISTED_QUERY_NOT_FOUND"]
    assert await web.codes("{ viewer { kind } }", host=HOST, extensions=known) == ["HASH_MISMATCH"]
    assert await web.codes(TOWN, host=HOST, extensions=known) == []
    assert await web.codes(None, host=HOST, extensions=known) == []


async def test_production_takes_only_trusted_documents_and_shows_no_ide(own_database: Database, tmp_path: Path) -> None:
    from tests.support.register import found

    await found(own_database, "vila-nova")
    own_database.settings = own_database.settings.model_copy(update={"embedded": False})
    async with edge(own_database, tmp_path) as web:
        text = trusted()["public/municipality"]
        page = await web.client.get("/graphql", headers={"accept": "text/html"})

        assert await web.codes(TOWN, host=HOST) == ["PERSISTED_QUERY_NOT_FOUND"]
        assert await web.codes(text, host=HOST) == []
        assert await web.codes(None, host=HOST, documentId=hash_of(text)) == []
        assert page.status_code == 405
        assert (await web.client.get("/graphiql/graphiql.min.js")).status_code == 404
        assert (await web.post(TOWN, path="/t/vila-nova/graphql")).status_code == 404
        assert (await web.client.get("/.well-known/jwks.json")).status_code == 404


async def test_the_front_end_of_a_town_may_read_answers_and_other_sites_may_not(web: Edge) -> None:
    own = await web.post(TOWN, host=HOST, headers={"origin": FRONT_END})
    plain = await web.post(TOWN, host=HOST, headers={"origin": "http://vila-nova.test"})
    evil = await web.post(TOWN, host=HOST, headers={"origin": "https://evil.test"})

    assert own.headers["access-control-allow-origin"] == FRONT_END
    assert "access-control-allow-credentials" not in own.headers
    for other in (plain, evil):
        assert "access-control-allow-origin" not in other.headers
    assert {answer.headers["vary"] for answer in (own, plain, evil)} == {"origin"}


async def test_a_browser_may_ask_before_it_posts(web: Edge) -> None:
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    own = await web.client.options("/graphql", headers={"origin": FRONT_END, **asks})
    evil = await web.client.options("/graphql", headers={"origin": "https://evil.test", **asks})

    assert own.status_code == 204
    assert "authorization" in own.headers["access-control-allow-headers"]
    assert evil.status_code == 403
    assert "access-control-allow-origin" not in evil.headers


async def test_every_answer_is_strict_with_browsers(web: Edge) -> None:
    for answer in (await web.post(TOWN, host=HOST), await web.client.get("/health"), await web.client.get("/nothing")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert re.fullmatch(r"[0-9a-f]{24}", answer.headers["x-request-id"])


async def test_a_request_id_that_could_forge_a_log_is_not_taken(web: Edge) -> None:
    answer = await web.post(TOWN, host=HOST, headers={"x-request-id": "abcdefgh spoofed=1"})

    assert re.fullmatch(r"[0-9a-f]{24}", answer.headers["x-request-id"])


async def test_graphiql_comes_from_our_own_files_only(web: Edge) -> None:
    page = await web.client.get("/graphql", headers={"accept": "text/html"})
    policy = page.headers["content-security-policy"]
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page.text)

    assert addresses
    assert all(address.startswith("/graphiql/") for address in addresses)
    assert not re.search(r"https?:|//[a-z]", page.text)
    assert not re.search(r"https?:|\*", policy)
    assert "'unsafe-eval'" not in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
    for address in addresses:
        file = await web.client.get(address)
        assert file.status_code == 200
        assert len(file.content) > 100
    assert (await web.client.get("/graphiql/../settings.py")).status_code == 404


async def test_graphiql_may_read_the_schema(web: Edge) -> None:
    data = await web.ask(get_introspection_query(), host=HOST)

    assert data["__schema"]["queryType"]["name"] == "Query"


async def test_tokens_and_personal_data_stay_out_of_the_log(
    web: Edge, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await web.post("{ viewer { kind } }", host=HOST, token="not.a.token")  # noqa: S106 - none
    logged = capsys.readouterr().err + caplog.text

    assert "token.refused" in logged
    assert "not.a.token" not in logged
