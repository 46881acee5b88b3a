"""An expiry always precedes the act after it: a mutation records what is over of its subject before all else.

The mutations are the schema's own: one that comes later and does not settle what it is about fails here.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from api.types.scalars import read_id
from services.access import operator
from services.accounts import appointments
from services.errors import NotFound
from tests.acceptance.two_towns import BASES, LAW, OURS, Town
from tests.support.register import found, make_deadline
from tests.support.schema import MUTATIONS, ids_in
from tests.support.web import edge

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from services.database import Database, Transaction

LONG_AGO = date(2020, 1, 31)
KINDS = ("permit", "holder", "vehicle", "driver", "fine", "case", "complaint", "occurrence", "candidate", "substitute")
# What runs of a record: the kind of subject by the kind of its id. Others have no terms of their own.
SUBJECTS = {**{kind: kind for kind in KINDS}, "call": "selection"}
PLACES = [(name, path) for name in MUTATIONS if name in BASES for path in ids_in(MUTATIONS[name])]
NAMED = sorted({name for name, _ in PLACES})
# Why a mutation need not: it names the record only to make something of its own of it.
NOT_ITS_SUBJECT = {
    ("admitSubstitute", "vehicle"): "it is only compared with the permit's own",
    ("registerVehicle", "holder"): "in whose name it stands",
    ("updateVehicle", "holder"): "in whose name it stands from now on",
    ("sellVehicle", "holder"): "who has bought it",
    ("enrolDriver", "holder"): "for whom the driver works",
    ("openTariffReview", "holder"): "whose request it is",
    ("openCase", "holder"): "who answers for it",
    ("identifyOffender", "holder"): "who it was",
    ("identifyOffender", "driver"): "who it was",
    ("sendToActiveDebt", "fine"): "its own term to pay is over, and decides",
    ("transferPermit", "holder"): "who is asked for everything under the law of the day",
}


@pytest.fixture(scope="module")
async def town(database_of_module: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Town]:
    folder: Path = tmp_path_factory.mktemp("settling")
    id = await found(database_of_module, OURS, law=LAW)
    async with database_of_module.transaction(id) as tx:
        await appointments.appoint(tx, operator("op"), subject="chefe", office="tudo", since=tx.today)
    async with edge(database_of_module, folder) as web:
        yield Town(web, OURS)


def subjects_of(name: str, given: dict[str, Any]) -> Iterator[tuple[str, UUID]]:
    """What an input names that may have terms of its own."""
    for value in _texts(given):
        with contextlib.suppress(NotFound):  # any other text
            named = read_id(value)
            if named.kind in SUBJECTS and (name, named.kind) not in NOT_ITS_SUBJECT:
                yield SUBJECTS[named.kind], named.key


def _texts(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, dict):
        for value in given.values():
            yield from _texts(value)
    elif isinstance(given, list):
        for value in given:
            yield from _texts(value)


@pytest.mark.parametrize("name", NAMED)
async def test_what_is_over_is_recorded_before_the_act(town: Town, database_of_module: Database, name: str) -> None:
    given = await BASES[name](town)
    subjects = sorted(set(subjects_of(name, given)))
    tenant = await tenant_of(database_of_module)
    async with database_of_module.transaction(tenant) as tx:
        over = [await make_deadline(tx, until=LONG_AGO, subject=subject) for subject in subjects]
        last = await newest(tx)

    answer = await town.body(name, given)

    assert "code" not in answer["data"][name], answer
    async with database_of_module.reader(tenant) as reader:
        closed = await reader.rows(
            "SELECT d.id, d.subject_kind, d.state FROM deadline AS d WHERE d.tenant_id = :tenant "
            "AND d.id = ANY(CAST(:over AS uuid[])) ORDER BY d.subject_kind", over=over,
        )  # fmt: skip
        acts = await reader.rows(
            "SELECT actor, verb, subject_id FROM act WHERE tenant_id = :tenant AND id > :last ORDER BY id", last=last
        )
    assert [(row.subject_kind, row.state) for row in closed] == [(kind, "expired") for kind, _ in subjects]
    recorded = [each.subject_id for each in itertools.takewhile(lambda each: each.actor == "system", acts)]
    assert set(over) <= set(recorded), [each.verb for each in acts]


async def tenant_of(database: Database) -> UUID:
    async with database.directory() as directory:
        id: UUID = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=OURS)
    return id


async def newest(tx: Transaction) -> UUID:
    id: UUID = await tx.scalar("SELECT id FROM act WHERE tenant_id = :tenant ORDER BY id DESC LIMIT 1")
    return id
