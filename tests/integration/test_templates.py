"""A town's words: seen with a real record, refused where they reach beyond their fields, published like any law."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.access import Actor
from services.clock import FixedClock
from services.database import Database
from services.errors import Forbidden, NotFound
from services.municipalities.publishing import PackInvalid, amend, check_text
from services.notices import NewNotice, queue, relay
from services.notices.templating import preview_template, save_template
from tenants.law.kinds.basis import Template
from tenants.law.receivers import PEOPLE
from tenants.law.wording import FIELDS, Words
from tests.support.law import TOWN
from tests.support.mailbox import Box, plain
from tests.support.register import REMINDERS, found, make_deadline
from tests.support.subjects import every_subject

TODAY = date(2026, 3, 10)
LAW = REMINDERS + '[[infraction]]\nrows = [{ code = "I-1", title = "Sujeira", do = "warn", cite = "art. 6" }]\n'
WHOLE = Words("{{ town }}: {{ title or subject }}", "\n".join(f"{name}={{{{ {name} }}}}" for name in FIELDS))
ATTACK = "Olá\n{{ name.__class__.__mro__ }}"


def publisher(town: UUID) -> Actor:
    return Actor(
        subject="prefeita", kind="office", tenant_id=town, offices=("gabinete",), powers={"publish": "gabinete"}
    )


async def told(database: Database, town: UUID, kind: str, id: UUID) -> dict[str, str]:
    """What each field says of a record in a preview."""
    async with database.reader(town) as reader:
        found = await preview_template(reader, publisher(town), words=WHOLE, kind=kind, id=id)
    assert found.problems == ()
    assert found.filled is not None
    return dict(line.partition("=")[::2] for line in found.filled.body.splitlines())


async def test_words_are_seen_with_a_real_record_of_every_kind(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        made = await every_subject(tx)
        deadline = await make_deadline(tx, until=TODAY + timedelta(days=3), subject=("fine", made["fine"]))

    seen = {kind: await told(own_database, town, kind, made[kind]) for kind in PEOPLE}
    of_the_fine = await told(own_database, town, "deadline", deadline)

    names = {kind: fields["name"] for kind, fields in seen.items()}
    assert names == {kind: {"driver": "Bia Lima", "complaint": ""}.get(kind, "Ana Souza") for kind in PEOPLE}
    assert all(
        fields["number"] for kind, fields in seen.items() if kind not in ("holder", "driver", "tariff", "penalty")
    )
    fine = seen["fine"]
    assert (fine["amount"], fine["units"], fine["infractions"]) == ("R$ 1.234,50", "30 UX", "['Sujeira']")
    assert (fine["outcome"], fine["decision"]) == ("deferido", "Pode.")
    assert fine["articles"] == "['Lei 1/2000, art. 3']"
    assert (fine["title"], fine["last_day"], fine["opened_on"]) == ("Alvará de licença", "13/03/2026", "01/01/2020")
    assert fine["article"] == "Lei 1/2000, art. 3"
    assert of_the_fine == fine
    assert seen["penalty"]["amount"] == "R$ 1.234,50"
    assert seen["complaint"]["answer"] == "Apurado."
    assert seen["licence"]["category"] == seen["permit"]["category"] == "taxi"


async def test_a_preview_writes_nothing_and_shows_what_is_wrong_instead(own_database: Database) -> None:
    town, other = await found(own_database, law=LAW), await found(own_database, "outra", law=LAW)
    async with own_database.transaction(town) as tx:
        made = await every_subject(tx)

    async with own_database.reader(town) as reader:
        wrong = await preview_template(
            reader, publisher(town), words=Words("Aviso", ATTACK), kind="permit", id=made["permit"]
        )
        nobody = Actor(subject="x", kind="office", tenant_id=town)
        with pytest.raises(Forbidden):
            await preview_template(reader, nobody, words=WHOLE, kind="permit", id=made["permit"])
        for kind, id in (("permit", uuid4()), ("deadline", uuid4()), ("person", made["lawyer"]), ("notice", uuid4())):
            with pytest.raises(NotFound):
                await preview_template(reader, publisher(town), words=WHOLE, kind=kind, id=id)
    async with own_database.reader(other) as reader:
        for kind in PEOPLE:
            with pytest.raises(NotFound):
                await preview_template(reader, publisher(other), words=WHOLE, kind=kind, id=made[kind])

    assert wrong.filled is None
    assert [(each.path, each.line, each.column) for each in wrong.problems] == [(("body",), 2, 19)]


async def test_words_that_reach_beyond_their_fields_are_refused_when_saved(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    text = f'[[template]]\ncode = "vence"\nsubject = "Aviso"\nbody = """{ATTACK}"""\n'
    wrong: tuple[dict[str, str], ...] = (
        {"body": ATTACK},
        {"subject": "{{ self }}"},
        {"html": "<script>x</script>"},
        {"body": ""},
    )
    for words in wrong:
        given: dict[str, Any] = {"code": "vence", "why": "Portaria 1/2026", "subject": "Aviso", "body": "Olá", **words}
        async with own_database.transaction(town) as tx:
            with pytest.raises(PackInvalid) as no:
                await save_template(tx, publisher(town), **given)
        (first, *_) = no.value.problems
        assert (first.path, first.line is not None, first.column is not None) == ((next(iter(words)),), True, True)
    async with own_database.transaction(town) as tx:
        with pytest.raises(PackInvalid):
            await amend(tx, publisher(town), text=text, norm="Portaria 1/2026", official_on=TODAY)

    async with own_database.reader(town) as reader:
        assert await reader.scalar("SELECT count(*) FROM publication") == 1
    assert check_text(TOWN + f'[[template]]\ncode = "x"\nsubject = "a"\nbody = """{ATTACK}"""\n').refused


async def test_saving_publishes_by_an_act_of_the_office_that_may(own_database: Database, clock: FixedClock) -> None:
    town = await found(own_database, law=LAW)
    clerk = Actor(subject="c", kind="office", tenant_id=town, powers={"register": "financas"})
    async with own_database.transaction(town) as tx:
        with pytest.raises(Forbidden):
            await save_template(tx, clerk, code="vence", subject="Um", body="Um", why="Portaria 1/2026")
    for said in ("Um", "Dois"):
        async with own_database.transaction(town) as tx:
            html = f"<p>{said}: {{{{ name }}}}</p>"
            await save_template(
                tx, publisher(town), code="vence", subject=said, body=said, html=html, why=f"Portaria {said}"
            )
    clock.advance(timedelta(days=2))

    async with own_database.reader(town) as reader:
        before = (await reader.law(on=TODAY, known_at=TODAY - timedelta(days=1))).get(Template, "vence")
        now = (await reader.law(on=reader.today)).get(Template, "vence")
        rows = await reader.rows(
            "SELECT p.norm, a.verb, a.office, a.actor FROM publication AS p "
            "JOIN act AS a ON a.id = p.act_id ORDER BY p.seq"
        )
    assert before is not None
    assert now is not None
    assert (before.subject, now.subject, now.html) == ("{{ title }} {{ number }}", "Dois", "<p>Dois: {{ name }}</p>")
    assert [tuple(row) for row in rows[1:]] == [
        (f"Portaria {said}", "law.template_saved", "gabinete", "prefeita") for said in ("Um", "Dois")
    ]


async def test_a_notice_reads_the_decision_and_the_law(own_database: Database) -> None:
    town, box = await found(own_database, law=LAW), Box()
    async with own_database.transaction(town) as tx:
        made = await every_subject(tx)
        body = "{{ decision }} {{ amount }}, {{ infractions|join(', ') }}: {{ articles|join('; ') }}"
        await save_template(tx, publisher(town), code="multado", subject="{{ outcome }}", body=body, why="Portaria 1")
        await queue(tx, [NewNotice(key="k", template="multado", subject_kind="fine", subject_id=made["fine"])])

    assert await relay(own_database, town, box) == {"sent": 1}

    (message,) = box.taken
    assert message["Subject"] == "deferido"
    assert plain(message).strip() == "Pode. R$ 1.234,50, Sujeira: Lei 1/2000, art. 3"


async def test_a_repeat_says_what_the_first_said_though_the_words_have_changed(own_database: Database) -> None:
    town, box = await found(own_database, law=LAW), Box()
    async with own_database.transaction(town) as tx:
        made = await every_subject(tx)
        await queue(tx, [NewNotice(key="k", template="vence", subject_kind="fine", subject_id=made["fine"])])
    box.then = Cut()
    with pytest.raises(Cut):
        await relay(own_database, town, box)
    box.then = None
    async with own_database.transaction(town) as tx:
        await save_template(tx, publisher(town), code="vence", subject="Outro", body="Outro", why="Portaria 1/2026")
        await tx.rows("UPDATE notice SET claimed_until = clock_timestamp() - interval '1 second'")

    assert await relay(own_database, town, box) == {"sent": 1}

    first, again = box.taken
    assert first.as_bytes() == again.as_bytes()


class Cut(BaseException):
    """The process ends here."""
