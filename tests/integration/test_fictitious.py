"""The fictitious register: every state of every thing, the same every time, made once, and never in a real town."""

import uuid
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from deploy.fictitious.load import load, load_all, supply
from deploy.fictitious.plan import plans
from services.clock import FixedClock
from services.database import Database
from services.errors import Invalid
from services.municipalities.publishing import onboard
from services.permits.eligibility import eligibility
from services.registry import identity
from tenants.law.decision import Outcome
from tests.conftest import NOW, settings_of
from tests.support.factories import BARRA, COTRIGUACU, OPERATOR, cohort_of, plan_of
from tests.support.servers import Servers

STATES = "SELECT state(it, CAST(:day AS date)) AS state, count(*) AS many FROM {table} AS it GROUP BY 1"
CONTENT = """
SELECT 'person', cpf, name, CAST(birth_on AS text), CAST(attributes AS text) FROM person
UNION ALL SELECT 'company', cnpj, name, email, CAST(attributes AS text) FROM company
UNION ALL SELECT 'driver', cnh_number, CAST(cnh_until AS text), CAST(review AS text), CAST(version AS text) FROM driver
UNION ALL SELECT 'vehicle', plate, renavam, CAST(first_registration AS text), fuel FROM vehicle
UNION ALL SELECT 'paper', code, subject_kind, CAST(issued_on AS text), number FROM paper
UNION ALL SELECT 'permit', number, category, CAST(during AS text), ended_cause FROM permit
UNION ALL SELECT 'licence', number, CAST(during AS text), CAST(fee_brl AS text), fee_unit FROM licence
UNION ALL SELECT 'fine', number, infraction, CAST(seen_on AS text), CAST(brl AS text) FROM fine
UNION ALL SELECT 'deadline', rule, CAST(opened_on AS text), CAST(last_day AS text), state FROM deadline
"""


async def empty(servers: Servers) -> Database:
    name = f"fictitious_{uuid.uuid4().hex}"
    return Database(settings_of(servers, await servers.clone(name), 0), FixedClock(NOW))


@pytest.fixture(scope="module")
async def loaded(servers: Servers) -> AsyncIterator[tuple[Database, dict[str, UUID]]]:
    """Both towns, once for this file."""
    database = await empty(servers)
    try:
        towns = await load_all(database, lambda message: None)
        yield database, {town.town.slug: town.town.id for town in towns}
    finally:
        await database.close()


async def states(database: Database, town: UUID, table: str) -> dict[str, int]:
    async with database.reader(town) as tx:
        return {row.state: row.many for row in await tx.rows(STATES.format(table=table), day=tx.today)}


async def content(database: Database, town: UUID) -> Counter[tuple[Any, ...]]:
    """Everything that a person would call the register, without the ids that the database gives."""
    async with database.reader(town) as tx:
        return Counter(tuple(row) for row in await tx.rows(CONTENT))


@pytest.mark.parametrize("slug", [BARRA, COTRIGUACU])
async def test_permits_are_active_and_ended_as_the_plan_tells(loaded: Any, slug: str) -> None:
    database, towns = loaded
    granted = sum(cohort.count for cohort in plan_of(slug).cohort if cohort.granted)

    found = await states(database, towns[slug], "permit")

    assert set(found) == {"active", "ended"}
    assert sum(found.values()) == granted


@pytest.mark.parametrize("slug", [BARRA, COTRIGUACU])
async def test_licences_and_terms_are_in_every_state(loaded: Any, slug: str) -> None:
    database, towns = loaded

    assert {"active", "expired"} <= set(await states(database, towns[slug], "licence"))
    assert {"open", "met", "expired"} <= set(await states(database, towns[slug], "deadline"))


async def test_some_licences_begin_later_and_some_end_within_a_month(loaded: Any) -> None:
    database, towns = loaded
    ending = (
        "SELECT count(*) FROM licence WHERE upper(during) - 1 BETWEEN CAST(:day AS date) AND CAST(:day AS date) + 30"
    )

    async with database.reader(towns[BARRA]) as tx:
        soon = await tx.scalar(ending, day=tx.today)

    assert soon >= 10
    assert (await states(database, towns[BARRA], "licence"))["future"] == 4


async def test_a_list_of_permits_needs_more_than_one_page(loaded: Any) -> None:
    database, towns = loaded

    assert sum((await states(database, towns[BARRA], "permit")).values()) > 100


async def test_stands_and_quota_hold(loaded: Any) -> None:
    """Six slots at four stands, one of them free; at most 47 taxis."""
    database, towns = loaded
    taken = "SELECT count(*) FROM stand_assignment WHERE during @> CAST(:day AS date)"
    taxis = "SELECT count(*) FROM permit WHERE category = 'taxi' AND during @> CAST(:day AS date)"

    async with database.reader(towns[COTRIGUACU]) as tx:
        assert await tx.scalar(taken, day=tx.today) == 5
    async with database.reader(towns[BARRA]) as tx:
        assert 40 <= await tx.scalar(taxis, day=tx.today) < 47


@pytest.mark.parametrize("slug", [BARRA, COTRIGUACU])
async def test_numbers_pass_their_checks_and_nobody_has_a_real_address(loaded: Any, slug: str) -> None:
    database, towns = loaded

    async with database.reader(towns[slug]) as tx:
        people = await tx.rows("SELECT cpf, email FROM person")
        companies = await tx.rows("SELECT cnpj, email FROM company")
        plates = await tx.rows("SELECT plate, renavam FROM vehicle")

    assert all(identity.cpf(row.cpf) == row.cpf for row in people)
    assert all(identity.cnpj(row.cnpj) == row.cnpj for row in companies)
    assert {row.cnpj.isdigit() for row in companies} == {True, False}, "both forms of the CNPJ"
    assert all(identity.renavam(row.renavam) == row.renavam for row in plates)
    assert {row.plate[4].isdigit() for row in plates} == {True, False}, "both forms of the plate"
    assert all(row.email.endswith("@example.org") for row in (*people, *companies))


@pytest.mark.parametrize("slug", [BARRA, COTRIGUACU])
async def test_a_failing_cnh_waits_for_review(loaded: Any, slug: str) -> None:
    database, towns = loaded
    wrong = sum(cohort.count for cohort in plan_of(slug).cohort if cohort.review)

    async with database.reader(towns[slug]) as tx:
        reviewed = await tx.scalar("SELECT count(*) FROM driver WHERE review = ARRAY['cnh.check_digits']")

    assert reviewed == wrong > 0


@pytest.mark.parametrize(
    ("slug", "cohort", "outcome"),
    [
        (COTRIGUACU, "candidatos", Outcome.ALLOWED),
        (COTRIGUACU, "sem_papeis", Outcome.UNPROVEN),
        (COTRIGUACU, "carro_velho", Outcome.DENIED),
        (COTRIGUACU, "outra_renda", Outcome.DENIED),
        (COTRIGUACU, "categoria_b", Outcome.DENIED),
        (BARRA, "candidatos_sem_provas", Outcome.UNPROVEN),
        (BARRA, "candidatos_com_vinculo", Outcome.DENIED),
        (BARRA, "candidatos_parentes", Outcome.DENIED),
        (BARRA, "candidatos_carro_velho", Outcome.DENIED),
    ],
)
async def test_candidates_are_what_their_story_says(loaded: Any, slug: str, cohort: str, outcome: Outcome) -> None:
    """By the candidates' numbers, which stand at the end of their e-mails."""
    database, towns = loaded
    plan, story = plan_of(slug), cohort_of(slug, cohort)
    before = plan.cohort[: plan.cohort.index(story)]
    first = 1 + sum(each.count for each in before)
    numbers = [f"%.{number}@example.org" for number in range(first, first + story.count)]
    pairs = (
        "SELECT h.id AS holder, v.id AS vehicle FROM person AS p JOIN holder AS h ON h.person_id = p.id "
        "JOIN vehicle AS v ON v.holder_id = h.id WHERE p.email LIKE ANY(CAST(:numbers AS text[]))"
    )

    async with database.reader(towns[slug]) as tx:
        found = [
            (await eligibility(tx, category=story.category, holder_id=row.holder, vehicle_id=row.vehicle)).outcome
            for row in await tx.rows(pairs, numbers=numbers)
        ]

    assert found == [outcome] * story.count


async def test_a_second_load_changes_nothing(loaded: Any) -> None:
    database, towns = loaded
    before = {slug: await content(database, town) for slug, town in towns.items()}
    acts = "SELECT count(*) FROM act"
    async with database.reader(towns[BARRA]) as tx:
        recorded = await tx.scalar(acts)

    again = await load_all(database, lambda message: pytest.fail(f"something was made: {message}"))

    assert {town.town.id for town in again} == set(towns.values())
    assert {slug: await content(database, town) for slug, town in towns.items()} == before
    async with database.reader(towns[BARRA]) as tx:
        assert await tx.scalar(acts) == recorded


async def test_it_is_the_same_every_time_also_when_it_was_cut_short(loaded: Any, servers: Servers) -> None:
    database, towns = loaded
    plan = plan_of(COTRIGUACU)
    other = await empty(servers)

    try:
        await load(other, plan.model_copy(update={"cohort": plan.cohort[:3]}), lambda message: None)
        town = (await load(other, plan, lambda message: None)).town.id

        assert await content(other, town) == await content(database, towns[COTRIGUACU])
    finally:
        await other.close()


async def test_a_town_that_is_meant_is_left_alone(own_database: Database) -> None:
    plan = plan_of(COTRIGUACU)
    town = await onboard(own_database, OPERATOR, text=plan.pack)

    await load(own_database, plan, lambda message: None)

    async with own_database.reader(town.id) as tx:
        assert await tx.scalar("SELECT count(*) FROM person") == 0
        assert await tx.scalar("SELECT count(*) FROM publication") == 1


async def test_a_sample_value_is_refused_where_the_town_is_meant(own_database: Database) -> None:
    plan = plan_of(BARRA)
    town = await onboard(own_database, OPERATOR, text=plan.pack)

    with pytest.raises(Invalid, match="valor_ufir") as refusal:
        async with own_database.transaction(town.id) as tx:
            await supply(tx, plan=plan)

    assert refusal.value.problem == "sample"


def test_every_plan_has_its_pack_and_its_samples() -> None:
    assert [plan.slug for plan in plans()] == [BARRA, COTRIGUACU]
    for plan in plans():
        assert f'slug = "{plan.slug}"' in plan.pack
        assert "sample = true" in plan.samples


INSPECTED = """
SELECT i.rule, i.passed, i.inspected_on, i.due_on < CAST(:day AS date) AS overdue,
       i.cure_until >= CAST(:day AS date) AS mending
FROM inspection AS i WHERE i.inspected_on IS NOT NULL
"""


async def inspections(database: Database, town: UUID) -> Counter[tuple[bool, str]]:
    async with database.reader(town) as tx:
        rows = await tx.rows(INSPECTED, day=tx.today)
    return Counter((row.passed, "overdue" if row.overdue else "mending" if row.mending else "") for row in rows)


async def test_inspections_have_passed_and_failed_and_some_are_overdue(loaded: Any) -> None:
    database, towns = loaded

    barra, cotriguacu = [await inspections(database, towns[slug]) for slug in (BARRA, COTRIGUACU)]

    assert set(barra) == {(True, ""), (True, "overdue"), (False, "")}
    assert set(cotriguacu) == {(True, ""), (False, "mending")}
