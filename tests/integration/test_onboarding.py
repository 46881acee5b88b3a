"""A town's law enters once and changes only by publications, in two times; what it would change can be seen before."""

from collections.abc import AsyncIterator
from datetime import date

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from services.access import Actor, actor_of
from services.database import Database, Transaction
from services.errors import Conflict, Forbidden, Invalid
from services.municipalities import store
from services.municipalities.preview import preview_amendment
from services.municipalities.publishing import PackInvalid, amend, choose_reading, onboard, supply_parameter
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, ReadingUsed
from tenants.law.facts import Facts
from tenants.law.questions import InfractionsQuestion, VehicleAgeQuestion
from tests.support.factories import BARRA, COTRIGUACU, OPERATOR, Maker, make_town, plan_of

# Barra's vehicle age goes from six to eight years.
EIGHT = """
[[vehicle_age]]
code = "idade_ingresso"
title = "Até oito anos"
cite = "Lei 9.001/2026, art. 1"
from = 2027-01-01
at = ["entry", "licence", "renewal", "transfer", "swap"]
limit = "8 years"
basis = ["first_registration", "manufacture_year_end"]
count = "days"
[[norm]]
label = "Lei 9.001/2026"
rank = "lei"
urn = "urn:lex:br;mato.grosso;barra.garcas:municipal:lei:2026-02-01;9001"
status = [{ is = "in_force", from = 2026-02-01 }]
"""
# Published after it and reaching back: seven years for 2025 and 2026.
SEVEN = (
    EIGHT.replace("Até oito anos", "Até sete anos")
    .replace("8 years", "7 years")
    .replace("from = 2027-01-01", "from = 2025-01-01\nuntil = 2026-12-31")
    .replace('in_force", from = 2026-02-01', 'in_force", from = 2025-01-01')
    .replace("9.001", "9.002")
    .replace(";9001", ";9002")
)
CAR_OF = date(2019, 6, 1)


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Transaction]:
    town = await make_town(own_database, BARRA)
    async with own_database.transaction(town) as tx:
        yield tx


async def age_on(tx: Transaction, day: date, known_at: date | None = None, car: date = CAR_OF) -> Decision:
    """May a car first registered on a day (in June 2019) enter as a taxi on another?"""
    law = await tx.law(on=day, known_at=known_at)
    facts = Facts.of({"vehicle.first_registration": car, "permit.granted_on": day}, law.vocabulary)
    return decide(law, VehicleAgeQuestion("taxi", "entry"), facts)


def all_readings(decision: Decision) -> list[ReadingUsed]:
    return list(dict.fromkeys([*decision.readings, *(r for part in decision.parts for r in part.readings)]))


async def limit_on(tx: Transaction, day: date, known_at: date | None = None) -> str:
    decision = await age_on(tx, day, known_at)
    return str(decision.value.limit.text)


async def publish(tx: Transaction, text: str, norm: str, official_on: date) -> store.Head:
    return await amend(tx, OPERATOR, text=text, norm=norm, official_on=official_on)


async def test_a_town_is_onboarded_once(own_database: Database) -> None:
    plan = plan_of(COTRIGUACU)
    await onboard(own_database, OPERATOR, text=plan.pack)

    with pytest.raises(Conflict):
        await onboard(own_database, OPERATOR, text=plan.pack)

    async with own_database.directory() as directory:
        assert [town.slug for town in await store.towns(directory)] == [COTRIGUACU]


async def test_the_ibge_code_is_one_town_s_too(own_database: Database) -> None:
    plan = plan_of(COTRIGUACU)
    await onboard(own_database, OPERATOR, text=plan.pack)
    other = plan.pack.replace('slug = "cotriguacu"', 'slug = "outra"').replace(
        'hosts = ["cotriguacu', 'hosts = ["outra'
    )

    with pytest.raises(Conflict):
        await onboard(own_database, OPERATOR, text=other)


async def test_a_host_is_one_town_s(own_database: Database) -> None:
    await onboard(own_database, OPERATOR, text=plan_of(COTRIGUACU).pack)
    thief = plan_of(BARRA).pack.replace("barra-do-garcas.praca.example", "cotriguacu.praca.example")

    with pytest.raises(Conflict, match=r"cotriguacu\.praca\.example"):
        await onboard(own_database, OPERATOR, text=thief)


async def test_only_the_platform_s_operator_onboards(own_database: Database) -> None:
    mayor = Actor("prefeito", "office", None, offices=("prefeito",), powers={"publish": "prefeito"})

    with pytest.raises(Forbidden):
        await onboard(own_database, mayor, text=plan_of(COTRIGUACU).pack)


async def test_a_pack_with_an_error_leaves_no_town_behind(own_database: Database) -> None:
    broken = plan_of(COTRIGUACU).pack.replace('length = "5 years"', 'length = "5 yeras"')

    with pytest.raises(PackInvalid) as refusal:
        await onboard(own_database, OPERATOR, text=broken)

    (problem,) = [each for each in refusal.value.problems if each.severity == "error"]
    assert broken.splitlines()[(problem.line or 0) - 1].startswith('length = "5 yeras"')
    async with own_database.directory() as directory:
        assert await store.towns(directory) == []


async def test_a_later_amendment_changes_no_earlier_answer(barra: Transaction) -> None:
    await publish(barra, EIGHT, "Lei 9.001/2026", date(2026, 2, 1))

    before, after = await age_on(barra, date(2026, 12, 31)), await age_on(barra, date(2027, 1, 1))

    assert (before.outcome, after.outcome) == (Outcome.DENIED, Outcome.ALLOWED)
    assert "Lei 9.001/2026, art. 1" in [str(citation) for citation in after.citations]
    assert await limit_on(barra, date(2026, 12, 31)) == "6 anos"
    assert await limit_on(barra, date(2027, 1, 1)) == "8 anos"


async def test_one_that_reaches_back_and_is_published_after_it_hides_nothing(barra: Transaction) -> None:
    await publish(barra, EIGHT, "Lei 9.001/2026", date(2026, 2, 1))
    await publish(barra, SEVEN, "Lei 9.002/2026", date(2026, 3, 1))

    days = [date(2024, 12, 31), date(2025, 1, 1), date(2026, 12, 31), date(2027, 1, 1), date(2030, 1, 1)]
    limits = [await limit_on(barra, day) for day in days]

    assert limits == ["6 anos", "7 anos", "7 anos", "8 anos", "8 anos"]


async def test_what_was_known_earlier_is_still_answered_as_then(barra: Transaction) -> None:
    await publish(barra, EIGHT, "Lei 9.001/2026", date(2026, 2, 1))
    await publish(barra, SEVEN, "Lei 9.002/2026", date(2026, 3, 1))
    day = date(2026, 6, 1)

    assert await limit_on(barra, day, known_at=date(2026, 2, 28)) == "6 anos"
    assert await limit_on(barra, day, known_at=date(2026, 3, 1)) == "7 anos"


async def test_an_amendment_is_not_published_before_its_official_day(barra: Transaction) -> None:
    with pytest.raises(Invalid) as refusal:
        await publish(barra, EIGHT, "Lei 9.001/2026", date(2026, 3, 11))

    assert (refusal.value.field, refusal.value.problem) == ("officialOn", "future")


async def test_an_amendment_with_an_error_publishes_nothing(barra: Transaction) -> None:
    head = await store.head(barra)

    with pytest.raises(PackInvalid) as refusal:
        await publish(barra, EIGHT.replace("8 years", "8 yeras"), "Lei 9.001/2026", date(2026, 2, 1))

    assert any(problem.line == 8 for problem in refusal.value.problems)
    assert await store.head(barra) == head


async def test_offices_without_the_power_publish_no_law(barra: Transaction) -> None:
    inspector = await actor_of(barra, "fiscal")

    with pytest.raises(Forbidden):
        await amend(barra, inspector, text=EIGHT, norm="Lei 9.001/2026", official_on=date(2026, 2, 1))
    with pytest.raises(Forbidden):
        await supply_parameter(barra, inspector, code="valor_ufir", value="2.00", source="Decreto 1/2026")
    with pytest.raises(Forbidden):
        await choose_reading(barra, inspector, code="arredondar", option="floor", why="Decreto 1/2026")


async def test_a_parameter_without_value_leaves_what_hangs_on_it_open(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU, samples=False)

    async with own_database.transaction(town) as tx:
        before = await fined(tx, "CO-40-V")
        await supply_parameter(tx, OPERATOR, code="valor_ufm", value="40.00", source="Decreto 7/2026")
        after = await fined(tx, "CO-40-V")

    assert (before.outcome, after.outcome) == (Outcome.UNDETERMINED, Outcome.VALUE)
    assert [missing.code for missing in before.missing] == ["valor_ufm"]
    assert "R$ 800,00" in after.message


async def fined(tx: Transaction, code: str) -> Decision:
    law = await tx.law(on=tx.today)
    question = InfractionsQuestion(codes=(code,), keys={"category": "taxi"})
    return decide(law, question, Facts.of({}, law.vocabulary))


async def test_a_value_of_a_year_ends_with_it(barra: Transaction) -> None:
    """Two values of one parameter, each for its days: the day of the fact decides."""
    await supply_parameter(
        barra,
        OPERATOR,
        code="valor_ufir",
        value="2.00",
        source="Decreto 1/2026",
        since=date(2026, 1, 1),
        until=date(2026, 2, 28),
    )

    values = [await unit_on(barra, day) for day in (date(2025, 12, 31), date(2026, 1, 1), date(2026, 3, 1))]

    assert values == ["R$ 31,92", "R$ 60,00", "R$ 31,92"]


async def unit_on(tx: Transaction, day: date) -> str:
    law = await tx.law(on=day)
    question = InfractionsQuestion(codes=("II-08",), keys={"category": "taxi"})
    return decide(law, question, Facts.of({}, law.vocabulary)).message.partition("(")[2].partition(")")[0]


async def test_what_nobody_asks_cannot_be_supplied(barra: Transaction) -> None:
    with pytest.raises(Invalid, match="valor_do_ouro"):
        await supply_parameter(barra, OPERATOR, code="valor_do_ouro", value="1", source="Decreto 1/2026")


async def test_a_chosen_reading_answers_from_its_day_on_and_says_so(barra: Transaction) -> None:
    """Whether a car still serves on its sixth anniversary."""
    await choose_reading(
        barra, OPERATOR, code="seis_anos", option="vespera", why="Decreto 2/2026", since=date(2026, 1, 1)
    )

    before, after = await age_on(barra, date(2025, 6, 1)), await age_on(barra, date(2026, 6, 1), car=date(2020, 6, 1))

    assert (before.outcome, after.outcome) == (Outcome.ALLOWED, Outcome.DENIED)
    read = [(used.option, used.chosen) for used in all_readings(after) if used.code == "seis_anos"]
    assert read == [("vespera", True)]


async def test_a_reading_knows_its_options(barra: Transaction) -> None:
    with pytest.raises(Invalid, match="ceil, floor"):
        await choose_reading(barra, OPERATOR, code="arredondar", option="round", why="Decreto 2/2026")


async def test_a_preview_names_who_would_fall_out_and_writes_nothing(barra: Transaction) -> None:
    maker = await Maker.of(barra)
    old = await maker.permit(date(2022, 3, 1), aged=(0, 0))
    await maker.permit(date(2026, 3, 1), aged=(0, 0))
    head = await store.head(barra)
    stricter = EIGHT.replace("8 years", "3 years").replace("from = 2027-01-01", "from = 2026-03-05")

    preview = await preview_amendment(
        barra,
        OPERATOR,
        text=stricter,
        norm="Lei 9.001/2026",
        official_on=date(2026, 2, 1),
        on=date(2026, 3, 10),
    )

    assert preview.looked_at == 2
    assert [(changed.number, changed.falls_out) for changed in preview.changed] == [(old.number, True)]
    assert await store.head(barra) == head


@pytest.mark.parametrize("table", ["publication", "law_item"])
@pytest.mark.parametrize("change", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}", "TRUNCATE {}"])
async def test_the_application_cannot_rewrite_the_law(own_database: Database, table: str, change: str) -> None:
    town = await make_town(own_database, COTRIGUACU, samples=False)

    with pytest.raises(DBAPIError, match="permission denied"):
        async with own_database.transaction(town) as tx:
            await (await tx.session.connection()).execute(text(change.format(table)))
