"""What reached nobody is a clerk's task: once for each address or person, until somebody says what was done."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from services.access import Actor
from services.clock import FixedClock
from services.database import Database, Transaction
from services.errors import Conflict, Forbidden, Invalid, NotFound
from services.notices import NewNotice, queue, relay
from services.notices.bounces import report_bounce
from services.notices.mail import Unsent
from services.notices.tasks import close_task
from services.permits.tables import Permit
from tests.support.mailbox import Box, returned
from tests.support.register import found, make_permit


def clerk(town: UUID) -> Actor:
    return Actor(subject="clerk", kind="office", tenant_id=town, offices=("financas",), powers={"register": "financas"})


async def tell(tx: Transaction, permit: Permit, *keys: str) -> None:
    await queue(tx, [NewNotice(key=k, template="aviso", subject_kind="permit", subject_id=permit.id) for k in keys])


async def tasks(database: Database, town: UUID) -> list[tuple[str, str, str, bool]]:
    async with database.reader(town) as tx:
        rows = await tx.rows("SELECT kind, about, detail, closed_act IS NULL AS open FROM clerk_task ORDER BY id")
    return [tuple(row) for row in rows]


async def states(database: Database, town: UUID) -> dict[str, tuple[str, str | None]]:
    async with database.reader(town) as tx:
        return {row.key: (row.state, row.reason) for row in await tx.rows("SELECT key, state, reason FROM notice")}


async def test_an_address_that_is_refused_for_good_is_one_task_and_no_more_mail(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        permit, other = await make_permit(tx, email="Ana@Example.org"), await make_permit(tx, email="ana@example.org ")
        await tell(tx, permit, "a")
        await tell(tx, other, "b")
    box.instead = Unsent("refused", "recipient refused: [550]", final=True)
    await relay(own_database, town, box)
    box.instead = None
    async with own_database.transaction(town) as tx:
        await tell(tx, permit, "c")

    assert await relay(own_database, town, box) == {"kept": 1}

    assert await tasks(own_database, town) == [("address_failing", "ana@example.org", "recipient refused: [550]", True)]
    assert (await states(own_database, town))["c"] == ("kept", "address failing")
    assert box.taken == []


async def test_words_that_grow_too_long_hold_up_nobody_else_s(own_database: Database) -> None:
    """Whatever is put into the house's own words: the notice goes, in the usual ones and cut, and is a task."""
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx, email="ana@example.org", name="Ana " * 20_000)
        other = await make_permit(tx, email="bea@example.org", name="Bea")
        long = NewNotice(key="a", template="term_late", subject_kind="permit", subject_id=permit.id)
        await queue(tx, [long])
        await tell(tx, other, "b")

    assert await relay(own_database, town, box) == {"sent": 2}

    first, second = (each.get_body(("plain",)) for each in box.taken)
    assert first is not None
    assert "Prezado(a) Ana Ana" in first.get_content()
    assert "…" in first.get_content()
    assert second is not None
    assert "Prezado(a) Bea,\n" in second.get_content().replace("\r\n", "\n")
    assert [(kind, about) for kind, about, *_ in await tasks(own_database, town)] == [("template", "term_late")]


async def test_a_server_that_is_away_is_no_fault_of_an_address(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    own_database.settings = own_database.settings.model_copy(update={"notice_attempts": 1})
    async with own_database.transaction(town) as tx:
        await tell(tx, await make_permit(tx), "a")
    box.instead = Unsent("unreachable", "down", final=False)

    await relay(own_database, town, box)

    assert (await states(own_database, town))["a"] == ("failed", "down")
    assert await tasks(own_database, town) == []


async def test_who_has_no_address_is_asked_for_it_once(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx, email=None)
        await tell(tx, permit, "a", "b")
    await relay(own_database, town, box)
    async with own_database.transaction(town) as tx:
        task = await tx.one("SELECT id, person_id FROM clerk_task")
        await close_task(tx, clerk(town), task_id=task.id, done="Não tem e-mail.")
        await tell(tx, permit, "c")
    await relay(own_database, town, box)

    assert task.person_id is not None
    assert await tasks(own_database, town) == [("no_address", f"person:{task.person_id}", "", False)]
    assert {state for state, _ in (await states(own_database, town)).values()} == {"kept"}


async def test_a_closed_task_says_what_was_done_and_lets_mail_go_again(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        await tell(tx, permit, "a")
    box.instead = Unsent("refused", "reply 550", final=True)
    await relay(own_database, town, box)
    async with own_database.transaction(town) as tx:
        id = await tx.scalar("SELECT id FROM clerk_task")
        with pytest.raises(Invalid):
            await close_task(tx, clerk(town), task_id=id, done=" ")
        with pytest.raises(Conflict):
            await close_task(tx, clerk(town), task_id=id, done="x", version=7)
        with pytest.raises(Forbidden):
            await close_task(tx, Actor(subject="x", kind="office", tenant_id=town), task_id=id, done="x")
        with pytest.raises(NotFound):
            await close_task(tx, clerk(town), task_id=uuid4(), done="x")
        await close_task(tx, clerk(town), task_id=id, done="Caixa esvaziada.", version=1)
        with pytest.raises(Conflict):
            await close_task(tx, clerk(town), task_id=id, done="De novo.")
        act = await tx.one("SELECT verb, actor, office, body FROM act ORDER BY id DESC LIMIT 1")
        await tell(tx, permit, "b")

    assert (act.verb, act.actor, act.office) == ("clerk_task.closed", "clerk", "financas")
    assert "Caixa esvaziada." in act.body
    box.instead = None
    assert await relay(own_database, town, box) == {"sent": 1}

    box.instead = Unsent("refused", "reply 550", final=True)
    async with own_database.transaction(town) as tx:
        await tell(tx, permit, "c")
    await relay(own_database, town, box)
    assert [each[-1] for each in await tasks(own_database, town)] == [False, True]


async def bounced(database: Database, town: UUID, text: str) -> tuple[int, int]:
    async with database.transaction(town) as tx:
        made = await report_bounce(tx, clerk(town), message=text)
    return made.notices, made.tasks


async def test_what_comes_back_for_good_is_kept_as_an_attempt_and_is_a_task(
    own_database: Database, clock: FixedClock
) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        await tell(tx, await make_permit(tx), "a")
    await relay(own_database, town, box)
    clock.advance(timedelta(hours=1))
    (message,) = box.taken

    assert await bounced(own_database, town, returned(message, address="sent-on@elsewhere.test")) == (1, 1)
    assert await bounced(own_database, town, returned(message)) == (1, 0)

    assert await tasks(own_database, town) == [("address_failing", "ana@example.org", "5.1.1", True)]
    async with own_database.reader(town) as reader:
        attempts = await reader.rows("SELECT outcome, detail FROM notice_attempt ORDER BY id")
        acts = await reader.rows("SELECT verb FROM act WHERE verb = 'notice.bounced'")
    assert [tuple(row) for row in attempts] == [("sent", "250 taken"), ("bounced", "5.1.1")]
    assert len(acts) == 1


async def test_a_failure_that_may_pass_is_no_task(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        await tell(tx, await make_permit(tx), "a")
    await relay(own_database, town, box)

    assert await bounced(own_database, town, returned(box.taken[0], status="4.2.2")) == (1, 0)

    assert await tasks(own_database, town) == []


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed"])
async def test_what_tells_of_no_failure_is_refused(own_database: Database, action: str) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        await tell(tx, await make_permit(tx), "a")
    await relay(own_database, town, box)

    with pytest.raises(Invalid):
        await bounced(own_database, town, returned(box.taken[0], action=action))


async def test_a_bounce_of_another_town_s_notice_is_of_none(own_database: Database) -> None:
    town, other, box = await found(own_database), await found(own_database, "outra"), Box()
    async with own_database.transaction(town) as tx:
        await tell(tx, await make_permit(tx), "a")
    await relay(own_database, town, box)

    with pytest.raises(NotFound):
        await bounced(own_database, other, returned(box.taken[0]))
