"""Tariffs under the founding laws: asked for with a cost sheet, heard upon, decreed; a ride goes by its own day's."""

from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from services.access import Actor
from services.database import Database, Transaction
from services.errors import Conflict, Forbidden, Invalid, Refused
from services.municipalities.publishing import PackInvalid
from services.nights import night
from services.registry.facts import facts
from services.tariffs import asking, reviewing, store
from services.tariffs.setting import set_tariff
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.tariffs import Tariff
from tenants.law.questions import FareQuestion
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town

TODAY = date(2026, 3, 10)
FLAG = {"code": "bandeirada", "brl": Decimal("5.00")}
KM = {"code": "km", "brl": Decimal("3.00"), "times": "ride.metres", "per": Decimal(1000)}
TABLE: dict[str, Any] = {"code": "comum", "title": "Tarifa comum", "components": [FLAG, KM]}
DECREE: dict[str, Any] = {"norm": "Decreto 20/2026", "official_on": TODAY}
SHEET = {"lines": [{"item": "Combustível", "brl": Decimal("2100.50")}, {"item": "Pneus", "brl": Decimal("149.50")}]}
WANTED = {
    BARRA: [("heard", "comissao_tarifas"), ("heard", "financas"), ("papers", "estudo_custos"), ("approved", "camara")],
    COTRIGUACU: [("heard", "permissionarios"), ("papers", "planilha_de_custos")],
}


@pytest.fixture
async def barra(own_database: Database) -> AsyncIterator[Maker]:
    async with own_database.transaction(await make_town(own_database, BARRA)) as tx:
        yield await Maker.of(tx)


@pytest.fixture
async def cotriguacu(own_database: Database) -> AsyncIterator[Maker]:
    async with own_database.transaction(await make_town(own_database, COTRIGUACU)) as tx:
        yield await Maker.of(tx)


def mayor(make: Maker) -> Actor:
    return make.offices.who("tariff")


async def opened(make: Maker, **given: Any) -> UUID:
    return await reviewing.open_review(make.tx, mayor(make), category="taxi", **given)


async def ready(make: Maker, *, without: str = "") -> UUID:
    """A review for which all has been done that the law wants, but for one thing."""
    review = await opened(make)
    for what, code in WANTED[make.plan.slug]:
        if code != without:
            step: Any = {"what": what, "code": code, "source": f"Ata sobre {code}"}
            await reviewing.record_step(make.tx, make.offices.who("register"), tariff_review_id=review, **step)
    return review


async def decreed(make: Maker, *tables: dict[str, Any], **given: Any) -> UUID:
    given = {**DECREE, "tables": tables or [TABLE], **given}
    return await set_tariff(make.tx, mayor(make), tariff_review_id=await ready(make), **given)


async def fare(tx: Transaction, starts: str, /, **ride: Any) -> Decision:
    moment = datetime.fromisoformat(starts)
    law = await tx.law(on=moment.date())
    known = {f"ride.{name}": value for name, value in ride.items()}
    return decide(law, FareQuestion("taxi", moment), facts(law, known))


async def total(tx: Transaction, starts: str, /, **ride: Any) -> Decimal:
    decision = await fare(tx, starts, **ride)
    assert decision.value, decision.message
    return Decimal(decision.value.total)


@pytest.mark.parametrize(
    ("starts", "reais"), [("21:59", "20.00"), ("22:00", "26.00"), ("05:59", "26.00"), ("06:00", "20.00")]
)
async def test_t06_by_the_decreed_table(cotriguacu: Maker, starts: str, reais: str) -> None:
    """Five kilometres are 20 reais by day; the law's own surcharge comes on top at night."""
    await decreed(cotriguacu)

    decision = await fare(cotriguacu.tx, f"2026-03-12T{starts}", metres=5000)

    assert decision.value.total == Decimal(reais)
    assert {"Lei 624/2009, art. 25", "Lei 624/2009, art. 25, § ún."} >= {
        str(cited) for cited in decision.citations if "25" in str(cited)
    }
    assert "Decreto 20/2026" in {rule.publication for rule in decision.rules}


async def test_a_ride_goes_by_the_table_of_its_own_day(cotriguacu: Maker) -> None:
    await decreed(cotriguacu)
    dearer = {**TABLE, "components": [{**FLAG, "brl": Decimal("8.00")}, KM], "minimum": Decimal("15.00")}
    await decreed(cotriguacu, dearer, norm="Decreto 30/2026", since=date(2026, 5, 1))

    days = [await total(cotriguacu.tx, f"{day}T12:00", metres=5000) for day in ("2026-04-30", "2026-05-01")]

    assert days == [Decimal("20.00"), Decimal("23.00")]
    assert await total(cotriguacu.tx, "2026-05-01T12:00", metres=1000) == Decimal("15.00"), "the minimum"
    before = await fare(cotriguacu.tx, "2026-03-09T12:00", metres=5000)
    assert before.value is None, "there was no table yet"


async def test_a_new_table_ends_the_ones_before_it(cotriguacu: Maker) -> None:
    other = {"code": "rural", "title": "Tarifa rural", "components": [{**FLAG, "brl": Decimal("9.00")}]}
    await decreed(cotriguacu, TABLE, other)
    await decreed(cotriguacu, {**TABLE, "code": "unica"}, norm="Decreto 30/2026", since=date(2026, 5, 1))

    codes = []
    for day in (date(2026, 4, 30), date(2026, 5, 1)):
        law = await cotriguacu.tx.law(on=day)
        codes.append({item.code for _, item in law.all(Tariff)})
    assert codes == [{"noturna", "comum", "rural"}, {"noturna", "unica"}]
    assert await total(cotriguacu.tx, "2026-05-01T12:00", metres=5000) == Decimal("20.00")


async def test_zones_have_tables_of_their_own(cotriguacu: Maker) -> None:
    areas = [{"code": "sede", "title": "Sede"}, {"code": "interior", "title": "Interior"}]
    town = {**TABLE, "from_area": "sede", "to_area": "sede"}
    out = {"code": "para_fora", "title": "Para o interior", "components": [{**KM, "brl": Decimal("4.00")}]}
    await decreed(cotriguacu, town, {**out, "to_area": "interior"}, areas=areas)

    inside = await total(cotriguacu.tx, "2026-03-12T12:00", metres=5000, from_area="sede", to_area="sede")
    outside = await total(cotriguacu.tx, "2026-03-12T12:00", metres=5000, from_area="sede", to_area="interior")

    assert (inside, outside) == (Decimal("20.00"), Decimal("20.00"))
    unsaid = await fare(cotriguacu.tx, "2026-03-12T12:00", metres=5000)
    assert {missing.code for missing in unsaid.missing} == {"ride.from_area", "ride.to_area"}


@pytest.mark.parametrize(("town", "without"), [(town, code) for town, steps in WANTED.items() for _, code in steps])
async def test_a_table_waits_for_all_that_the_law_wants_before_it(
    own_database: Database, town: str, without: str
) -> None:
    async with own_database.transaction(await make_town(own_database, town)) as tx:
        make = await Maker.of(tx)
        review = await ready(make, without=without)
        with pytest.raises(Refused) as no:
            await set_tariff(tx, mayor(make), tariff_review_id=review, **DECREE, tables=[TABLE])

        assert [missing.code.rpartition(".")[2] for missing in no.value.decision.missing] == [without]
        assert [item.code for _, item in (await tx.law(on=TODAY)).all(Tariff)] == (
            ["noturna"] if town == COTRIGUACU else []
        )


async def test_a_surcharge_comes_by_law_where_the_law_says_so(barra: Maker) -> None:
    night_rate = {"code": "noite", "title": "Noturna", "add": "20%", "hours": "22:00-06:00"}
    review = await ready(barra)
    with pytest.raises(Refused, match="só por lei"):
        await set_tariff(barra.tx, mayor(barra), tariff_review_id=review, **DECREE, tables=[TABLE, night_rate])

    by_law = {**DECREE, "norm": "Lei 5.000/2026", "by_law": True, "tables": [TABLE, night_rate]}
    await set_tariff(barra.tx, mayor(barra), tariff_review_id=review, **by_law)

    assert await total(barra.tx, "2026-03-12T23:00", metres=5000) == Decimal("24.00")


async def test_the_office_that_sets_tariffs_is_the_law_s(cotriguacu: Maker) -> None:
    review = await ready(cotriguacu)

    with pytest.raises(Forbidden) as no:
        await set_tariff(
            cotriguacu.tx, cotriguacu.offices.who("register"), tariff_review_id=review, **DECREE, tables=[TABLE]
        )
    assert "Lei 624/2009, art. 25" in no.value.citations


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tables": []}, "seu próprio código"),
        ({"tables": [TABLE, TABLE]}, "seu próprio código"),
        ({"tables": [{**TABLE, "code": "Tarifa Comum"}]}, "não é um código"),
        ({"tables": [{**TABLE, "code": "noturna"}]}, "regras da própria lei: noturna"),
        ({"tables": [{**TABLE, "components": [{**FLAG, "brl": Decimal(-1)}]}]}, "não é negativo"),
        ({"tables": [{**TABLE, "from_area": "x' || true"}]}, "não é um código"),
        ({"since": date(2026, 3, 9), "tables": [TABLE]}, "antes da sua publicação"),
        ({"official_on": date(2026, 3, 11), "tables": [TABLE]}, "ainda não chegou"),
    ],
)
async def test_what_is_no_table_is_told(cotriguacu: Maker, changes: dict[str, Any], says: str) -> None:
    review = await ready(cotriguacu)

    with pytest.raises(Invalid, match=says):
        await set_tariff(cotriguacu.tx, mayor(cotriguacu), tariff_review_id=review, **{**DECREE, **changes})


async def test_a_table_that_is_no_law_is_refused(cotriguacu: Maker) -> None:
    review = await ready(cotriguacu)
    by_weight = {**TABLE, "components": [{**KM, "times": "ride.weight"}]}

    with pytest.raises(PackInvalid, match=r"ride\.weight"):
        await set_tariff(cotriguacu.tx, mayor(cotriguacu), tariff_review_id=review, **DECREE, tables=[by_weight])
    with pytest.raises(PackInvalid):
        await set_tariff(
            cotriguacu.tx,
            mayor(cotriguacu),
            tariff_review_id=review,
            **DECREE,
            tables=[{**TABLE, "to_area": "nenhures"}],
        )


async def holder_of(make: Maker) -> tuple[Actor, UUID]:
    permit = await make.permit(date(2026, 3, 1), stand="1")
    person = await make.tx.scalar("SELECT person_id FROM holder WHERE id = :id", id=permit.holder_id)
    return Actor(subject="ana", kind="holder", tenant_id=make.tx.tenant_id, person_id=person), permit.holder_id


async def test_a_holder_asks_with_a_cost_sheet_that_is_the_paper_the_law_wants(cotriguacu: Maker) -> None:
    ana, holder = await holder_of(cotriguacu)
    sheet = {**SHEET, "km": Decimal(3000), "asked": "4,00 por km", "paper": "planilha_de_custos"}

    review = await reviewing.open_review(cotriguacu.tx, ana, category="taxi", sheet=sheet)

    row = await store.review(cotriguacu.tx, review)
    assert (row.because, row.holder_id, row.requested_on) == ("request", holder, TODAY)
    assert (row.sheet["total"], row.sheet["perKm"]) == ("2250.00", "0.75")
    assert [(s.what, s.code) for s in await store.steps(cotriguacu.tx, [review])] == [("papers", "planilha_de_custos")]
    hearing: Any = {"what": "heard", "code": "permissionarios", "source": "Ata"}
    await reviewing.record_step(cotriguacu.tx, cotriguacu.offices.who("register"), tariff_review_id=review, **hearing)
    await set_tariff(cotriguacu.tx, mayor(cotriguacu), tariff_review_id=review, **DECREE, tables=[TABLE])
    assert (await store.review(cotriguacu.tx, review)).granted is True


async def test_nobody_asks_decides_or_proves_on_a_day_to_come(cotriguacu: Maker) -> None:
    ana, _ = await holder_of(cotriguacu)
    sheet = {**SHEET, "km": Decimal(3000), "asked": "4,00 por km", "paper": "planilha_de_custos"}
    ahead = TODAY + timedelta(days=1)

    with pytest.raises(Invalid):
        await reviewing.open_review(cotriguacu.tx, ana, category="taxi", sheet=sheet, requested_on=ahead)
    review = await reviewing.open_review(cotriguacu.tx, ana, category="taxi", sheet=sheet)
    hearing: Any = {"what": "heard", "code": "permissionarios", "source": "Ata"}
    with pytest.raises(Invalid):
        await reviewing.record_step(
            cotriguacu.tx, cotriguacu.offices.who("register"), tariff_review_id=review, on=ahead, **hearing
        )
    with pytest.raises(Invalid):
        await reviewing.refuse_review(
            cotriguacu.tx, mayor(cotriguacu), tariff_review_id=review, why="Sem razão.", on=ahead
        )


async def test_nobody_else_asks_in_a_holder_s_name(cotriguacu: Maker) -> None:
    _, holder = await holder_of(cotriguacu)
    other = await cotriguacu.holder("pessoa_fisica")
    stranger = Actor(subject="bia", kind="public", tenant_id=cotriguacu.tx.tenant_id, person_id=UUID(int=1))

    with pytest.raises(Forbidden):
        await reviewing.open_review(cotriguacu.tx, stranger, category="taxi", holder_id=holder)
    with pytest.raises(Invalid, match="outorga vigente"):
        await reviewing.open_review(
            cotriguacu.tx, cotriguacu.offices.who("register"), category="taxi", holder_id=other.id
        )
    entered = await reviewing.open_review(
        cotriguacu.tx, cotriguacu.offices.who("register"), category="taxi", holder_id=holder
    )
    assert (await store.review(cotriguacu.tx, entered)).holder_id == holder


@pytest.mark.parametrize(
    "sheet", [{"lines": []}, {"lines": [{"item": " ", "brl": Decimal(1)}]}, {**SHEET, "km": Decimal(0)}]
)
async def test_a_sheet_adds_up_or_is_none(cotriguacu: Maker, sheet: dict[str, Any]) -> None:
    with pytest.raises(Invalid, match=r"planilha|quilometragem"):
        await opened(cotriguacu, sheet=sheet)


async def test_only_what_the_law_asks_for_is_recorded_and_once(barra: Maker) -> None:
    review = await opened(barra)
    clerk = barra.offices.who("register")
    step: Any = {"what": "heard", "code": "comissao_tarifas", "source": "Ata"}
    await reviewing.record_step(barra.tx, clerk, tariff_review_id=review, **step)

    with pytest.raises(Invalid, match="Já consta"):
        await reviewing.record_step(barra.tx, clerk, tariff_review_id=review, **step)
    with pytest.raises(Invalid, match="A lei pede: comissao_tarifas, financas"):
        await reviewing.record_step(barra.tx, clerk, tariff_review_id=review, **{**step, "code": "permissionarios"})


async def test_a_law_without_tariffs_does_not_provide_their_review(barra: Maker) -> None:
    with pytest.raises(Refused, match="A lei deste município não prevê fixação de tarifas"):
        await reviewing.open_review(barra.tx, mayor(barra), category="escolar")
    with pytest.raises(Refused, match="Só se reveem as tarifas por: cost, request"):
        await opened(barra, because="vontade")


async def terms_of(make: Maker) -> list[tuple[str, date, str]]:
    sql = (
        "SELECT rule, last_day, state(d, CAST(:day AS date)) AS state FROM deadline AS d "
        "WHERE subject_kind = 'tariff' ORDER BY id"
    )
    return [(row.rule, row.last_day, row.state) for row in await make.tx.rows(sql, day=make.tx.today)]


async def test_a_table_is_reviewed_within_the_year(cotriguacu: Maker) -> None:
    await decreed(cotriguacu)
    assert await terms_of(cotriguacu) == [("revisao_tarifas", date(2027, 3, 10), "open")]
    law = await cotriguacu.tx.law(on=TODAY)
    due = asking.review_due(law, await store.tariff(cotriguacu.tx, "taxi"), "taxi")
    assert due.value.due_on == date(2027, 3, 10)

    review = await opened(cotriguacu)
    await reviewing.refuse_review(cotriguacu.tx, mayor(cotriguacu), tariff_review_id=review, why="custos estáveis")

    assert await terms_of(cotriguacu) == [
        ("revisao_tarifas", date(2027, 3, 10), "met"),
        ("nova_revisao_tarifas", date(2027, 3, 10), "open"),
    ]
    with pytest.raises(Conflict, match="já foi decidido"):
        await set_tariff(cotriguacu.tx, mayor(cotriguacu), tariff_review_id=review, **DECREE, tables=[TABLE])


async def test_where_the_law_sets_no_term_none_runs(barra: Maker) -> None:
    await decreed(barra)

    assert await terms_of(barra) == []
    assert await total(barra.tx, "2026-03-12T23:00", metres=5000) == Decimal("20.00"), "and nothing is added at night"


async def test_whoever_asked_last_is_reminded_of_the_next_review(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        ana, _ = await holder_of(make)
        await reviewing.open_review(tx, ana, category="taxi", sheet=SHEET)
        await decreed(make)
    own_database.clock.at += timedelta(days=320)  # type: ignore[attr-defined]

    await night(own_database, [town])

    async with own_database.reader(town) as reader:
        told = await reader.rows("SELECT lead, state FROM notice WHERE subject_kind = 'tariff'")
    assert [(row.lead, row.state) for row in told] == [("60 days", "queued")]


async def test_of_two_who_decide_at_once_one_is_told(own_database: Database) -> None:
    town = await make_town(own_database, COTRIGUACU)
    async with own_database.transaction(town) as tx:
        make = await Maker.of(tx)
        review = await ready(make)
        version = (await store.review(tx, review)).version
    given = {**DECREE, "tables": [TABLE], "tariff_review_id": review, "version": version}

    async def decide_it(tx: Transaction) -> UUID:
        return await set_tariff(tx, mayor(make), **given)

    await own_database.perform(town, decide_it)
    with pytest.raises(Conflict) as no:
        await own_database.perform(town, decide_it)

    assert (no.value.expected, no.value.actual) == (1, 2)
