"""As many statements for a hundred permits with everything as for one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Engine, event

from api.documents import trusted
from services import acts
from tests.bench.register import full_town
from tests.support.register import CLERK
from tests.support.web import Edge, edge

if TYPE_CHECKING:
    from services.database import Database

PERMITS, FINES = 120, 3
PAGES = (1, 20, 100)
TOWN = "vila-nova"
DOCUMENTS = trusted()
# Beside what the bench's register has: of each permit a licence, and of each of these a running term.
MORE = (
    """
    INSERT INTO licence (tenant_id, permit_id, number, during, fee_units, fee_unit, fee_rate, fee_brl, act_id)
    SELECT tenant_id, id, 'A' || number, daterange('2026-01-01', '2027-01-01'), 10, 'UFM', 32.5, 325, :act
    FROM permit WHERE tenant_id = :tenant
    """,
    """
    INSERT INTO deadline (tenant_id, kind, rule, subject_kind, subject_id, opened_on, last_day, article, opened_act)
    SELECT tenant_id, term, term, subject, id, date '2026-01-01', date '2026-12-31', 'art. 3', :act
    FROM (
        SELECT tenant_id, 'alvara' AS term, 'licence' AS subject, id FROM licence WHERE tenant_id = :tenant
        UNION ALL
        SELECT tenant_id, 'permissao', 'permit', id FROM permit WHERE tenant_id = :tenant
    ) AS running
    """,
)


@contextmanager
def statements() -> Iterator[list[str]]:
    """Those that reach any database from this process."""
    seen: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


class Counted:
    """The application, asked by somebody who may read the register."""

    def __init__(self, web: Edge) -> None:
        self.web = web

    async def asked(self, document: str, **variables: Any) -> tuple[Any, int]:
        """The answer, and how many statements it took."""
        token = self.web.token("bia", town=TOWN)
        with statements() as seen:
            data = await self.web.ask(document, variables=variables, token=token)
        return next(iter(data.values())), len(seen)


@pytest.fixture(scope="module")
async def counted(database_of_module: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Counted]:
    town = await full_town(database_of_module, PERMITS)
    async with database_of_module.transaction(town) as tx:
        act = await acts.record(tx, CLERK, "licence.issued", on=("municipality", town))
        for statement in MORE:
            await tx.rows(statement, act=act.id)
    async with edge(database_of_module, tmp_path_factory.mktemp("counted")) as web:
        found = Counted(web)
        await found.asked(DOCUMENTS["clerk/permits"], first=1)  # the law is read once
        yield found


async def test_a_page_of_permits_with_everything_takes_as_many_statements_as_one_permit(counted: Counted) -> None:
    taken = {}
    for first in PAGES:
        page, taken[first] = await counted.asked(DOCUMENTS["clerk/permits"], first=first, fines=FINES)
        whole(page, first)

    assert len(set(taken.values())) == 1, taken
    assert 5 < taken[1] < 20, "each relation has a statement, and the town and who asks have theirs"


def whole(page: Any, first: int) -> None:
    """Every row is there with all of its relations."""
    nodes = [edge["node"] for edge in page["edges"]]
    assert (page["totalCount"], len(nodes), len({node["id"] for node in nodes})) == (PERMITS, first, first)
    for relation in ("holder", "vehicle", "stand", "licence"):
        assert sum(node[relation] is not None for node in nodes) == first, relation
    assert sum(len(node["deadlines"]) for node in nodes) == 2 * first
    assert sum(len(node["fines"]) for node in nodes) == FINES * first
    assert {len(node["fines"]) for node in nodes} == {FINES}
    assert len({node["holder"]["id"] for node in nodes}) == len({node["vehicle"]["id"] for node in nodes}) == first


async def test_what_is_not_asked_for_is_not_read(counted: Counted) -> None:
    _, everything = await counted.asked(DOCUMENTS["clerk/permits"], first=100, fines=FINES)
    _, numbers = await counted.asked("{ permits(first: 100) { edges { node { number } } } }")

    assert numbers == everything - 7, "holder, vehicle, stand, licence, deadlines, fines, and the count of all"


@pytest.mark.parametrize("document", ["clerk/people", "clerk/vehicles", "clerk/agenda"])
async def test_any_list_takes_as_many_statements_for_a_hundred_as_for_one(counted: Counted, document: str) -> None:
    taken = {}
    for first in PAGES:
        page, taken[first] = await counted.asked(DOCUMENTS[document], first=first)
        assert len(page["edges"]) == first

    assert len(set(taken.values())) == 1, taken
