"""What a publication changes of the terms of vehicles, papers and substitutes: as previewed, each by its act, once."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import UUID

from services.database import Database
from services.fleet.extending import extend_vehicle
from services.inspections.recording import record_inspection
from services.municipalities import store as publications
from services.permits.granting import grant_permit
from services.permits.substitutes.admitting import admit_substitute
from services.permits.substitutes.standing_in import admit_stand_in
from services.recomputing import store
from services.recomputing.previewing import preview_recomputation
from services.recomputing.running import recompute
from services.registry.papers import file_paper
from tests.support.factories import BARRA, COTRIGUACU, OPERATOR, Maker, officer
from tests.support.proceedings import Docket

TODAY = date(2026, 3, 10)
INSPECTION = """
[[inspection]]
code = "vistoria"
title = "Vistoria técnica"
cite = ["art. 29, III", "art. 9"]
applies = {{ category = "taxi" }}
every = "{every}"
cure = "{cure}"
counting = "prazo"
by = "fiscalizacao"
missed = "CO-29-III"
"""
STAY = """
[[vehicle_age]]
code = "idade_permanencia"
title = "Troca do veículo"
cite = "art. 20"
at = ["stay"]
limit = "{limit}"
basis = ["manufacture_year_end"]
count = "days"
extend = [{{ add = "6 months", at = ["stay"], needs = "avaliacao", cite = "art. 20" }}]
late = "II-21"
"""
PAPER = """
[[requirement]]
code = "{code}"
title = "Atestado de sanidade"
cite = "{cite}"
of = "driver"
at = ["always"]
paper = "atestado_medico"
valid_for = "{valid_for}"
"""
SUBSTITUTE = """
[[substitute]]
code = "invalidez"
title = "Outro condutor enquanto durar a invalidez"
cite = "art. 14, § 2"
applies = {{ category = "taxi", holder = "pessoa_fisica" }}
ends = {ends}
"""
STAND_IN = """
[[crew]]
code = "espolio"
title = "Condutor registrado pelo espólio"
cite = "art. 14, V"
applies = {{ category = "taxi", holder = "pessoa_fisica" }}
role = "espolio"
in_stead = true
must = "driver.registered"
lasts = {lasts}
"""


async def town(database: Database, slug: str) -> tuple[Docket, Any, UUID]:
    """A town, a permit of this day and its vehicle."""
    docket = await Docket.of(database, slug)
    docket.at(TODAY)
    permit = await docket.permit(TODAY)
    (row,) = await docket.rows("SELECT vehicle_id FROM permit_vehicle WHERE tenant_id = :tenant")
    return docket, permit, row.vehicle_id


async def inspected(docket: Docket, vehicle: UUID, **given: Any) -> None:
    carried = ["extintor", "caixa_luminosa", "cintos", "encostos", "estepe"]
    await docket.do(record_inspection, "fiscalizacao", vehicle_id=vehicle, rule="vistoria", carried=carried, **given)


async def filed(docket: Docket, subject: UUID, code: str, *, issued_on: date) -> None:
    async with docket.database.transaction(docket.town) as tx:
        await file_paper(tx, await officer(tx, "register"), subject_id=subject, code=code, issued_on=issued_on)


async def recounted(docket: Docket, *, asked: bool = False) -> list[tuple[str, UUID, str, str]]:
    """What the latest publication changes: previewed, carried out, all of it by acts, and then nothing more.

    Args:
        asked: A worker has been asked to already, as of every holiday.
    """
    async with docket.database.reader(docket.town) as tx:
        head = await publications.head(tx)
        assert head is not None
        seen = await preview_recomputation(tx, OPERATOR, publication_id=head.id)
    old = await days(docket)
    if not asked:
        await docket.do(recompute, "prefeito", publication_id=head.id)
    await docket.work()
    new = await days(docket)
    async with docket.database.reader(docket.town) as tx:
        assert (await preview_recomputation(tx, OPERATOR, publication_id=head.id)).count("term") == 0
    told = await docket.rows("SELECT subject_id FROM act WHERE tenant_id = :tenant AND verb = 'deadline.recomputed'")
    moved = {id: (old[id], new[id]) for id in new if old[id] != new[id]}
    terms = [each for each in seen.changes if each.what == "term"]
    assert {each.subject_id: (each.before, each.after) for each in terms} == moved
    assert set(moved) <= {row.subject_id for row in told}
    return sorted((each.shown, each.subject_id, each.before, each.after) for each in terms)


async def days(docket: Docket) -> dict[UUID, str]:
    rows = await docket.rows("SELECT id, last_day FROM deadline WHERE tenant_id = :tenant")
    return {row.id: row.last_day.isoformat() for row in rows}


def shown(changes: list[tuple[str, UUID, str, str]]) -> list[tuple[str, str, str]]:
    return [(kind, before, after) for kind, _, before, after in changes]


async def test_the_next_inspection_is_due_as_the_law_of_its_day_now_says(own_database: Database) -> None:
    docket, _, vehicle = await town(own_database, COTRIGUACU)
    await inspected(docket, vehicle)
    term = (await docket.terms("vehicle", vehicle))["vistoria"]
    await docket.amend(INSPECTION.format(every="6 months", cure="15 days"))
    changes = await recounted(docket)

    after = (await docket.terms("vehicle", vehicle))["vistoria"]
    (inspection,) = await docket.rows("SELECT due_on FROM inspection WHERE tenant_id = :tenant")
    assert changes == [("vistoria", term.id, "2027-03-10", "2026-09-10")]
    assert (after.last_day, inspection.due_on) == (date(2026, 9, 10), date(2026, 9, 10))
    assert after.counted["due_on"] == "2026-09-10"


async def test_a_holiday_gives_another_day_to_mend_what_was_found(own_database: Database) -> None:
    docket, _, vehicle = await town(own_database, COTRIGUACU)
    await inspected(docket, vehicle, faults=["Pneu liso"])
    term = (await docket.terms("vehicle", vehicle))["vistoria:cure"]
    holiday = f'[[holiday]]\ncode = "exemplo"\ntitle = "Feriado"\nday = {term.last_day}\nact = "Decreto"\n'
    await docket.amend(holiday)
    changes = await recounted(docket, asked=True)

    (inspection,) = await docket.rows("SELECT cure_until, due_on FROM inspection WHERE tenant_id = :tenant")
    ((kind, id, before, after),) = changes
    assert (kind, id, before) == ("vistoria:cure", term.id, term.last_day.isoformat())
    assert date.fromisoformat(after) > term.last_day
    assert (inspection.cure_until, inspection.due_on) == (date.fromisoformat(after), None)


async def test_a_vehicle_may_stay_as_long_as_the_law_now_says_with_what_was_granted(own_database: Database) -> None:
    docket, _, vehicle = await town(own_database, BARRA)
    await docket.amend(STAY.format(limit="6 years"))
    await docket.work()
    await docket.do(recompute, "prefeito", publication_id=await _head(docket))
    await docket.work()
    other = await docket.permit(TODAY)
    (row,) = await docket.rows(
        "SELECT vehicle_id FROM permit_vehicle WHERE tenant_id = :tenant AND permit_id = :id", id=other.id
    )
    await filed(docket, vehicle, "avaliacao", issued_on=TODAY)
    async with docket.database.transaction(docket.town) as tx:
        await extend_vehicle(tx, await officer(tx, "license"), vehicle_id=vehicle)
    await filed(docket, row.vehicle_id, "avaliacao", issued_on=TODAY)  # on file, and nobody has granted anything
    terms = [(await docket.terms("vehicle", id))["idade_permanencia"] for id in (vehicle, row.vehicle_id)]
    await docket.amend(STAY.format(limit="7 years"))
    changes = await recounted(docket)

    assert {(id, after) for _, id, _, after in changes} == {
        (term.id, term.last_day.replace(year=term.last_day.year + 1).isoformat()) for term in terms
    }
    moved = (await docket.terms("vehicle", vehicle))["idade_permanencia"]
    assert moved.counted["limit_day"] < moved.counted["last_day"] == moved.last_day.isoformat()


async def _head(docket: Docket) -> UUID:
    async with docket.database.reader(docket.town) as tx:
        head = await publications.head(tx)
    assert head is not None
    return head.id


async def test_what_was_not_counted_from_what_is_known_now_stays(own_database: Database) -> None:
    """Somebody has put its year right by hand, and no term was counted from it."""
    docket, _, vehicle = await town(own_database, BARRA)
    async with docket.database.transaction(docket.town) as tx:
        await tx.rows(
            "UPDATE vehicle SET manufacture_year = 2018, first_registration = '2018-02-01' WHERE id = :id", id=vehicle
        )
    await docket.amend(STAY.format(limit="12 years"))

    assert await recounted(docket) == []


async def test_of_two_publications_that_wait_each_is_carried_out(own_database: Database) -> None:
    """The second, too, though without the first the term was never counted as it is."""
    docket, _, vehicle = await town(own_database, COTRIGUACU)
    await inspected(docket, vehicle)
    await docket.amend(INSPECTION.format(every="6 months", cure="15 days"))
    await docket.amend(INSPECTION.format(every="8 months", cure="15 days"))

    assert shown(await recounted(docket)) == [("vistoria", "2027-03-10", "2026-11-10")]


async def test_a_paper_counts_as_long_as_the_law_of_the_day_it_was_filed_now_says(own_database: Database) -> None:
    docket, _, _ = await town(own_database, COTRIGUACU)
    (driver,) = await docket.rows("SELECT id FROM driver WHERE tenant_id = :tenant LIMIT 1")
    await docket.amend(PAPER.format(code="sanidade", cite="art. 9, II", valid_for="1 year"))
    await filed(docket, driver.id, "atestado_medico", issued_on=TODAY - timedelta(days=9))
    term = (await docket.terms("driver", driver.id))["atestado_medico"]
    await docket.amend(PAPER.format(code="sanidade", cite="art. 9, II", valid_for="2 years"))
    longer = await recounted(docket)
    await docket.amend(PAPER.format(code="aptidao", cite="art. 9, III", valid_for="18 months"))
    shorter = await recounted(docket)

    after = (await docket.terms("driver", driver.id))["atestado_medico"]
    assert longer == [("atestado_medico", term.id, "2027-03-01", "2028-03-01")]
    assert shorter == [("atestado_medico", term.id, "2028-03-01", "2027-09-01")]
    assert (term.rule, after.rule, after.article) == ("sanidade", "aptidao", "Lei 624/2009, art. 9, III")


async def test_who_drives_in_a_holders_stead_does_so_until_the_day_that_the_law_now_gives(
    own_database: Database,
) -> None:
    docket, permit, _ = await town(own_database, COTRIGUACU)
    await docket.amend(STAND_IN.format(lasts="2026-06-30"))
    async with docket.database.transaction(docket.town) as tx:
        driver = (await (await Maker.of(tx, "herdeiro")).driver()).id
        made = await admit_stand_in(
            tx, await officer(tx, "license"), permit_id=permit.id, driver_id=driver, role="espolio"
        )
    term = (await docket.terms("substitute", made))["espolio"]
    await docket.amend(STAND_IN.format(lasts="2026-08-31"))
    changes = await recounted(docket)

    (row,) = await docket.rows("SELECT upper(during) AS upper FROM substitute WHERE tenant_id = :tenant")
    assert changes == [("espolio", term.id, "2026-06-30", "2026-08-31")]
    assert row.upper == date(2026, 9, 1)


async def test_who_drives_while_a_cause_lasts_does_so_until_whoever_comes_next(own_database: Database) -> None:
    docket, permit, _ = await town(own_database, COTRIGUACU)
    await docket.amend(SUBSTITUTE.format(ends="2026-06-30"))
    made = []
    for since in (TODAY, date(2026, 7, 15)):
        async with own_database.transaction(docket.town) as tx:
            driver = (await (await Maker.of(tx, f"outro {since}")).candidate()).driver_id
            clerk = await officer(tx, "license")
            assert driver is not None
            until = None if since == TODAY else date(2026, 7, 31)
            made.append(
                await admit_substitute(tx, clerk, permit_id=permit.id, driver_id=driver, since=since, until=until)
            )
    await docket.amend(SUBSTITUTE.format(ends="2026-07-31"))
    term = (await docket.terms("substitute", made[0]))["invalidez"]

    assert await recounted(docket) == [("invalidez", term.id, "2026-06-30", "2026-07-14")], "the other's is a paper's"
    rows = await docket.rows("SELECT upper(during) AS upper FROM substitute WHERE tenant_id = :tenant ORDER BY id")
    assert [row.upper for row in rows] == [date(2026, 7, 15), date(2026, 8, 1)]


async def test_a_vehicle_inspected_before_it_entered_is_due_by_the_law_of_the_day_it_did(
    own_database: Database,
) -> None:
    """The day of its last inspection is when the term began, not whose law counts it."""
    docket = await Docket.of(own_database, COTRIGUACU)
    docket.at(date(2026, 2, 20))
    async with own_database.transaction(docket.town) as tx:
        member = await (await Maker.of(tx)).candidate()
    assert member.vehicle_id is not None
    await inspected(docket, member.vehicle_id, category="taxi")
    docket.at(TODAY)
    async with own_database.transaction(docket.town) as tx:
        clerk = (await Maker.of(tx)).offices.who("grant")
        given: dict[str, Any] = {
            "holder_id": member.holder_id,
            "vehicle_id": member.vehicle_id,
            "stand": "1",
            "granted_on": TODAY,
            "judged": True,
        }
        await grant_permit(tx, clerk, category="taxi", **given)
    term = (await docket.terms("vehicle", member.vehicle_id))["vistoria"]
    await docket.amend(INSPECTION.format(every="6 months", cure="15 days") + "from = 2026-03-01\n")

    assert (term.opened_on, term.last_day) == (date(2026, 2, 20), date(2027, 2, 22))
    assert await recounted(docket) == [("vistoria", term.id, "2027-02-22", "2026-08-20")]


async def test_what_is_over_is_not_opened_again_it_is_listed(own_database: Database) -> None:
    docket, _, vehicle = await town(own_database, COTRIGUACU)
    await inspected(docket, vehicle, faults=["Pneu liso"])
    term = (await docket.terms("vehicle", vehicle))["vistoria:cure"]
    docket.at(term.last_day + timedelta(days=1))
    await docket.night()
    await docket.amend(INSPECTION.format(every="1 year", cure="30 days"))

    assert await recounted(docket) == []
    async with own_database.reader(docket.town) as tx:
        assert [(row.finding, row.subject_id) for row in await store.reviews(tx, 9)] == [("expired", term.id)]
