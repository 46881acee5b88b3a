"""One mutation, one transaction: who may, what is wrong, and what a repeat comes to."""

import uuid
from typing import Any

import pytest

from api.documents import trusted
from api.types.scalars import global_id, read_id
from services.database import Database
from tests.support.register import REMINDERS, found
from tests.support.web import Edge, edge

DOCUMENTS = trusted()
LAW = REMINDERS.replace(
    "[[office]]\nrows = [",
    '[[office]]\nrows = [{ code = "balcao", title = "Balcão", may = ["register"], cite = "art. 4" }, ',
)
ANA = {"cpf": "111.444.777-35", "name": "Ana Souza"}


@pytest.fixture
async def web(own_database: Database, tmp_path: Any) -> Any:
    """Two towns whose counter registers people; `bia` sits at the counter of the first."""
    await found(own_database, "vila-nova", law=LAW)
    await found(own_database, "serra-alta", law=LAW)
    async with edge(own_database, tmp_path) as made:
        for town in ("vila-nova", "serra-alta"):
            given = {"subject": "bia", "office": "balcao", "since": "2026-01-01"}
            document = DOCUMENTS["mayor/appoint"]
            token = made.token("root", town=town, operator=True)
            answer = await made.ask(document, variables={"input": given}, token=token)
            assert answer["appoint"]["office"] == "balcao"
        yield made


async def register(web: Edge, who: str = "bia", town: str = "vila-nova", **given: Any) -> dict[str, Any]:
    variables = {"input": {**ANA, **given}}
    token = web.token(who, town=town)
    answer = await web.ask(DOCUMENTS["clerk/registerPerson"], variables=variables, token=token)
    found: dict[str, Any] = answer["registerPerson"]
    return found


async def test_an_office_may_do_what_the_law_gives_it(web: Edge) -> None:
    person = await register(web)

    assert (person["name"], person["version"]) == ("Ana Souza", 1)


async def test_whoever_holds_no_such_office_is_told_who_does(web: Edge) -> None:
    no = await register(web, "nobody")

    assert no["code"] == "FORBIDDEN"
    assert "art. 4" in " ".join(no["citations"]) or no["citations"] == []
    assert (await register(web))["name"] == "Ana Souza", "and nothing was registered"


async def test_without_a_token_nobody_acts(web: Edge) -> None:
    variables = {"input": ANA}
    answer = await web.ask(DOCUMENTS["clerk/registerPerson"], variables=variables, host="vila-nova.test")

    assert answer["registerPerson"]["code"] == "FORBIDDEN"


async def test_a_wrong_input_is_named(web: Edge) -> None:
    no = await register(web, cpf="111.444.777-36")

    assert (no["code"], no["field"]) == ("INVALID", "cpf")


async def test_a_repeat_is_answered_and_not_done_again(web: Edge) -> None:
    first = await register(web, requestId="form-1")
    again = await register(web, requestId="form-1")

    assert again == first


async def test_a_repeat_with_other_input_or_by_another_is_a_conflict(web: Edge) -> None:
    await register(web, requestId="form-1")
    other = await register(web, requestId="form-1", name="Ana Lima")
    stranger = await register(web, "nobody", requestId="form-1")

    assert (other["code"], stranger["code"]) == ("CONFLICT", "CONFLICT")


async def test_a_request_is_of_one_town(web: Edge) -> None:
    here = await register(web, requestId="form-1")
    there = await register(web, town="serra-alta", requestId="form-1")

    assert here["id"] != there["id"]


@pytest.mark.parametrize("which", ["another town's", "another kind's", "malformed"])
async def test_an_id_that_is_not_here_answers_as_one_that_never_existed(web: Edge, which: str) -> None:
    theirs = await register(web, town="serra-alta")
    own = await register(web)
    ids = {
        "another town's": theirs["id"],
        "another kind's": global_id("company", read_id(own["id"]).key),
        "malformed": "x",
    }

    async def answered(person: str) -> Any:
        given = {"personId": person, "cnhNumber": "02650306461", "cnhCategories": ["B"]}
        document = DOCUMENTS["clerk/registerDriver"]
        token = web.token("bia", town="vila-nova")
        return await web.ask(document, variables={"input": given}, token=token)

    assert await answered(ids[which]) == await answered(global_id("person", uuid.uuid4()))
