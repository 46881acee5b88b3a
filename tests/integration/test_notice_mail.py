"""A notice as an e-mail: text and HTML, headers that servers ask for, and nothing that a name could smuggle in."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from deploy.embedded.program import free_port
from services.access import Actor
from services.database import Database
from services.enforcement.complaints.answering import answer_complaint
from services.enforcement.complaints.receiving import file_complaint
from services.errors import Invalid
from services.municipalities.publishing import amend
from services.notices import NewNotice, Smtp, queue, relay
from services.notices.composing import html_of, mailbox
from services.notices.composing import message as compose
from tenants.law.wording import Filled
from tests.support.law import TOWN
from tests.support.mailbox import Box, plain
from tests.support.register import REMINDERS, found, make_permit

PUBLISHER = Actor(subject="op", kind="operator", tenant_id=None)
LINE, HEADER_LINE = 998, 78  # of RFC 5322


async def sent(
    database: Database, town: UUID, *, name: str = "Ana Souza", email: str = "ana@example.org"
) -> EmailMessage:
    box = Box()
    async with database.transaction(town) as tx:
        permit = await make_permit(tx, email=email, name=name)
        new = NewNotice(key=str(uuid4()), template="vence", subject_kind="permit", subject_id=permit.id)
        await queue(tx, [new])
    assert await relay(database, town, box) == {"sent": 1}
    (message,) = box.taken
    again = message_from_bytes(message.as_bytes(policy=policy.SMTP), policy=policy.default)
    assert isinstance(again, EmailMessage)
    return again


def words(body: str, subject: str = "Aviso", html: str = "") -> str:
    more = f"\nhtml = '''{html}'''" if html else ""
    return REMINDERS.replace('subject = "{{ title }} {{ number }}"', f"subject = '''{subject}'''").replace(
        'body = "{{ name }}: vence em {{ last_day }} ({{ article }})."', f"body = '''{body}'''{more}"
    )


async def test_a_notice_goes_as_text_and_as_the_same_in_html(own_database: Database) -> None:
    town = await found(own_database, law=words("Olá, {{ name }}.\n\nLinha um\nlinha <dois>"))

    message = await sent(own_database, town)

    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert plain(message).replace("\r\n", "\n") == "Olá, Ana Souza.\n\nLinha um\nlinha <dois>\n"
    page = message.get_body(("html",))
    assert page is not None
    html = page.get_content().replace("\r\n", "\n")
    assert "<p>Olá, Ana Souza.</p>\n<p>Linha um<br>\nlinha &lt;dois&gt;</p>" in html
    assert '<html lang="pt-BR">' in html
    assert "<title>Aviso</title>" in html


async def test_the_town_s_own_markup_is_used_with_its_fields_as_text(own_database: Database) -> None:
    town = await found(own_database, law=words("Olá", html="<p><strong>{{ name }}</strong></p>"))

    message = await sent(own_database, town, name="<b>Ana</b> & Cia")

    page = message.get_body(("html",))
    assert page is not None
    assert "<p><strong>&lt;b&gt;Ana&lt;/b&gt; &amp; Cia</strong></p>" in page.get_content()


async def test_the_headers_are_those_that_servers_ask_for(own_database: Database) -> None:
    message = await sent(own_database, await found(own_database))

    assert message["From"] == "Vila-Nova <nao-responda@praca.example>"
    assert message["To"] == "Ana Souza <ana@example.org>"
    assert message["Message-ID"].endswith("@praca.example>")
    assert message["Date"] == "Tue, 10 Mar 2026 15:00:00 +0000"
    assert message["Auto-Submitted"] == "auto-generated"
    assert [part["Content-Language"] for part in message.walk()] == ["pt-BR"] * 3
    assert message["MIME-Version"] == "1.0"
    assert message["Reply-To"] is None
    assert message["List-Unsubscribe"] is None


@pytest.mark.parametrize(
    ("domains", "source", "answers"),
    [
        (("vila.example",), "avisos@vila.example", "ouvidoria@vila.example"),
        ((), "nao-responda@praca.example", "ouvidoria@vila.example"),
    ],
)
async def test_mail_comes_from_the_town_s_domain_where_it_is_signed_for(
    own_database: Database, domains: tuple[str, ...], source: str, answers: str
) -> None:
    own_database.settings = own_database.settings.model_copy(update={"mail_domains": domains})
    town = await found(own_database)
    header = TOWN.partition("[[norm")[0].replace("\nzone", '\nmail_from = "avisos@vila.example"\nzone')
    header = header.replace("\nzone", '\nreply_to = "ouvidoria@vila.example"\nzone')
    async with own_database.transaction(town) as tx:
        await amend(tx, PUBLISHER, text=header, norm="Portaria 1/2026", official_on=tx.today)

    message = await sent(own_database, town)

    assert message["From"].addresses[0].addr_spec == source
    assert message["Reply-To"] == answers


@pytest.mark.parametrize(
    "name",
    [
        "Ana\r\nBcc: todos@example.org",
        "Ana\nSubject: outro",
        'Ana" <outra@example.org>, "B',
        "Ana\u2028Bcc: x@example.org",
        "Ana\x07\x1b[31m",
        "José Ângelo da Conceição Guimarães de Alcântara e Silva Tão Comprido " * 4,
        "=?utf-8?q?x=40example=2Eorg?=",
        "李雷 Иван 😀",
    ],
)
def test_a_name_is_only_a_name(name: str) -> None:
    message = made(Filled(name, name, None), name=name)

    subjects = message.get_all("Subject") or []
    assert [each.addr_spec for each in message["To"].addresses] == ["ana@example.org"]
    assert message["Bcc"] is None
    assert len(subjects) == 1
    assert "\n" not in subjects[0]


def made(words: Filled, *, name: str) -> EmailMessage:
    """As another server reads it."""
    notice = SimpleNamespace(id=uuid4(), name=name, message_id="<1@praca.example>", created_at=datetime.now(UTC))
    sender = Address("Vila Nova", "nao-responda", "praca.example")
    raw = compose(notice, "ana@example.org", words, (sender, None)).as_bytes(policy=policy.SMTP)
    again = message_from_bytes(raw, policy=policy.default)
    assert isinstance(again, EmailMessage)
    return again


def test_no_line_is_longer_than_servers_take() -> None:
    body = "x" * 5_000 + "ção " * 900
    message = made(Filled("Título muito comprido " * 12, body, f"<p>{body}</p>"), name="Ána " * 60)

    headers, _, rest = message.as_bytes(policy=policy.SMTP).partition(b"\r\n\r\n")
    assert max(map(len, headers.split(b"\r\n"))) <= LINE
    assert max(map(len, rest.split(b"\r\n"))) <= HEADER_LINE
    assert body.strip() in plain(message)


@pytest.mark.parametrize(
    "address",
    [
        "ana@example.org\r\nBcc: x@example.org",
        "ana@example.org, outra@example.org",
        "Ana <ana@example.org>",
        "ana@localhost",
        "ana",
        "@example.org",
        "ana@exa mple.org",
        "ana@[127.0.0.1]",
        "josé@example.org",
        "a" * 250 + "@example.org",
        "ana@" + "a" * 64 + ".org",
        "ana;x@example.org",
        "",
        None,
    ],
)
def test_what_is_no_mailbox_is_none(address: str | None) -> None:
    assert mailbox(address) is None


def test_a_mailbox_is_written_as_servers_take_it() -> None:
    assert mailbox(" ana+taxi@Example.org ") == "ana+taxi@Example.org"
    assert mailbox("ana@município.example") == "ana@xn--municpio-g2a.example"


async def test_an_address_that_is_none_is_a_task_and_the_notice_waits_in_the_inbox(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx, email="ana@example.org\r\nBcc: x@example.org")
        await queue(tx, [NewNotice(key="k", template="vence", subject_kind="permit", subject_id=permit.id)])

    assert await relay(own_database, town, box) == {"kept": 1}

    async with own_database.reader(town) as reader:
        task = await reader.one("SELECT kind, detail, person_id FROM clerk_task")
        notice = await reader.one("SELECT state, reason, subject FROM notice")
    assert (task.kind, task.detail, task.person_id is not None) == ("address_failing", "not an address", True)
    assert (notice.state, notice.reason) == ("kept", "address failing")
    assert notice.subject


def test_plain_text_becomes_paragraphs() -> None:
    assert html_of(Filled("s", "a\n\n\nb\nc & <d>\n", None)) == "<p>a</p>\n<p>b<br>\nc &amp; &lt;d&gt;</p>"


async def test_who_complained_is_sent_the_answer_without_an_account(own_database: Database) -> None:
    town, box = await found(own_database), Box()
    clerk = Actor(subject="c", kind="office", tenant_id=town, offices=("financas",), powers={"record": "financas"})
    public = Actor(subject="public", kind="public", tenant_id=town)
    async with own_database.transaction(town) as tx:
        with pytest.raises(Invalid):
            await file_complaint(tx, public, text="Recusou.", email="dora")
    async with own_database.transaction(town) as tx:
        kept = await file_complaint(tx, public, text="Recusou.", email="dora@example.org")
        silent = await file_complaint(tx, public, text="Recusou.")
    async with own_database.transaction(town) as tx:
        for receipt in (kept, silent):
            await answer_complaint(tx, clerk, complaint_id=receipt.id, answer="Foi advertido.", founded=True)

    assert await relay(own_database, town, box) == {"sent": 1}

    (message,) = box.taken
    assert message["To"] == "dora@example.org"
    assert kept.number in message["Subject"]
    assert "Foi advertido." in plain(message)


class Server:
    """A real mail server that answers as told."""

    def __init__(self) -> None:
        self.mail, self.rcpt, self.data = "250 OK", "250 OK", "250 OK"
        self.senders: list[str | None] = []

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self.mail

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.senders.append(envelope.mail_from)
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return self.data


@pytest.fixture
async def server(own_database: Database) -> AsyncIterator[Server]:
    loop, port, handler = asyncio.get_running_loop(), free_port(), Server()
    listening = await loop.create_server(lambda: SMTP(handler, loop=loop), "127.0.0.1", port)
    own_database.settings = own_database.settings.model_copy(
        update={"smtp_host": "127.0.0.1", "smtp_port": port, "mail_bounces": "devolvidas@praca.example"}
    )
    yield handler
    listening.close()
    await listening.wait_closed()


@pytest.mark.parametrize(
    ("at", "answer", "outcome", "state", "tasks"),
    [
        ("rcpt", "550 5.1.1 no such user", "refused", "failed", 1),
        ("rcpt", "451 4.3.0 later", "refused", "queued", 0),
        ("data", "554 5.6.0 refused", "refused", "failed", 1),
        ("data", "452 4.3.1 full", "refused", "queued", 0),
    ],
)
async def test_only_what_is_refused_for_good_is_a_task(
    own_database: Database, server: Server, at: str, answer: str, outcome: str, state: str, tasks: int
) -> None:
    setattr(server, at, answer)
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        new = [NewNotice(key=key, template="vence", subject_kind="permit", subject_id=permit.id) for key in ("a", "b")]
        await queue(tx, new[:1])

    assert await relay(own_database, town, Smtp(own_database.settings)) == {outcome: 1}

    async with own_database.reader(town) as reader:
        kept = await reader.one("SELECT state FROM notice WHERE key = 'a'")
        found_tasks = await reader.rows("SELECT about, closed_act FROM clerk_task")
        attempt = await reader.one("SELECT outcome, detail FROM notice_attempt")
    assert (kept.state, attempt.outcome) == (state, outcome)
    assert answer[:3] in attempt.detail
    assert len(found_tasks) == tasks
    assert server.senders[0] == "devolvidas@praca.example"


async def test_a_server_that_does_not_want_us_says_nothing_of_an_address(
    own_database: Database, server: Server
) -> None:
    server.mail = "550 5.7.1 not from you"
    town = await found(own_database)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        await queue(tx, [NewNotice(key="a", template="vence", subject_kind="permit", subject_id=permit.id)])

    assert await relay(own_database, town, Smtp(own_database.settings)) == {"unreachable": 1}

    async with own_database.reader(town) as reader:
        assert await reader.scalar("SELECT count(*) FROM clerk_task") == 0
        assert await reader.scalar("SELECT state FROM notice") == "queued"
