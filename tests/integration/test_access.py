"""Who may: offices are in the register, powers are the law's, a token of one town is worth nothing in another."""

from datetime import date, timedelta
from uuid import UUID

import pytest

from services.access import Actor, actor_of, operator, system
from services.accounts import store
from services.accounts.appointments import appoint, remove
from services.database import Transaction
from services.errors import Conflict, Forbidden, Invalid, NotFound
from tests.support.register import CLERK, make_permit, publish

TODAY = date(2026, 3, 10)


@pytest.fixture
async def town(tx: Transaction) -> Transaction:
    """The test's town, with a law that gives one office the powers to license and to fine."""
    await publish(tx)
    return tx


async def test_an_office_gives_its_powers_from_the_day_of_the_appointment_to_that_of_the_removal(
    town: Transaction,
) -> None:
    await appoint(town, CLERK, subject="maria", office="financas", since=TODAY)
    maria = await actor_of(town, "maria")
    assert (maria.kind, maria.must("fine"), maria.may("cancel")) == ("office", "financas", False)

    town.today = TODAY - timedelta(days=1)
    assert not (await actor_of(town, "maria")).may("fine")

    town.today = TODAY + timedelta(days=10)
    await remove(town, CLERK, subject="maria", office="financas", on=town.today)
    assert not (await actor_of(town, "maria")).may("fine")


async def test_a_no_cites_who_may(town: Transaction) -> None:
    nobody = Actor("nobody", "office", town.tenant_id, articles={"fine": ("Lei 1/2000, art. 2",)})

    with pytest.raises(Forbidden, match=r"Lei 1/2000, art\. 2") as refusal:
        nobody.must("fine")

    assert (refusal.value.power, refusal.value.citations) == ("fine", ("Lei 1/2000, art. 2",))


async def test_an_appointment_is_an_act_and_needs_the_power(town: Transaction) -> None:
    maria = await actor_of(town, "maria")
    with pytest.raises(Forbidden):
        await appoint(town, maria, subject="maria", office="financas", since=TODAY)
    with pytest.raises(Invalid):
        await appoint(town, CLERK, subject="maria", office="unheard_of", since=TODAY)

    await appoint(town, CLERK, subject="maria", office="financas", since=TODAY)

    act = await town.one("SELECT verb, office, legal_day FROM act WHERE verb LIKE 'office.%'")
    assert tuple(act) == ("office.appointed", "operator", TODAY)


async def test_nobody_is_removed_from_an_office_not_held(town: Transaction) -> None:
    with pytest.raises(NotFound):
        await remove(town, CLERK, subject="maria", office="financas", on=TODAY)


async def test_people_of_the_register_are_holders_drivers_or_public(town: Transaction) -> None:
    permit = await make_permit(town)
    person: UUID = await town.scalar("SELECT person_id FROM holder WHERE id = :id", id=permit.holder_id)
    driver: UUID = await town.scalar(
        "WITH p AS (INSERT INTO person (tenant_id, cpf, name) VALUES (:tenant, '52998224725', 'Davi') RETURNING *) "
        "INSERT INTO driver (tenant_id, person_id) SELECT tenant_id, id FROM p RETURNING person_id"
    )
    await store.ensure(town, "ana", person_id=person)
    await store.ensure(town, "davi", person_id=driver)

    kinds = {subject: (await actor_of(town, subject)).kind for subject in ("ana", "davi", "someone")}

    assert kinds == {"ana": "holder", "davi": "driver", "someone": "public"}


def test_a_token_of_another_town_is_worth_nothing() -> None:
    ours, theirs = UUID(int=1), UUID(int=2)

    with pytest.raises(Forbidden):
        system(theirs).must_be_in(ours)

    operator("root").must_be_in(ours)


def test_the_operator_brings_towns_and_law_but_grants_nothing() -> None:
    root = operator("root")

    assert root.must("publish") == root.must_operate() == "operator"
    with pytest.raises(Forbidden):
        root.must("grant")
    with pytest.raises(Forbidden):
        system(UUID(int=1)).must_operate()


async def test_the_same_office_twice_is_a_conflict(town: Transaction) -> None:
    """Known from the database's own rule, so that two at once cannot either."""
    account = await store.ensure(town, "maria")
    act = await town.scalar("SELECT id FROM act LIMIT 1")
    await store.appoint(town, account, "financas", TODAY, act)

    with pytest.raises(Exception, match="appointment_once") as clash:
        await store.appoint(town, account, "financas", TODAY + timedelta(days=1), act)

    assert not isinstance(clash.value, Conflict)  # it becomes one where the transaction ends
