"""A town's register comes in a spreadsheet: checked row by row, imported once, and nobody is told."""

import asyncio
import os
import signal
import sys
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from deploy.embedded.place import PYTHONPATH, ROOT
from services import acts, deadlines
from services.clock import FixedClock
from services.database import Database
from services.errors import Conflict, Forbidden, Invalid
from services.importing import store
from services.importing.reading import CSV
from services.importing.running import run_import
from services.nights import night
from tests.conftest import NOW
from tests.support.factories import BARRA, COTRIGUACU, Maker, make_town, officer
from tests.support.importing import TABLES, Importer
from tests.support.sheets import HEADERS, as_csv, people, table, xlsx

TODAY = NOW.date()


@pytest.fixture
async def barra(own_database: Database) -> Importer:
    return Importer(own_database, await make_town(own_database, BARRA))


async def test_ten_thousand_rows_enter_in_less_than_a_minute_each_error_at_its_row(barra: Importer) -> None:
    rows = people(10_000, TODAY)
    rows[6]["C.P.F."] = "111.444.777-36"
    rows[4_999]["Placa"] = "ABC-12"
    rows[9_998]["Validade do Alvará"] = "31/02/2026"
    rows[9_999]["Placa"] = rows[0]["Placa"]
    import_id = await barra.sent(xlsx(table(rows)))

    began = time.monotonic()
    await barra.checked(import_id)
    done = await barra.imported(import_id)
    took = time.monotonic() - began

    assert await barra.issues(import_id) == [
        (8, "C", "check_digits"),
        (5_001, "H", "form"),
        (10_000, "P", "no_such_day"),
        (10_001, "H", "vehicle_serves"),
    ]
    assert done.counts["row"] == {"create": 9_996, "skip": 4}
    assert await barra.counted("permit", "licence", "driver", "vehicle") == dict.fromkeys(
        ("permit", "licence", "driver", "vehicle"), 9_996
    )
    assert took < 60, f"{took:.0f} s"


async def test_what_a_spreadsheet_does_to_a_register_is_put_right(barra: Importer) -> None:
    (row,) = people(1, TODAY)
    clean = {**row, "Observações": ""}
    messy = {
        **row,
        "PERMISSIONÁRIO": f"  {row['PERMISSIONÁRIO'].replace(' ', '   ')} ",
        "C.P.F.": int(row["C.P.F."]),
        "CNH nº": int(row["CNH nº"]),
        "RENAVAM": int(row["RENAVAM"]),
        "Placa": f"{row['Placa'][:3].lower()}-{row['Placa'][3:]}",
        "Data da Permissão": f"{row['Data da Permissão']:%d/%m/%Y}",
        "Validade Permissão": f"{row['Validade Permissão']:%d.%m.%y}",
        "Portas": 4.0,
    }
    title = ["PREFEITURA MUNICIPAL — RELAÇÃO DE TÁXIS"]
    await barra.whole(xlsx([title, [], *table([messy])]))

    async with barra.database.reader(barra.town) as tx:
        person = await tx.one("SELECT cpf, name, birth_on FROM person")
        vehicle = await tx.one("SELECT plate, renavam, manufacture_year, doors, holder_id FROM vehicle")
        permit = await tx.one("SELECT number, category, holder_id, granted_on, upper(during) AS until FROM permit")
        licence = await tx.one("SELECT number, lower(during) AS since, upper(during) AS until FROM licence")
    assert (person.cpf, person.name, person.birth_on) == (row["C.P.F."], clean["PERMISSIONÁRIO"], row["Nascimento"])
    assert (vehicle.plate, vehicle.renavam, vehicle.doors) == (row["Placa"], row["RENAVAM"], 4)
    assert (permit.number, permit.category, permit.granted_on) == ("0001", "taxi", row["Data da Permissão"])
    assert permit.until == row["Validade Permissão"] + timedelta(days=1)
    assert vehicle.holder_id == permit.holder_id
    assert (licence.number, licence.since) == ("A-1", row["Data do Alvará"])
    assert licence.until == row["Validade do Alvará"] + timedelta(days=1)


async def test_a_second_import_changes_nothing(barra: Importer) -> None:
    rows = people(40, TODAY)
    content = xlsx(table(rows))
    first = await barra.whole(content)
    before = await barra.counted(*TABLES)

    again = await barra.sent(content)
    ran = await barra.imported(again)
    other_bytes = await barra.whole(as_csv(table(rows)), CSV)

    assert again == first, "the same bytes are the same import"
    assert ran.state == "imported"
    assert (await barra.file(other_bytes)).counts["row"] == {"leave": 40}
    after = await barra.counted(*TABLES)
    assert {name: after[name] - before[name] for name in TABLES if name != "act"} == dict.fromkeys(
        (name for name in TABLES if name != "act"), 0
    )


async def test_a_later_file_fills_what_was_blank_and_keeps_what_was_there(barra: Importer) -> None:
    (row,) = people(1, TODAY)
    bare = {**row, "Nascimento": "", "Portas": "", "Alvará nº": "", "Data do Alvará": "", "Validade do Alvará": ""}
    await barra.whole(xlsx(table([bare])))

    later = await barra.whole(xlsx(table([{**row, "RENAVAM": "", "PERMISSIONÁRIO": "OUTRO NOME", "Portas": 2}])))

    counts = (await barra.file(later)).counts
    assert counts["row"] == {"create": 1}
    assert (counts["person"], counts["vehicle"], counts["licence"]) == ({"changed": 1}, {"changed": 1}, {"created": 1})
    assert await barra.issues(later, "warning") == [(2, "B", "other_name")]
    async with barra.database.reader(barra.town) as tx:
        assert await tx.scalar("SELECT birth_on FROM person") == row["Nascimento"]
        assert await tx.scalar("SELECT doors FROM vehicle") == 2
        assert await tx.scalar("SELECT name FROM person") == row["PERMISSIONÁRIO"]


async def test_an_import_tells_nobody_neither_now_nor_of_what_was_past_by_then(
    barra: Importer, clock: FixedClock
) -> None:
    """A reminder whose day comes later is sent; one whose day was over, and an end that was, never are."""
    near, far, over = people(3, TODAY)
    near["Validade do Alvará"] = TODAY + timedelta(days=3)
    far["Validade do Alvará"] = TODAY + timedelta(days=100)
    over["Data do Alvará"], over["Validade do Alvará"] = TODAY - timedelta(days=300), TODAY - timedelta(days=40)
    for row in (near, far, over):
        row["E-mail"] = "titular@example.org"
        row["Validade CNH"] = row["Validade Permissão"] = TODAY + timedelta(days=2_000)
    await barra.whole(xlsx(table([near, far, over], (*HEADERS, "E-mail"))))

    await night(barra.database, [barra.town])
    assert await barra.counted("notice") == {"notice": 0}

    states = await barra.deadlines("alvara")
    assert states == [
        ("expired", over["Validade do Alvará"]),
        ("open", near["Validade do Alvará"]),
        ("open", far["Validade do Alvará"]),
    ]
    clock.at = NOW + timedelta(days=95)
    await night(barra.database, [barra.town])
    async with barra.database.reader(barra.town) as tx:
        told = await tx.rows("SELECT template, state FROM notice ORDER BY id")
        expired = await tx.rows("SELECT legal_day FROM act WHERE verb = 'deadline.expired'")
    assert [row.template for row in told].count("term_expired") == 1, "the end of the near one is told, when it comes"
    assert len(told) > 1, "the far one is reminded of"
    assert [row.legal_day for row in expired] == [near["Validade do Alvará"]]


async def test_every_row_of_the_register_has_an_act_that_says_whence_it_came(barra: Importer) -> None:
    import_id = await barra.whole(xlsx(table(people(3, TODAY))))

    async with barra.database.reader(barra.town) as tx:
        made = await tx.rows(
            "SELECT a.body FROM permit AS p JOIN act AS a ON a.tenant_id = p.tenant_id AND a.id = p.granted_act"
        )
        verbs = {row.verb for row in await tx.rows("SELECT DISTINCT verb FROM act")}
    assert len(made) == 3
    assert all('"cause":"import"' in row.body and str(import_id) in row.body for row in made)
    assert {"person.imported", "driver.imported", "vehicle.imported", "licence.imported", "import.finished"} <= verbs
    await acts.seal_all(barra.database, barra.town)
    async with barra.database.reader(barra.town) as tx:
        assert await acts.verify(tx) == []


async def test_the_house_s_own_numbers_go_on_after_those_that_were_brought(barra: Importer) -> None:
    (row,) = people(1, TODAY)
    await barra.whole(xlsx(table([{**row, "Nº Permissão": f"0700/{TODAY.year}"}])))

    async with barra.database.transaction(barra.town) as tx:
        permit = await (await Maker.of(tx)).permit()

    assert permit.number == f"0701/{TODAY.year}"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"C.P.F.": ""}, "no_document"),
        ({"PERMISSIONÁRIO": ""}, "no_name"),
        ({"Placa": ""}, "missing"),
        ({"Data da Permissão": ""}, "missing"),
        ({"Data da Permissão": TODAY + timedelta(days=1)}, "future"),
        ({"Validade Permissão": date(2000, 1, 1)}, "order"),
        ({"Ano/Modelo": f"{TODAY.year + 2}/{TODAY.year + 2}"}, "future"),
        ({"Data do Alvará": ""}, "missing"),
        ({"Situação": "cancelada"}, "not_active"),
        ({"Ponto": "99"}, "unknown_code"),
        ({"Categoria": "Bonde"}, "unknown_code"),
    ],
)
async def test_a_row_that_cannot_be_is_left_out_with_its_reason(
    barra: Importer, change: dict[str, Any], problem: str
) -> None:
    good, bad = people(2, TODAY)
    headers = (*HEADERS, *(name for name in change if name not in HEADERS))
    filled = {"Situação": "Ativa", "Ponto": "5", "Categoria": "Táxi"}
    rows = [{**filled, **good}, {**filled, **bad, **change}]
    import_id = await barra.whole(xlsx(table(rows, headers)))

    assert problem in [code for row, _, code in await barra.issues(import_id) if row == 3]
    assert (await barra.file(import_id)).counts["row"] == {"create": 1, "skip": 1}
    assert await barra.counted("permit", "person") == {"permit": 1, "person": 1}


async def test_repetitions_in_the_file_and_against_the_register_are_errors(barra: Importer) -> None:
    async with barra.database.transaction(barra.town) as tx:
        make = await Maker.of(tx)
        permit = await make.permit()
        plate = await tx.scalar("SELECT plate FROM vehicle")
    one, same_number, same_plate, taken, serving = people(5, TODAY)
    same_number["Nº Permissão"] = one["Nº Permissão"]
    same_plate["Placa"] = one["Placa"]
    taken["Nº Permissão"] = permit.number
    serving["Placa"] = plate
    serving["RENAVAM"] = same_plate["RENAVAM"] = ""
    import_id = await barra.whole(xlsx(table([one, same_number, same_plate, taken, serving])))

    assert await barra.issues(import_id) == [
        (3, "A", "repeated"),
        (4, "H", "vehicle_serves"),
        (5, "A", "number_taken"),
        (6, "H", "vehicle_serves"),
    ]


async def test_a_company_its_kind_and_a_stand_that_is_full_are_remarked(barra: Importer) -> None:
    rows = [{**row, "Ponto": "Ponto 01"} for row in people(2, TODAY)]
    async with barra.database.transaction(barra.town) as tx:
        rows[1]["CNPJ"] = (await Maker.of(tx, "firm")).chance.numbers.cnpj()
    rows[1]["C.P.F."] = ""
    defaults = [{"field": "company_kind", "value": "Outra pessoa jurídica"}]
    import_id = await barra.whole(xlsx(table(rows, (*HEADERS, "Ponto", "CNPJ"))), defaults=defaults)

    assert await barra.issues(import_id, "warning") == [(3, "R", "stand_full")]
    async with barra.database.reader(barra.town) as tx:
        kinds = await tx.rows("SELECT kind, company_id IS NULL AS natural FROM holder ORDER BY id")
        assert await tx.scalar("SELECT count(*) FROM stand_assignment WHERE stand = '1'") == 2
    assert [(row.kind, row.natural) for row in kinds] == [("autonomo", True), ("pessoa_juridica", False)]


async def test_merged_cells_are_carried_down_where_the_caller_says_so(barra: Importer) -> None:
    first, second = people(2, TODAY)
    second = {**second, "PERMISSIONÁRIO": "", "C.P.F.": "", "CNH nº": "", "Cat. CNH": "", "Validade CNH": ""}
    import_id = await barra.sent(xlsx(table([first, second])))

    await barra.checked(import_id, carry=["name", "cpf"])

    assert await barra.issues(import_id) == []
    await barra.imported(import_id)
    assert await barra.counted("person", "permit") == {"person": 1, "permit": 2}


async def test_what_was_merged_into_a_name_s_cell_is_taken_apart_or_an_error_at_that_cell(barra: Importer) -> None:
    """The number or plate that only the name's cell has is the row's; the report says so, and quotes nothing."""
    with_cpf, with_plate, other, two, joined = people(5, TODAY)
    cpf, plate = with_cpf["C.P.F."], with_plate["Placa"]
    names = [row["PERMISSIONÁRIO"] for row in (with_cpf, with_plate, joined)]
    with_cpf |= {"PERMISSIONÁRIO": f"{names[0]} - CPF {cpf[:3]}.{cpf[3:6]}.{cpf[6:9]}-{cpf[9:]}", "C.P.F.": ""}
    with_plate |= {"PERMISSIONÁRIO": f"{names[1]} / {plate}", "Placa": ""}
    other["PERMISSIONÁRIO"] += f" - CPF {cpf}"
    two["PERMISSIONÁRIO"] += " (Maria, cônjuge)"
    joined["PERMISSIONÁRIO"] = f"{names[2]} e Maria da Silva"
    import_id = await barra.whole(xlsx(table([with_cpf, with_plate, other, two, joined])))

    assert await barra.issues(import_id) == [(4, "B", "contradicts"), (5, "B", "several")]
    assert await barra.issues(import_id, "warning") == [(2, "B", "merged"), (3, "B", "merged"), (6, "B", "two_names")]
    async with barra.database.reader(barra.town) as tx:
        known = await tx.rows("SELECT name, cpf FROM person ORDER BY id")
        served = await tx.rows("SELECT v.plate FROM permit_vehicle AS s JOIN vehicle AS v ON v.id = s.vehicle_id")
        said = await tx.rows("SELECT message || hint AS words FROM import_issue")
    assert [row.name for row in known] == [names[0], names[1], joined["PERMISSIONÁRIO"]]
    assert (known[0].cpf, plate in {row.plate for row in served}) == (cpf, True)
    assert not any(cpf in row.words or plate in row.words or "Maria" in row.words for row in said)
    assert (await barra.file(await barra.whole(as_csv(table([with_cpf, with_plate])), CSV))).counts["row"] == {
        "leave": 2
    }, "a second import finds the same rows by what was taken apart"


async def test_columns_are_what_the_caller_says_they_are(barra: Importer) -> None:
    (row,) = people(1, TODAY)
    headers = [{"Nº Permissão": "Código", "Observações": "Mora no município?"}.get(name, name) for name in HEADERS]
    content = as_csv([headers, [row.get(name, "") or "SIM" for name in HEADERS]], separator=",", encoding="utf-8")
    columns = [
        {"header": "Código", "field": "permit_number"},
        {"header": "Mora no município?", "field": "holder.in_town"},
    ]

    await barra.whole(content, CSV, columns=columns)

    async with barra.database.reader(barra.town) as tx:
        assert await tx.scalar("SELECT number FROM permit") == "0001"
        assert await tx.scalar("SELECT attributes FROM person") == {"holder.in_town": True}


async def test_where_the_file_says_no_end_the_law_does(own_database: Database) -> None:
    """Five years in one town; in January whatever the day of issue."""
    town = Importer(own_database, await make_town(own_database, COTRIGUACU))
    rows = people(2, TODAY)
    for row in rows:
        row["Validade Permissão"] = row["Validade do Alvará"] = ""
        row["Data da Permissão"], row["Data do Alvará"] = date(2024, 5, 2), date(2026, 2, 10)
    rows[1]["Data da Permissão"] = date(2015, 5, 2)
    defaults = [{"field": "holder_kind", "value": "pessoa_fisica"}, {"field": "category", "value": "taxi"}]
    import_id = await town.whole(xlsx(table(rows)), defaults=defaults)

    assert await town.issues(import_id) == [(3, "M", "over")]
    assert (2, None, "no_stand") in await town.issues(import_id, "warning"), "this law gives each permit a stand"
    async with own_database.reader(town.town) as tx:
        permit = await tx.one("SELECT upper(during) - 1 AS last FROM permit")
        licence = await tx.one("SELECT upper(during) - 1 AS last FROM licence")
    assert (permit.last, licence.last) == (date(2029, 5, 2), date(2027, 1, 31))


async def test_who_may_and_when(barra: Importer) -> None:
    import_id = await barra.sent(xlsx(table(people(1, TODAY))))

    with pytest.raises(Invalid, match="Confira"):
        await barra.imported(import_id)
    await barra.checked(import_id)
    with pytest.raises(Forbidden):
        async with barra.database.transaction(barra.town) as tx:
            await run_import(tx, await officer(tx, "inspect"), import_id=import_id)
    async with barra.database.transaction(barra.town) as tx:
        await run_import(tx, await officer(tx, "grant"), import_id=import_id)
    with pytest.raises(Conflict, match="andamento"):
        async with barra.database.transaction(barra.town) as tx:
            await run_import(tx, await officer(tx, "grant"), import_id=import_id)


async def test_a_file_that_cannot_be_read_ends_its_job_with_the_reason(barra: Importer) -> None:
    import_id = await barra.sent(as_csv([["a", "b"], ["c", "d"]]), CSV)

    await barra.asked(import_id)
    await barra.worked()

    async with barra.database.reader(barra.town) as tx:
        job = await tx.one("SELECT state, error FROM job")
    assert job.state == "failed"
    assert "cabeçalho" in job.error


async def test_killed_in_the_middle_it_is_taken_up_where_it_was(barra: Importer, tmp_path: Path) -> None:
    """The process is killed while it works; another goes on, and each row is there once."""
    rows = people(600, TODAY)
    import_id = await barra.sent(xlsx(table(rows)))
    await barra.checked(import_id)
    async with barra.database.transaction(barra.town) as tx:
        await run_import(tx, await officer(tx, "grant"), import_id=import_id)

    settings = barra.database.settings
    environment = {
        **os.environ,
        "PYTHONPATH": PYTHONPATH,
        "PRACA_DATABASE_URL": str(settings.database_url),
        "PRACA_REDIS_URL": str(settings.redis_url),
        "PRACA_EMBEDDED": "1",
        "PRACA_CLOCK": NOW.isoformat(),
        "PRACA_IMPORT_BATCH": "20",
    }
    command = [sys.executable, "-m", "tests.support.one_turn", str(barra.town)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment)
    try:
        async with asyncio.timeout(60):
            while (await barra.counted("permit"))["permit"] < 60:  # noqa: ASYNC110 - another process brings it about
                await asyncio.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        await process.wait()
    part = (await barra.counted("permit"))["permit"]
    assert 60 <= part < 600
    await barra.lapse()
    await barra.worked()

    assert (await barra.file(import_id)).counts["row"] == {"create": 600}
    assert await barra.counted("permit", "permit_vehicle", "licence", "person") == dict.fromkeys(
        ("permit", "permit_vehicle", "licence", "person"), 600
    )


async def test_a_clerk_who_is_faster_makes_the_row_a_leaver_not_a_double(barra: Importer) -> None:
    """Between the check and the import somebody registers the same person."""
    (row,) = people(1, TODAY)
    import_id = await barra.sent(xlsx(table([row])))
    await barra.checked(import_id)
    async with barra.database.transaction(barra.town) as tx:
        await (await Maker.of(tx)).person(cpf=row["C.P.F."], name=row["PERMISSIONÁRIO"])

    await barra.imported(import_id)

    assert await barra.counted("person", "permit") == {"person": 1, "permit": 1}


async def test_what_is_imported_ends_as_anything_does(barra: Importer, clock: FixedClock) -> None:
    (row,) = people(1, TODAY)
    row["Validade do Alvará"] = TODAY + timedelta(days=1)
    await barra.whole(xlsx(table([row])))
    clock.at = NOW + timedelta(days=2)

    async with barra.database.transaction(barra.town) as tx:
        await deadlines.settle(tx)

    assert await barra.deadlines("alvara") == [("expired", TODAY + timedelta(days=1))]


async def test_rows_and_issues_are_read_in_pages(barra: Importer) -> None:
    rows = people(5, TODAY)
    rows[1]["Placa"] = rows[3]["Placa"] = "x"
    import_id = await barra.sent(xlsx(table(rows)))
    await barra.checked(import_id)

    async with barra.database.reader(barra.town) as tx:
        first = await store.issues(tx, import_id, 1, None, "error")
        second = await store.issues(tx, import_id, 1, (first[0].row, first[0].id), "error")
        skipped = await store.rows(tx, import_id, 10, 0, "skip")
    assert [issue.row for issue in (*first, *second)] == [3, 5]
    assert [row.number for row in skipped] == [3, 5]
