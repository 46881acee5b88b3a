"""What is another town's is, for whoever asks, what never existed: for every operation that takes an id.

The operations and their ids are read from the schema: one that comes without a case in `two_towns` fails.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
from graphql import get_named_type

from api.types.scalars import global_id, read_id
from services.access import operator
from services.accounts import appointments
from tests.acceptance import contests
from tests.acceptance import two_towns_enforcement as enforcement
from tests.acceptance import two_towns_imports as imports
from tests.acceptance import two_towns_letters as letters
from tests.acceptance import two_towns_notices as notices
from tests.acceptance import two_towns_proceedings as proceedings
from tests.acceptance import two_towns_recomputing as recomputing
from tests.acceptance import two_towns_service as service
from tests.acceptance.applying import company_input, person_input
from tests.acceptance.two_towns import BASES, INSTEAD, LAW, OURS, THEIRS, Town, driver
from tests.acceptance.two_towns_fleet import inspected
from tests.support.register import found
from tests.support.schema import MUTATIONS, QUERIES, ids_in
from tests.support.web import edge

if TYPE_CHECKING:
    from pathlib import Path

    from services.database import Database

PLACES = [(name, path) for name, field in {**QUERIES, **MUTATIONS}.items() for path in ids_in(field)]


@pytest.fixture(scope="module")
async def towns(database_of_module: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Town]]:
    folder: Path = tmp_path_factory.mktemp("isolation")
    for slug in (OURS, THEIRS):
        town = await found(database_of_module, slug, law=LAW)
        async with database_of_module.transaction(town) as tx:
            await appointments.appoint(tx, operator("op"), subject="chefe", office="tudo", since=tx.today)
    async with edge(database_of_module, folder) as web:
        yield [Town(web, slug) for slug in (OURS, THEIRS)]


def put(variables: dict[str, Any], path: tuple[str, ...], id: str) -> dict[str, Any]:
    """The same variables with another id at one place."""
    name, *rest = path
    inner = variables[name]
    if isinstance(inner, list):
        first = put(inner[0], tuple(rest), id) if rest else id
        return {**variables, name: [first, *inner[1:]]}
    return {**variables, name: put(inner, tuple(rest), id) if rest else id}


def taken(variables: dict[str, Any], path: tuple[str, ...]) -> str:
    found_at: Any = variables
    for name in path:
        found_at = found_at[0] if isinstance(found_at, list) else found_at
        found_at = found_at[name]
    return str(found_at[0] if isinstance(found_at, list) else found_at)


def succeeded(answer: Any, field: str) -> bool:
    made: Any = answer.get("data", {}).get(field) if "errors" not in answer else None
    return made is not None and len(made) > 0 and "code" not in made


def test_every_operation_with_an_id_has_a_case() -> None:
    assert {name for name, _ in PLACES} == set(BASES)


@pytest.mark.parametrize(("field", "path"), PLACES, ids=[f"{name}-{path[-1]}" for name, path in PLACES])
async def test_another_town_s_id_is_one_that_never_existed(
    towns: list[Town], field: str, path: tuple[str, ...]
) -> None:
    ours, theirs = towns
    variables = INSTEAD.get((field, path), BASES[field])
    own, other = await variables(ours), await variables(theirs)
    kind = read_id(taken(own, path)).kind

    owner = await ours.body(field, own)
    stranger = await theirs.body(field, put(other, path, taken(own, path)))
    never = await theirs.body(field, put(other, path, global_id(kind, uuid.uuid4())))

    assert succeeded(owner, field), owner
    assert stranger == never
    assert not succeeded(stranger, field)
    assert succeeded(await theirs.body(field, other), field), "it was that id alone that stood in the way"


@pytest.mark.parametrize("field", BASES)
async def test_nothing_of_another_town_can_be_named_at_all(towns: list[Town], field: str) -> None:
    """All ids of one town with the token of another."""
    ours, theirs = towns
    own = await BASES[field](ours)
    unknown = own
    for name, path in PLACES:
        if name == field and (field, path) not in INSTEAD:
            kind = read_id(taken(own, path)).kind
            unknown = put(unknown, path, global_id(kind, uuid.uuid4()))

    assert await theirs.body(field, own) == await theirs.body(field, unknown)
    assert succeeded(await ours.body(field, own), field)


LISTS = [
    *("rosters", "tariffReviews"),
    *("calls", "permits", "people", "companies", "drivers", "vehicles", "agenda", "notices", "clerkTasks", "myNotices"),
    *("inspections", "occurrences", "complaints", "cases"),
    *("imports", "jobs", "campaigns", "deadLetters"),
    *("recomputationReviews", "escalations"),
]


async def test_each_list_has_the_rows_of_one_town(towns: list[Town]) -> None:
    """One test for all of them, since there must first be something in each."""
    for town in towns:
        await town.make("issueLicence", permitId=await town.permit())
        await town.make("registerDriver", **(await driver(town)))
        await town.make("registerCompany", **company_input())
        await inspected(town)
        await enforcement.recorded(town)
        await enforcement.complained(town)
        await proceedings.opened(town)
        await contests.opened(town)
        await service.proposed(town)
        await service.opened(town)
        await imports.checked(town)
        await imports.opened(town)
        await letters.failed(town)
        await notices.told(town)
        await notices.unreached(town)
        await recomputing.to_review(town)
        await recomputing.escalated(town)

    for name in LISTS:
        ours, theirs = [await whole_list(town, name) for town in towns]
        assert ours, name
        assert theirs, name
        assert not set(ours) & set(theirs), name


async def whole_list(town: Town, name: str) -> list[str]:
    info = "pageInfo { hasNextPage endCursor }"
    query = f"query ($after: String) {{ {name}(first: 100, after: $after) {{ edges {{ node {{ id }} }} {info} }} }}"
    ids: list[str] = []
    after, more = None, True
    while more:
        answer = await town.web.ask(query, variables={"after": after}, token=town.web.token("chefe", town=town.slug))
        page = answer[name]
        ids += [edge["node"]["id"] for edge in page["edges"]]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
    return ids


def test_every_list_has_a_case() -> None:
    paged = {name for name, field in QUERIES.items() if get_named_type(field.type).name.endswith("Connection")}

    assert paged - {"myRosters", "myPermits", "record", "importIssues", "importRows", "campaignCalls", "runs"} == set(
        LISTS
    )


async def test_a_page_after_another_town_s_row_is_of_one_s_own(towns: list[Town]) -> None:
    """A cursor is a place, not a key: it opens nothing."""
    ours, theirs = towns
    await theirs.permit()
    query = "query ($after: String) { permits(first: 100, after: $after) { edges { cursor node { id } } } }"
    token = theirs.web.token("chefe", town=THEIRS)
    cursor = (await theirs.web.ask(query, token=token))["permits"]["edges"][0]["cursor"]

    own = await ours.web.ask(query, variables={"after": cursor}, token=ours.web.token("chefe", town=OURS))

    seen = {each["node"]["id"] for each in own["permits"]["edges"]}
    assert seen <= set(await whole_list(ours, "permits"))


async def test_a_plate_of_another_town_is_unknown(towns: list[Town]) -> None:
    ours, theirs = towns
    query = "query ($plate: String!) { publicPermit(plate: $plate) { plate } }"
    page = "{ permits(first: 1) { edges { node { vehicle { plate } } } } }"
    await ours.permit()
    permits = (await ours.web.ask(page, token=ours.web.token("chefe", town=OURS)))["permits"]["edges"]
    plate = permits[0]["node"]["vehicle"]["plate"]

    own, other, never = [
        (await ours.web.post(query, variables={"plate": asked}, host=f"{slug}.test")).json()
        for slug, asked in ((OURS, plate), (THEIRS, plate), (THEIRS, "AAA0A00"))
    ]

    assert own["data"]["publicPermit"] == {"plate": plate}
    assert other == never == {"data": {"publicPermit": None}}
    assert theirs.slug == THEIRS


async def test_a_number_that_another_town_has_registered_is_free_here(towns: list[Town]) -> None:
    """Who is in one town's register is nobody's business in another's."""
    who = person_input()

    assert [bool(await town.make("registerPerson", **who)) for town in towns] == [True, True]


async def test_a_request_of_another_town_is_not_repeated_here(towns: list[Town]) -> None:
    ours, theirs = towns
    named = {**person_input(), "requestId": "the same"}

    first, second = await ours.make("registerPerson", **named), await theirs.make("registerPerson", **named)

    assert first != second
    assert await ours.make("registerPerson", **named) == first


async def test_an_office_of_another_town_is_worth_nothing_here(towns: list[Town]) -> None:
    ours, _ = towns
    given = {"subject": "so-la", "office": "tudo", "since": "2026-03-10"}
    appoint = "mutation ($input: AppointInput!) { appoint(input: $input) { __typename } }"
    await ours.web.ask(appoint, variables={"input": given}, token=ours.web.token("chefe", town=OURS))
    query = "{ permits(first: 1) { edges { cursor } } }"

    codes = [await ours.web.codes(query, token=ours.web.token("so-la", town=slug)) for slug in (OURS, THEIRS)]

    assert codes == [[], ["FORBIDDEN"]]


@pytest.mark.parametrize("field", [*QUERIES, *MUTATIONS])
async def test_host_and_token_of_different_towns_reach_nothing(towns: list[Town], field: str) -> None:
    ours, _ = towns
    kind = "mutation" if field in MUTATIONS else "query"
    document = f"{kind} {{ {field} }}"

    answer = await ours.web.post(document, token=ours.web.token("chefe", town=OURS), host=f"{THEIRS}.test")

    assert answer.status_code == 403
    assert [error["extensions"]["code"] for error in answer.json()["errors"]] == ["FORBIDDEN"]
