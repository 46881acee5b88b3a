"""The inbox: a notice is there from when it is written, in the words in which it was sent, for its owner alone."""

from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest

from services import deadlines
from services.access import Actor, actor_of, operator
from services.accounts import appointments, linking
from services.clock import FixedClock
from services.database import Database, Reader, Transaction
from services.errors import Forbidden, NotFound
from services.nights import night
from services.notices import NewNotice, inbox, queue, relay
from services.notices.templating import save_template
from services.permits.tables import Permit
from tests.support.mailbox import Box
from tests.support.register import REMINDERS, found, make_deadline, make_licence, make_permit

TODAY = date(2026, 3, 10)
LAW = REMINDERS.replace(
    "[[office]]\nrows = [",
    "[[office]]\nrows = [{ code = 'cadastro', title = 'Cadastro', may = ['read', 'register', 'publish'], "
    "cite = 'art. 1' }, ",
)
OPERATOR = operator("plataforma")
BY_LETTER = "Há aviso: {{ title }}."


async def holder_of(tx: Transaction, permit: Permit, subject: str) -> Actor:
    """Whoever holds it, with an account."""
    person = await tx.scalar("SELECT person_id FROM holder WHERE id = :id", id=permit.holder_id)
    clerk = Actor(subject="c", kind="office", tenant_id=tx.tenant_id, powers={"register": "cadastro"})
    await linking.link_account(tx, clerk, subject=subject, person_id=person)
    return await actor_of(tx, subject)


async def clerk(tx: Transaction, subject: str = "clerk", office: str = "cadastro") -> Actor:
    await appointments.appoint(tx, OPERATOR, subject=subject, office=office, since=tx.today)
    return await actor_of(tx, subject)


async def tell(tx: Transaction, permit: Permit, *, to: str = "holder", many: int = 1) -> None:
    await queue(
        tx,
        [
            NewNotice(key=str(uuid4()), template="aviso", subject_kind="permit", subject_id=permit.id, to=to)
            for _ in range(many)
        ],
    )


async def ids(tx: Reader, actor: Actor, *, limit: int = 100, after: UUID | None = None) -> list[UUID]:
    return [row.id for row, _ in await inbox.mine(tx, actor, limit=limit, after=after)]


async def test_a_notice_is_there_when_it_is_written_and_says_what_it_will(own_database: Database) -> None:
    town, box = await found(own_database, law=LAW), Box()
    async with own_database.transaction(town) as tx:
        licence = await make_licence(tx, until=TODAY + timedelta(days=5))
        permit = await tx.session.get_one(Permit, (tx.tenant_id, licence.permit_id))
        holder = await holder_of(tx, permit, "ana")
        await make_deadline(tx, until=TODAY + timedelta(days=5), subject=("licence", licence.id))
    await night(own_database, [town])
    async with own_database.reader(town) as reader:
        ((row, before),) = await inbox.mine(reader, holder, limit=5, after=None)

    await relay(own_database, town, box)

    async with own_database.reader(town) as reader:
        ((again, sent),) = await inbox.mine(reader, holder, limit=5, after=None)
    assert row.id == again.id
    assert (row.state, again.state) == ("queued", "sent")
    assert before == sent
    assert box.taken[0]["Subject"] == sent.subject == f"Alvará de licença {licence.number}"
    assert (row.last_day, row.article) == (TODAY + timedelta(days=5), "Lei 1/2000, art. 3")


async def test_what_was_sent_stays_as_it_was_when_the_words_change(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        holder, office = await holder_of(tx, permit, "ana"), await clerk(tx)
        await make_deadline(tx, until=TODAY + timedelta(days=5), subject=("permit", permit.id))
    await night(own_database, [town])
    await relay(own_database, town, Box())
    async with own_database.transaction(town) as tx:
        await save_template(tx, office, code="vence", subject="Outro", body=BY_LETTER, why="Portaria 1/2026")
        new = NewNotice(key="n", template="vence", subject_kind="permit", subject_id=permit.id)
        await queue(tx, [new])

    async with own_database.reader(town) as reader:
        shown = [words.subject for _, words in await inbox.mine(reader, holder, limit=5, after=None)]
    assert shown == ["Outro", f"Alvará de licença {permit.number}"]


async def test_what_no_longer_holds_leaves_the_inbox_until_it_was_sent(
    own_database: Database, clock: FixedClock
) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        holder = await holder_of(tx, permit, "ana")
        first = await make_deadline(tx, until=TODAY + timedelta(days=5), subject=("permit", permit.id))
    await night(own_database, [town])
    async with own_database.transaction(town) as tx:
        assert len(await ids(tx, holder)) == await inbox.unread(tx, holder) == 1
        act = await tx.scalar("SELECT id FROM act ORDER BY id DESC LIMIT 1")
        await deadlines.meet(tx, first, on=tx.today, act_id=act)
        assert await ids(tx, holder) == []
        assert await inbox.unread(tx, holder) == 0
    async with own_database.transaction(town) as tx:
        clock.advance(timedelta(days=1))
        second = await make_deadline(tx, until=TODAY + timedelta(days=5), subject=("permit", permit.id))
    await night(own_database, [town])
    await relay(own_database, town, Box())
    async with own_database.transaction(town) as tx:
        await deadlines.meet(tx, second, on=tx.today, act_id=act)
        assert len(await ids(tx, holder)) == 1


async def test_reading_is_recorded_once_with_who_and_when(own_database: Database, clock: FixedClock) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        one, two = await clerk(tx, "um"), await clerk(tx, "dois")
        await tell(tx, permit, to="cadastro")
        (id,) = await ids(tx, one)
    moment = clock.now()
    async with own_database.transaction(town) as tx:
        assert await inbox.mark_read(tx, one, notice_ids=[id, id]) == 1
    clock.advance(timedelta(hours=1))
    async with own_database.transaction(town) as tx:
        assert await inbox.mark_read(tx, one, notice_ids=[id]) == 0
        assert (await inbox.unread(tx, one), await inbox.unread(tx, two)) == (0, 1)
        ((mine, _),) = await inbox.mine(tx, one, limit=5, after=None)
        ((theirs, _),) = await inbox.mine(tx, two, limit=5, after=None)
        assert await inbox.mine(tx, one, limit=5, after=None, unread_only=True) == []
        assert len(await inbox.mine(tx, two, limit=5, after=None, unread_only=True)) == 1

    assert (mine.read_at, theirs.read_at) == (moment, None)
    assert [each["reader"] for each in theirs.readings] == ["um"]


async def test_pages_neither_skip_nor_repeat(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        holder = await holder_of(tx, permit, "ana")
        await appointments.appoint(tx, OPERATOR, subject="ana", office="cadastro", since=tx.today)
        await tell(tx, permit, many=4)
        await tell(tx, permit, to="cadastro", many=3)
        both = await actor_of(tx, "ana")
        whole = await ids(tx, both)
        walked: list[UUID] = []
        while page := await ids(tx, both, limit=2, after=walked[-1] if walked else None):
            walked += page

        assert walked == whole == sorted(whole, reverse=True)
        assert len(whole) == 4 + 3, "the mail that they get for the office is no notice of their own"
        assert len(await ids(tx, holder)) == 4


async def test_nobody_finds_or_reads_another_s(own_database: Database) -> None:
    town, other = await found(own_database, law=LAW), await found(own_database, "outra", law=LAW)
    async with own_database.transaction(town) as tx:
        mine, yours = await make_permit(tx), await make_permit(tx, name="Bia Lima")
        ana, bia = await holder_of(tx, mine, "ana"), await holder_of(tx, yours, "bia")
        office, elsewhere = await clerk(tx), await clerk(tx, "f", "financas")
        await tell(tx, mine)
        await tell(tx, yours, to="cadastro")
        (hers,), (the_office_s,) = await ids(tx, ana), await ids(tx, office)
        assert await ids(tx, bia) == await ids(tx, elsewhere) == []
    async with own_database.transaction(other) as tx:
        stranger = await clerk(tx)
        assert await ids(tx, stranger) == []

    said: set[str] = set()
    for where, who, what in (
        (town, bia, hers),
        (town, office, hers),
        (town, ana, the_office_s),
        (town, elsewhere, the_office_s),
        (other, stranger, the_office_s),
        (town, ana, uuid4()),
    ):
        async with own_database.transaction(where) as tx:
            with pytest.raises(NotFound) as no:
                await inbox.mark_read(tx, who, notice_ids=[what])
        said.add(str(no.value).replace(str(what), "…"))

    assert len(said) == 1, "whatever it is, it is one that never existed"
    for nobody in (Actor(subject="x", kind="public", tenant_id=town), OPERATOR):
        async with own_database.reader(town) as reader:
            with pytest.raises(Forbidden):
                await inbox.mine(reader, nobody, limit=5, after=None)


async def test_reading_one_that_is_not_there_reads_none_of_the_others(own_database: Database) -> None:
    town = await found(own_database, law=LAW)
    async with own_database.transaction(town) as tx:
        permit = await make_permit(tx)
        holder = await holder_of(tx, permit, "ana")
        await tell(tx, permit)
    with pytest.raises(NotFound):
        async with own_database.transaction(town) as tx:
            await inbox.mark_read(tx, holder, notice_ids=[*(await ids(tx, holder)), uuid4()])
    async with own_database.reader(town) as reader:
        assert await inbox.unread(reader, holder) == 1
