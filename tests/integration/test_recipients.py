"""Whom a notice reaches: of every kind of subject somebody, an office in its inbox and by mail, nobody in silence."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.access import actor_of, operator
from services.accounts import appointments
from services.database import Database, Transaction
from services.errors import Invalid
from services.nights import night
from services.notices import NewNotice, inbox, queue, relay
from services.notices.offices import offices
from services.notices.queue import queue_as_told
from tenants.law.receivers import PEOPLE
from tests.support.mailbox import Box
from tests.support.register import REMINDERS, found, make_deadline, make_permit
from tests.support.subjects import ADVOCATE, CITIZEN, DRIVER, HOLDER, every_subject

LAW = REMINDERS.replace(
    "[[office]]\nrows = [",
    "[[office]]\nrows = [{ code = 'cadastro', title = 'Cadastro', may = ['read', 'register'], cite = 'art. 1' }, "
    "{ code = 'comissao', title = 'Comissão', may = ['read', 'decide'], cite = 'art. 1' }, "
    "{ code = 'gabinete', title = 'Gabinete', may = ['read', 'decide'], cite = 'art. 1' }, ",
)
OPERATOR = operator("plataforma")
WHO = {
    "holder": [HOLDER],
    "driver": [DRIVER],
    "candidate": [HOLDER],
    "representative": [ADVOCATE],
    "complainant": [CITIZEN],
}
OTHERWISE = {
    ("driver", "holder"): [DRIVER],
    ("holder", "driver"): [HOLDER],
    ("case", "holder"): [HOLDER, DRIVER, ADVOCATE],
    ("case", "driver"): [HOLDER, DRIVER, ADVOCATE],
    ("case", "party"): [HOLDER, DRIVER, ADVOCATE],
}
PAIRS = [(kind, word) for kind, words in PEOPLE.items() for word in sorted(words)]


def to(receiver: str, kind: str, id: UUID, key: str | None = None, **given: Any) -> NewNotice:
    return NewNotice(key=key or str(uuid4()), template="aviso", subject_kind=kind, subject_id=id, to=receiver, **given)


async def rows(tx: Transaction) -> list[Any]:
    return await tx.rows("SELECT key, office, account_id, address, state, reason FROM notice ORDER BY id")


@pytest.mark.parametrize(("kind", "receiver"), PAIRS)
async def test_every_kind_of_subject_has_somebody(tx: Transaction, kind: str, receiver: str) -> None:
    made = await every_subject(tx)

    assert await queue(tx, [to(receiver, kind, made[kind], "k")]) == 1

    written = await rows(tx)
    assert sorted(row.address for row in written) == sorted(OTHERWISE.get((kind, receiver)) or WHO[receiver])
    assert written[0].key == "k"
    assert all(row.key.startswith("k:") for row in written[1:])


async def test_the_first_is_whom_it_is_about_and_who_represents_comes_after(tx: Transaction) -> None:
    made = await every_subject(tx)
    await queue(tx, [to("party", "case", made["case"])])

    assert [row.address for row in await rows(tx)][-1] == ADVOCATE


async def test_a_term_of_one_party_is_told_to_them_and_who_represents_them(tx: Transaction) -> None:
    made = await every_subject(tx)
    deadline = await make_deadline(tx, until=tx.today, subject=("case", made["case"]))
    for party, reached in (("party", [HOLDER, ADVOCATE]), ("other party", [DRIVER])):
        await tx.rows(
            "UPDATE deadline SET inputs = jsonb_build_object('party', CAST(:party AS text)) WHERE id = :id",
            party=str(made[party]),
            id=deadline,
        )
        await queue(tx, [to("holder", "case", made["case"], party, deadline_id=deadline)])
        assert [row.address for row in await rows(tx) if row.key.startswith(party)] == reached


async def test_a_town_wide_tariff_is_told_to_all_who_hold_a_permit_of_its_category(tx: Transaction) -> None:
    made = await every_subject(tx)
    await make_permit(tx, email="outra@example.org")
    await queue(tx, [to("holder", "tariff", made["town tariff"])])

    assert sorted(row.address for row in await rows(tx)) == [HOLDER, "outra@example.org"]


async def test_who_was_excluded_from_a_call_hears_no_more_of_it(tx: Transaction) -> None:
    made = await every_subject(tx)
    await tx.rows(
        "UPDATE selection_candidate SET excluded_on = :day, excluded_act = enrolled_act, excluded_why = 'x'",
        day=tx.today,
    )
    await queue(tx, [to("candidate", "selection", made["selection"])])

    (row,) = await rows(tx)
    assert (row.address, row.state) == (None, "queued")


@pytest.mark.parametrize(("kind", "receiver"), [("permit", "complainant"), ("permit", "nonsense"), ("thing", "holder")])
async def test_a_word_that_stands_for_nobody_is_a_fault_of_ours(tx: Transaction, kind: str, receiver: str) -> None:
    with pytest.raises(ValueError, match="nobody is"):
        await queue(tx, [to(receiver, kind, uuid4())])


async def test_what_a_law_means_to_reach_in_vain_is_a_task_once(own_database: Database) -> None:
    town, box = await found(own_database, law=LAW), Box()
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        new = [to("repartição", "permit", permit.id), to("repartição", "permit", permit.id)]
        assert await queue_as_told(tx, new) == 2

    assert await relay(own_database, town, box) == {"dropped": 2}

    async with own_database.reader(town) as reader:
        tasks = await reader.rows("SELECT kind, about FROM clerk_task")
        states = await reader.rows("SELECT DISTINCT state, reason FROM notice")
    assert [tuple(row) for row in tasks] == [("nobody", f"permit:{permit.id}")]
    assert [tuple(row) for row in states] == [("dropped", "nobody")]


async def appoint(tx: Transaction, subject: str, office: str, **given: Any) -> None:
    since = given.pop("since", tx.today)
    await appointments.appoint(tx, OPERATOR, subject=subject, office=office, since=since, **given)


async def test_an_office_has_its_inbox_and_everybody_appointed_that_day_a_mail(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        await appoint(tx, "um", "cadastro", email="um@vila.example")
        await appoint(tx, "sem-endereço", "cadastro")
        await appoint(tx, "amanhã", "cadastro", email="amanha@vila.example", since=tx.today + timedelta(days=1))
        await appoint(tx, "fora", "cadastro", email="fora@vila.example", since=tx.today - timedelta(days=9))
        await appointments.remove(tx, OPERATOR, subject="fora", office="cadastro", on=tx.today)
        await queue(tx, [to("office", "permit", permit.id, "k")])
        written = await rows(tx)

    assert [(row.key == "k", row.office, row.address) for row in written] == [
        (True, "cadastro", None),
        (False, "cadastro", "um@vila.example"),
    ]


async def test_an_office_nobody_holds_has_it_in_its_inbox_all_the_same(own_database: Database) -> None:
    town, box = await found(own_database, law=LAW), Box()
    async with own_database.transaction(town) as tx:
        await queue(tx, [to("cadastro", "permit", (await make_permit(tx)).id)])

    assert await relay(own_database, town, box) == {"kept": 1}

    async with own_database.reader(town) as reader:
        assert await reader.scalar("SELECT count(*) FROM clerk_task") == 0
        assert await reader.scalar("SELECT subject FROM notice WHERE office = 'cadastro'") is not None


async def test_whoever_holds_several_of_the_offices_gets_one_mail(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        await appoint(tx, "um", "comissao", email="um@vila.example")
        await appoint(tx, "um", "gabinete")
        await queue(tx, [to("decide", "permit", (await make_permit(tx)).id)])
        written = await rows(tx)

    assert [(row.office, row.address) for row in written if row.account_id is None] == [
        ("comissao", None),
        ("gabinete", None),
    ]
    assert [row.address for row in written if row.account_id] == ["um@vila.example"]


async def test_a_person_s_address_serves_their_account(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx, email="eva@example.org")
        person = await tx.scalar("SELECT person_id FROM holder WHERE id = :id", id=permit.holder_id)
        await appoint(tx, "eva", "cadastro", person_id=person)
        await queue(tx, [to("cadastro", "permit", permit.id)])

        assert [row.address for row in await rows(tx)] == [None, "eva@example.org"]


async def test_the_office_that_sees_to_a_subject_is_the_law_s(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.reader(town) as reader:
        known = offices(await reader.law(on=reader.today))

    assert known["office/case"] == ["comissao", "gabinete"]
    assert known["office/licence"] == known["office"] == ["cadastro"]
    assert known["office/tariff"] == ["cadastro"], "a power of nobody falls to those who keep the register"
    assert known["gabinete"] == ["gabinete"]


async def test_an_address_of_an_account_is_one(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        with pytest.raises(Invalid):
            await appoint(tx, "um", "cadastro", email="um@vila.example, dois@vila.example")


async def test_another_town_s_people_are_nobody(own_database: Database) -> None:
    town, other = await found(own_database, law=LAW), await found(own_database, "outra", law=LAW)
    async with own_database.transaction(other) as tx:
        theirs = await every_subject(tx)
    async with own_database.transaction(town) as tx:
        await queue(tx, [to(next(iter(PEOPLE[kind])), kind, theirs[kind]) for kind in PEOPLE])
        written = await rows(tx)

    assert {(row.address, row.office) for row in written} == {(None, None)}


async def test_a_term_of_the_office_that_is_over_comes_to_its_inbox(own_database: Database) -> None:
    """Nobody is appointed and nobody has an address: it waits there for whoever comes."""
    town = await found(own_database, law=LAW)
    follows = [{"do": "notify", "template": "term_expired", "to": "decide"}]
    async with own_database.transaction(town) as tx:
        made = await every_subject(tx)
        until = tx.today - timedelta(days=1)
        await make_deadline(tx, until=until, subject=("complaint", made["complaint"]), follows=follows)
    await night(own_database, [town])
    await relay(own_database, town, Box())

    async with own_database.transaction(town) as tx:
        await appoint(tx, "nova", "gabinete")
        found_there = await inbox.mine(tx, await actor_of(tx, "nova"), limit=5, after=None)
    ((row, words),) = found_there
    assert (row.office, row.state) == ("gabinete", "kept")
    assert "vencido" in words.subject
