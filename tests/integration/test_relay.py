"""The outbox: delivered at least once, repeated only with the same Message-ID, in order, and only while still true."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID

import pytest
from aiosmtpd.smtp import SMTP

from deploy.embedded.mail import Sink
from deploy.embedded.program import free_port
from services import deadlines
from services.database import Database, Transaction
from services.nights import night, towns_with_notices
from services.notices import NewNotice, Smtp, queue, relay, relay_towns
from services.notices.mail import Unsent
from tests.support.register import REMINDERS, found, make_deadline, make_licence, make_permit

TODAY = date(2026, 3, 10)
YESTERDAY = TODAY - timedelta(days=1)


class Cut(BaseException):
    """The process ends here."""


class Box:
    """A mail server of the test's own: keeps what it accepts, or does as told."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.then: BaseException | None = None
        self.instead: Unsent | None = None

    async def send(self, message: EmailMessage) -> str:
        await asyncio.sleep(0)
        if self.instead is not None:
            raise self.instead
        self.taken.append(message)
        if self.then is not None:
            raise self.then
        return "250 taken"


async def tell(database: Database, town: UUID, *keys: str, email: str | None = "ana@example.org") -> UUID:
    """Queue notices on one permit."""
    async with database.transaction(town) as tx:
        permit = await make_permit(tx, email=email)
        await queue(tx, [of(permit.id, key) for key in keys])
        return permit.id


def plain(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return part.get_content()  # type: ignore[no-any-return]


def of(permit_id: UUID, key: str) -> NewNotice:
    return NewNotice(key=key, template="aviso", subject_kind="permit", subject_id=permit_id)


async def states(database: Database, town: UUID) -> dict[str, tuple[str, int]]:
    async with database.reader(town) as tx:
        rows = await tx.rows("SELECT key, state, attempts FROM notice")
    return {row.key: (row.state, row.attempts) for row in rows}


async def end_leases(database: Database, town: UUID) -> None:
    async with database.transaction(town) as tx:
        await tx.rows(
            "UPDATE notice SET claimed_until = clock_timestamp() - interval '1 second' WHERE state = 'queued'"
        )


async def test_a_notice_is_sent_once(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    assert await towns_with_notices(own_database) == [town]

    assert await relay(own_database, town, box) == {"sent": 1}
    assert await relay(own_database, town, box) == {}

    assert [message["To"] for message in box.taken] == ["Ana Souza <ana@example.org>"]
    assert await states(own_database, town) == {"a": ("sent", 1)}
    assert await towns_with_notices(own_database) == []


async def test_relays_at_once_send_each_notice_once(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    for number in range(30):
        await tell(own_database, town, f"n{number}")

    await asyncio.gather(*(relay(own_database, town, box) for _ in range(4)))

    ids = [message["Message-ID"] for message in box.taken]
    assert len(ids) == len(set(ids)) == 30


async def test_a_crash_after_acceptance_repeats_with_the_same_message(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")

    box.then = Cut()
    with pytest.raises(Cut):
        await relay(own_database, town, box)
    box.then = None
    assert await relay(own_database, town, box) == {}  # the lease of the one that was cut off still runs
    assert await towns_with_notices(own_database) == []
    await end_leases(own_database, town)
    assert await relay(own_database, town, box) == {"sent": 1}

    first, again = box.taken
    assert first.as_bytes() == again.as_bytes()
    assert first["Message-ID"].endswith("@praca.example>")


async def test_a_later_notice_on_the_same_subject_waits_for_the_earlier(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "first", "second")
    await tell(own_database, town, "of another")

    box.instead = Unsent("unreachable", "down", final=False)
    await relay(own_database, town, box)
    assert await states(own_database, town) == {
        "first": ("queued", 1),
        "second": ("queued", 0),
        "of another": ("queued", 1),
    }

    box.instead = None
    await end_leases(own_database, town)
    assert await relay(own_database, town, box) == {"sent": 3}
    async with own_database.reader(town) as tx:
        sent = [
            row.key
            for row in await tx.rows(
                "SELECT key FROM notice ORDER BY (SELECT max(a.id::text) "
                "FROM notice_attempt AS a WHERE a.notice_id = notice.id)"
            )
        ]
    assert sent.index("first") < sent.index("second")


async def test_what_the_server_refuses_for_good_is_not_tried_again(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    box.instead = Unsent("refused", "reply 550", final=True)

    assert await relay(own_database, town, box) == {"refused": 1}

    async with own_database.reader(town) as tx:
        row = await tx.one(
            "SELECT n.state, n.reason, a.outcome FROM notice AS n JOIN notice_attempt AS a ON a.notice_id = n.id"
        )
    assert tuple(row) == ("failed", "reply 550", "refused")


async def test_attempts_come_to_an_end(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    own_database.settings = own_database.settings.model_copy(update={"notice_attempts": 3})
    await tell(own_database, town, "a")
    box.instead = Unsent("unreachable", "down", final=False)

    for _ in range(5):
        await relay(own_database, town, box)
        await end_leases(own_database, town)

    assert await states(own_database, town) == {"a": ("failed", 3)}


async def test_a_reminder_of_what_was_met_meanwhile_is_dropped(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        deadline = await make_deadline(tx, until=TODAY + timedelta(days=5))
    await night(own_database, [town])
    async with own_database.transaction(town) as tx:
        act = await tx.scalar("SELECT id FROM act ORDER BY id DESC")
        await deadlines.meet(tx, deadline, on=TODAY, act_id=act)

    assert await relay(own_database, town, box) == {"dropped": 1}

    assert box.taken == []


async def test_the_same_key_is_written_once(tx: Transaction) -> None:
    permit = await make_permit(tx)

    assert await queue(tx, [of(permit.id, "a"), of(permit.id, "b")]) == 2
    assert await queue(tx, [of(permit.id, "b"), of(permit.id, "c")]) == 1


async def test_whoever_has_no_address_has_it_in_the_inbox(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a", email=None)

    assert await relay(own_database, town, box) == {"kept": 1}

    assert await states(own_database, town) == {"a": ("kept", 1)}


async def test_the_town_s_words_are_filled_from_the_register(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        licence = await make_licence(tx, until=TODAY + timedelta(days=20))
        await make_deadline(tx, until=TODAY + timedelta(days=20), subject=("licence", licence.id))
    await night(own_database, [town])

    await relay(own_database, town, box)

    (message,) = box.taken
    assert message["Subject"] == f"Alvará de licença {licence.number}"
    assert plain(message) == "Ana Souza: vence em 30/03/2026 (Lei 1/2000, art. 3).\n"
    assert message["From"].startswith('"Vila-Nova"') or message["From"].startswith("Vila-Nova")


async def test_words_that_cannot_be_filled_are_the_house_s_and_a_task(own_database: Database) -> None:
    town, box = await found(own_database, law=REMINDERS.replace("{{ name }}", "{{ nonsense }}")), Box()
    async with own_database.transaction(town) as tx:
        await make_deadline(tx, until=TODAY + timedelta(days=20))
    await tell(own_database, town, "sound")
    await night(own_database, [town])

    counts = await relay(own_database, town, box)

    assert counts == {"sent": 2}
    told = next(plain(message) for message in box.taken if "até" in plain(message) or "30/03/2026" in plain(message))
    assert "Último dia do prazo: 30/03/2026." in told
    async with own_database.reader(town) as tx:
        tasks = await tx.rows("SELECT kind, about FROM clerk_task")
    assert [tuple(row) for row in tasks] == [("template", "vence")]


async def test_a_town_that_fails_does_not_stop_the_others(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    await tell(own_database, town, "a")
    nowhere = UUID(int=1)

    assert await relay_towns(own_database, [nowhere, town], box) == {"towns failed": 1, "sent": 1}


@pytest.fixture
async def sink(tmp_path: Path) -> AsyncIterator[tuple[int, Path]]:
    """The embedded mode's mail server: its port and its folder."""
    loop, port = asyncio.get_running_loop(), free_port()
    server = await loop.create_server(lambda: SMTP(Sink(tmp_path), enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port)
    yield port, tmp_path
    server.close()
    await server.wait_closed()


async def test_a_message_reaches_a_mail_server(own_database: Database, sink: tuple[int, Path]) -> None:
    port, folder = sink
    town = await found(own_database)
    await tell(own_database, town, "a")
    settings = own_database.settings.model_copy(update={"smtp_host": "127.0.0.1", "smtp_port": port})

    assert await relay(own_database, town, Smtp(settings)) == {"sent": 1}

    (kept,) = folder.glob("*.eml")
    message = message_from_bytes(kept.read_bytes(), policy=policy.default)
    assert "permissão" in message["Subject"]
    assert "Ana Souza" in plain(message)


async def test_a_mail_server_that_is_away_is_tried_later(own_database: Database) -> None:
    town = await found(own_database)
    await tell(own_database, town, "a")
    settings = own_database.settings.model_copy(update={"smtp_host": "127.0.0.1", "smtp_port": free_port()})

    assert await relay(own_database, town, Smtp(settings)) == {"unreachable": 1}

    assert await states(own_database, town) == {"a": ("queued", 1)}
