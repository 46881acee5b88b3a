"""Whatever has an id can be fetched again by it, in its own town alone. The kinds are read from the schema."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from graphql import GraphQLInterfaceType

from api.nodes import LOADERS
from api.schema import schema
from api.types.scalars import global_id
from services.access import operator
from services.accounts import appointments
from tests.acceptance import two_towns_letters as letters
from tests.acceptance import two_towns_notices as notices
from tests.acceptance import two_towns_recomputing as recomputing
from tests.acceptance.two_towns import BASES, LAW, OURS, THEIRS, Town
from tests.support.register import found
from tests.support.web import edge

if TYPE_CHECKING:
    from pathlib import Path

    from services.database import Database

TABLES = {  # whose kind is not called as its table is
    "call": "selection_call",
    "candidate": "selection_candidate",
    "objection": "selection_objection",
    "case": "proceeding",
    "party": "proceeding_party",
    "piece": "proceeding_piece",
    "charge": "proceeding_charge",
    "import": "import_file",
    "summons": "campaign_call",
    "swap": "roster_swap",
    "review": "recomputation_review",
    "task": "clerk_task",
}
# Of all that can be done, what leaves a row of each kind behind.
DOES = (
    *("registerDriver", "swapVehicle", "filePaper", "requestRenewal", "extendPermit", "transferPermit", "revealBar"),
    *("admitSubstitute", "noteEvent", "finalizeSuspension", "sellVehicle", "endApproval", "recordInspection"),
    *("endEnrolment", "applyPenalties", "answerComplaint", "addPiece", "recordPayment", "sendToActiveDebt"),
    *("attendCampaign", "runImport", "answerSwap", "decideObjection", "refuseTariffReview"),
    "reviewRecomputation",
)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
ROW = "SELECT id FROM {table} WHERE tenant_id = :tenant {only} ORDER BY id DESC LIMIT 1"
ONLY = {"evidence": "AND state = 'stored'"}
NODE = "query ($id: ID!) { node(id: $id) { __typename id } }"


def made_by(kind: str) -> str:
    """The type that the loader of a kind makes."""
    return str(get_type_hints(LOADERS[kind])["return"].__name__)


def nodes() -> set[str]:
    interface = schema._schema.type_map["Node"]
    assert isinstance(interface, GraphQLInterfaceType)
    return {each.name for each in schema._schema.get_possible_types(interface)}


@pytest.fixture(scope="module")
async def towns(database_of_module: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Town]]:
    """Two towns, in the first of which everything has been done once."""
    folder: Path = tmp_path_factory.mktemp("nodes")
    for slug in (OURS, THEIRS):
        town = await found(database_of_module, slug, law=LAW)
        async with database_of_module.transaction(town) as tx:
            await appointments.appoint(tx, operator("op"), subject="chefe", office="tudo", since=tx.today)
    async with edge(database_of_module, folder) as web:
        ours, theirs = Town(web, OURS), Town(web, THEIRS)
        for field in DOES:
            await ours.body(field, await BASES[field](ours))
        await photographed(ours)
        await letters.failed(ours)
        await notices.unreached(ours)
        await recomputing.escalated(ours)
        yield [ours, theirs]


async def photographed(town: Town) -> None:
    """Something is kept as evidence."""
    token = town.web.token("chefe", town=town.slug)
    headers = {"authorization": f"Bearer {token}"}
    sent = await town.web.client.put(f"/evidence/{uuid.uuid4()}?occurrence=a", content=PNG, headers=headers)
    assert sent.status_code == HTTPStatus.CREATED, sent.text


async def some_id(database: Database, kind: str) -> uuid.UUID | None:
    sql = ROW.format(table=TABLES.get(kind, kind), only=ONLY.get(kind, ""))
    async with database.directory() as directory:
        town = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=OURS)
    async with database.reader(town) as tx:
        id: uuid.UUID | None = await tx.scalar(sql)
    return id


async def node(town: Town, id: str) -> Any:
    return (await town.web.ask(NODE, variables={"id": id}, token=town.web.token("chefe", town=town.slug)))["node"]


def test_every_type_that_is_a_record_is_loaded_by_its_id() -> None:
    assert {made_by(kind) for kind in LOADERS} == nodes()


@pytest.mark.parametrize("kind", sorted(LOADERS))
async def test_a_record_is_fetched_again_in_its_own_town_alone(
    towns: list[Town], database_of_module: Database, kind: str
) -> None:
    ours, theirs = towns
    key = await some_id(database_of_module, kind)
    assert key is not None, f"no operation of `two_towns` makes a {kind}"
    id = global_id(kind, key)

    assert await node(ours, id) == {"__typename": made_by(kind), "id": id}
    assert await node(theirs, id) is None
    assert await node(ours, global_id(kind, uuid.uuid4())) is None
