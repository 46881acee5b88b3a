"""Acts and seals: nothing is lost, nothing is changed without showing, a request is done once."""

import asyncio
from datetime import date
from uuid import UUID

import pytest

from services import acts
from services.database import Database, Request, Transaction
from services.errors import Conflict
from tests.support.register import CLERK, as_superuser, found, make_permit
from tests.support.servers import Servers
from tests.support.waiting import until_waiting

PAST_TRIGGERS = "SET session_replication_role = replica"


async def act_in(database: Database, town: UUID, verb: str = "permit.granted") -> UUID:
    async with database.transaction(town) as tx:
        return (await acts.record(tx, CLERK, verb, on=("permit", None), changes={"number": "12"}, why="porque sim")).id


async def tamper(servers: Servers, database: Database, *statements: str) -> None:
    """What only somebody with the server itself can do."""
    connection = await as_superuser(servers.superuser, database)
    try:
        for statement in (PAST_TRIGGERS, *statements):
            await connection.execute(statement)
    finally:
        await connection.close()


async def problems(database: Database, town: UUID) -> list[tuple[str, str]]:
    async with database.reader(town) as tx:
        return [(problem.finding, problem.what) for problem in await acts.verify(tx)]


async def test_sealed_and_waiting_acts_verify(own_database: Database) -> None:
    town = await found(own_database)
    await act_in(own_database, town)
    assert await acts.seal_all(own_database, town) == 2  # the town's own founding too
    await act_in(own_database, town)

    assert await problems(own_database, town) == []
    assert await acts.seal_all(own_database, town) == 1
    assert await acts.seal_all(own_database, town) == 0
    assert await problems(own_database, town) == []


@pytest.mark.parametrize(
    "change",
    [
        "body = replace(body, 'porque sim', 'porque não')",
        "body = body || ' '",
        "actor = 'somebody else'",
        "legal_day = legal_day - 1",
        "office = 'prefeito'",
        "salt = sha256(salt)",
        "hash = sha256(hash)",
    ],
)
@pytest.mark.parametrize("sealed", [True, False])
async def test_an_edited_act_is_named(own_database: Database, servers: Servers, change: str, sealed: bool) -> None:
    town = await found(own_database)
    act = await act_in(own_database, town)
    if sealed:
        await acts.seal_all(own_database, town)
    salt_length = "ALTER TABLE act DROP CONSTRAINT IF EXISTS act_salt_check"

    await tamper(servers, own_database, salt_length, f"UPDATE act SET {change} WHERE id = '{act}'")  # noqa: S608

    assert await problems(own_database, town) == [("altered_act", str(act))]


async def test_an_act_rewritten_with_its_hash_does_not_fit_its_seal(own_database: Database, servers: Servers) -> None:
    town = await found(own_database)
    act = await act_in(own_database, town)
    await acts.seal_all(own_database, town)

    await tamper(
        servers,
        own_database,
        f"UPDATE act SET body = replace(body, 'sim', 'não') WHERE id = '{act}'",  # noqa: S608
        f"UPDATE act SET hash = sha256(salt || convert_to(body, 'UTF8')) WHERE id = '{act}'",  # noqa: S608
    )

    assert await problems(own_database, town) == [("altered_act", str(act))]


async def test_a_removed_act_is_named(own_database: Database, servers: Servers) -> None:
    town = await found(own_database)
    act = await act_in(own_database, town)
    await acts.seal_all(own_database, town)

    await tamper(servers, own_database, f"DELETE FROM act WHERE id = '{act}'")  # noqa: S608

    assert await problems(own_database, town) == [("missing_act", str(act))]


async def test_an_act_slipped_in_past_the_sealer_is_named(own_database: Database, servers: Servers) -> None:
    town = await found(own_database)
    act = await act_in(own_database, town)

    await tamper(servers, own_database, f"DELETE FROM act_unsealed WHERE act_id = '{act}'")  # noqa: S608

    assert await problems(own_database, town) == [("unsealed_act", str(act))]


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ("UPDATE seal SET body = body || ' ' WHERE seq = 2", [("altered_seal", "2")]),
        ("UPDATE seal SET body = '' WHERE seq = 2", [("altered_seal", "2")]),
        ("UPDATE seal SET at = at - interval '1 day' WHERE seq = 1", [("altered_seal", "1")]),
        ("UPDATE seal SET hash = sha256(hash) WHERE seq = 1", [("altered_seal", "1"), ("broken_chain", "2")]),
    ],
)
async def test_an_edited_seal_is_named(
    own_database: Database, servers: Servers, change: str, seen: list[tuple[str, str]]
) -> None:
    town = await found(own_database)
    await acts.seal_all(own_database, town)
    await act_in(own_database, town)
    await acts.seal_all(own_database, town)

    await tamper(servers, own_database, change)

    assert await problems(own_database, town) == seen


async def test_a_removed_seal_is_named(own_database: Database, servers: Servers) -> None:
    town = await found(own_database)
    for _ in range(3):
        await act_in(own_database, town)
        await acts.seal_all(own_database, town)

    await tamper(servers, own_database, "DELETE FROM seal WHERE seq = 2")

    assert {("missing_seal", "2"), ("broken_chain", "3")} <= set(await problems(own_database, town))


async def test_an_act_in_flight_is_left_for_the_next_seal(own_database: Database) -> None:
    """Its id is older than those sealed meanwhile; it must be skipped neither now nor later."""
    town = await found(own_database)
    async with own_database.transaction(town) as slow:
        early = await acts.record(slow, CLERK, "permit.granted", on=("permit", None))
        late = await act_in(own_database, town)
        assert late > early.id
        assert await acts.seal_all(own_database, town) == 2

    assert await acts.seal_all(own_database, town) == 1
    assert await problems(own_database, town) == []


async def test_a_sealer_waits_for_the_one_before_it(own_database: Database) -> None:
    """Else both would continue the same seal."""
    town = await found(own_database)
    sealing = asyncio.Event()

    async def seal_slowly(tx: Transaction) -> int:
        sealed = await acts.seal(tx, 1000)
        sealing.set()
        await until_waiting(tx, 2)
        return sealed

    async def act_and_seal() -> int:
        await sealing.wait()
        await act_in(own_database, town)
        return await acts.seal_all(own_database, town)

    sealed = await asyncio.gather(own_database.perform(town, seal_slowly), act_and_seal(), act_and_seal())

    assert sum(sealed) == 3
    assert await problems(own_database, town) == []


async def test_a_repeated_request_is_answered_with_what_it_did(own_database: Database) -> None:
    town = await found(own_database)
    request = Request("r-1", b"input")
    async with own_database.transaction(town, request=request) as tx:
        assert await acts.repeated(tx, "r-1", b"input") is None
        permit = await make_permit(tx)

    async with own_database.transaction(town) as tx:
        again = await acts.repeated(tx, "r-1", b"input")
        assert again is not None
        assert (again.verb, again.subject_id) == ("permit.granted", permit.holder_id)
        with pytest.raises(Conflict):
            await acts.repeated(tx, "r-1", b"other input")


async def test_a_request_made_twice_at_once_is_done_once(own_database: Database) -> None:
    town = await found(own_database)
    request = Request("r-1", b"input")

    async def once(tx: Transaction) -> UUID:
        before = await acts.repeated(tx, request.id, request.hash)
        if before is not None:
            return before.act_id
        await until_waiting(tx, 4)
        return (await acts.record(tx, CLERK, "permit.granted", on=("permit", None))).id

    made = await asyncio.gather(*(own_database.perform(town, once, request=request) for _ in range(5)))

    assert len(set(made)) == 1


async def test_personal_data_stay_out_of_acts(tx: Transaction) -> None:
    changes = {"cpf": "52998224725", "name": "Ana Souza", "number": "12", "day": date(2026, 1, 31)}

    act = await acts.record(tx, CLERK, "person.registered", on=("person", None), changes=changes)

    body = await tx.scalar("SELECT body FROM act WHERE id = :id", id=act.id)
    assert "52998224725" not in body
    assert "Ana" not in body
    assert '"number":"12"' in body
    assert '"day":"2026-01-31"' in body
