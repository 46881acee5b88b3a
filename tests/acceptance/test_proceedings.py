"""Cases over HTTP, on the days of the worked cases: last days, articles and readings; files that anybody can check."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from api.types.scalars import read_id
from services.accounts import store as accounts
from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU
from tests.acceptance.trying import Trial, fine_of
from tests.support.pages import pages_of

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

VERIFY = Path(__file__).parents[2] / "docs" / "verify_case.py"
SEEN = "2011-05-05"


@pytest.fixture
async def living(legislated: Stage) -> Living:
    """Cotriguaçu, with offices from 2010 on."""
    return Living(legislated, COTRIGUACU)


async def permit_of(living: Living) -> str:
    living.on("2011-01-10")
    return str((await living.permit(await living.somebody()))["id"])


async def tried(living: Living, *infractions: str, day: str = SEEN, fined: bool = True) -> Trial:
    permit = await permit_of(living)
    living.on(day)
    return await Trial.opened(living.stage, permit, *infractions, day=day, fined=fined)


async def certified(living: Living, made: Trial, kind: str) -> Any:
    return await living.ask("clerk/deadlineCertificate", deadlineId=made.term(kind)["id"])


# --- T03 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("served", "last_day", "rolled_from"),
    [("2011-05-12", "2011-05-20", None), ("2011-05-13", "2011-05-23", "2011-05-21")],
)
async def test_t03_eight_days_to_defend_from_the_day_after_the_service(
    living: Living, served: str, last_day: str, rolled_from: str | None
) -> None:
    made = await tried(living)
    living.on(served)
    await made.served(served)
    found = await certified(living, made, "defesa")

    assert made.term("defesa")["lastDay"] == last_day
    assert (found["deadline"]["lastDay"], found["rolledFrom"]) == (last_day, rolled_from)
    assert found["days"][0] == {"day": served, "counted": False, "why": "dia do começo: não se conta"}
    assert {"art. 52", "art. 52, § ún."} <= cited(made.term("defesa")["article"])
    assert readings(found) >= {("rolar", "roll"), ("inicio_nao_util", "start_any_day")}
    living.on(last_day)
    await made.defended()
    assert (made.charge["suspendedOn"], made.case["step"]) == (last_day, "replica"), "art. 54"
    due = (await living.ask("clerk/fineAccount", fineId=made.fines[0]))["deadlines"]
    assert [term["state"] for term in due] == ["suspended"]


async def test_t03_without_the_roll_it_ends_on_the_saturday(living: Living) -> None:
    await living.done("operator/chooseReading", code="rolar", option="none", why="decreto", officialOn="2010-01-01")
    made = await tried(living)
    living.on("2011-05-13")
    await made.served("2011-05-13")

    assert made.term("defesa")["lastDay"] == "2011-05-21"


# --- T04 --------------------------------------------------------------------------------------------------------------


async def test_t04_an_undated_receipt_counts_ten_days_after_the_posting(living: Living) -> None:
    made = await tried(living)
    living.on("2011-06-11")
    await made.served("2011-06-01", way="post", name="posted")

    served = made.case["services"][0]
    assert served["servedOn"] == "2011-06-11"
    assert "art. 67, II" in {each["text"].partition(", ")[2] for each in served["decision"]["citations"]}
    assert made.term("defesa")["lastDay"] == "2011-06-20"
    assert (await certified(living, made, "defesa"))["rolledFrom"] == "2011-06-19"


async def test_t04_a_notice_to_the_public_counts_thirty_days_after_it(living: Living) -> None:
    made = await tried(living)
    living.on("2011-06-01")
    early: dict[str, Any] = {
        "partyId": made.party,
        "way": "edict",
        "dates": [{"name": "published", "on": "2011-06-01"}],
    }
    no = await made.act("inspector/serveParty", **early)
    for way in ("person", "post"):
        await made.done("inspector/serveParty", partyId=made.party, way=way, failedOn="2011-06-01", why="Mudou-se.")
    await made.done("inspector/serveParty", **early)

    assert (no["code"], no["message"].startswith("Antes de")) == ("REFUSED", True)
    served = made.case["services"][-1]
    assert served["servedOn"] == "2011-07-01"
    assert "art. 67, III" in {each["text"].partition(", ")[2] for each in served["decision"]["citations"]}
    assert made.term("defesa")["lastDay"] == "2011-07-11"


# --- T08: the days to pay ---------------------------------------------------------------------------------------------


async def test_t08_thirty_days_to_pay_and_then_active_debt(living: Living) -> None:
    permit = await permit_of(living)
    accounts = []
    for day in ("2011-05-20", "2011-06-02"):
        living.on(day)
        fine = await fine_of(living.stage, permit, "CO-40-III", day)
        accounts.append(await living.ask("clerk/fineAccount", fineId=fine))

    assert [account["deadlines"][0]["lastDay"] for account in accounts] == ["2011-06-20", "2011-07-04"]
    assert {account["brl"] for account in accounts} == {"650.00"}, "not doubled"
    assert all("art. 73" in cited(account["deadlines"][0]["article"]) for account in accounts)
    office = {"subject": "secretaria", "office": "divida_ativa", "since": "2011-01-01"}
    await living.done("mayor/appoint", role="operator", **office)
    living.on("2011-06-21")
    sent = await living.done("secretary/sendToActiveDebt", fineId=accounts[0]["id"])
    assert (sent["debt"]["number"], sent["debt"]["brl"]) == ("0001/2011", "650.00")
    assert "art. 73, § ún." in {each["text"].partition(", ")[2] for each in sent["debt"]["decision"]["citations"]}


# --- filings ----------------------------------------------------------------------------------------------------------


async def test_the_last_second_is_in_time_and_midnight_is_late_recorded_and_says_so(living: Living) -> None:
    made, late = await tried(living), await tried(living, "CO-40-V")
    for each in (made, late):
        living.on("2011-05-12")
        await each.served("2011-05-12")
    living.stage.at(datetime(2011, 5, 21, 3, 59, 59, tzinfo=UTC))
    await made.defended()
    living.stage.at(datetime(2011, 5, 21, 4, 0, 0, tzinfo=UTC))
    await late.defended()

    assert [made.case["pieces"][-1]["late"], late.case["pieces"][-1]["late"]] == [False, True]
    assert "fora do prazo, que terminou em 20/05/2011" in late.case["pieces"][-1]["title"]
    assert (made.case["step"], late.case["state"]) == ("replica", "final")


@pytest.mark.parametrize(
    ("served", "last_day"),
    [
        ("2026-04-02", "2026-04-10"),
        ("2026-09-04", "2026-09-14"),
        ("2026-10-30", "2026-11-09"),
        ("2026-11-12", "2026-11-23"),
    ],
)
async def test_holidays_of_the_nation_and_of_the_town(living: Living, served: str, last_day: str) -> None:
    made = await tried(living, day="2026-03-10", fined=False)
    living.on(served)
    await made.served(served)
    found = await certified(living, made, "defesa")

    assert made.term("defesa")["lastDay"] == last_day
    assert sum(day["counted"] for day in found["days"]) == 8 + (found["rolledFrom"] is not None)


# --- the file ---------------------------------------------------------------------------------------------------------


async def test_a_file_is_one_pdf_and_a_twin_that_a_short_program_checks(living: Living, tmp_path: Path) -> None:
    made = await tried(living)
    await made.done("inspector/addPiece", title="Relatório", text="linha\n" * 100)
    await made.served(SEEN)
    await made.defended()
    await made.replied()
    await made.decided("dismissed")
    found = await living.ask("clerk/caseFile", id=made.id)
    twin = json.loads(found["twin"])

    sheets = pages_of(base64.b64decode(found["pdf"]))
    index = next(sheet for sheet in sheets if sheet.startswith("Índice"))
    for piece in twin["pieces"]:
        assert f"{piece['page']} 05/05/2011 {piece['title']} {piece['sha256'][:32]}" in index
        for at in range(piece["page"], piece["page"] + piece["pages"]):
            sheet = sheets[sheets.index(index) + at]
            assert sheet.startswith(f"Processo {twin['number']} — {piece['title']} fl. {at} ")
            assert sheet.endswith(piece["chain"])
    assert twin["head"] in index
    assert [(piece["page"], piece["pages"]) for piece in twin["pieces"]] == [
        (1, 1),
        (2, 3),
        (5, 1),
        (6, 1),
        (7, 1),
        (8, 1),
    ]
    assert verified(twin, tmp_path) == (0, f"{twin['number']}: 6 pieces, 8 pages, as they were filed\n", "")


def forgeries(twin: dict[str, Any]) -> dict[str, dict[str, Any]]:
    first, second, *rest = twin["pieces"]
    return {
        "a text": {
            **twin,
            "pieces": [{**first, "content": first["content"].replace("Registro", "Regitro")}, second, *rest],
        },
        "a day": {**twin, "pieces": [first, {**second, "filedOn": "2011-05-04"}, *rest]},
        "the order": {**twin, "pieces": [second, first, *rest]},
        "one taken out": {**twin, "pieces": [first, *rest]},
        "the last taken out": {**twin, "pieces": twin["pieces"][:-1]},
        "all taken out": {**twin, "pieces": []},
        "in time": {**twin, "pieces": [first, {**second, "late": True}, *rest]},
    }


async def test_a_forged_file_shows(living: Living, tmp_path: Path) -> None:
    made = await tried(living)
    await made.served(SEEN)
    await made.defended()
    twin = json.loads((await living.ask("clerk/caseFile", id=made.id))["twin"])

    for what, forged in forgeries(twin).items():
        code, _, told = verified(forged, tmp_path)
        assert code == 1, what
        assert told.startswith("WRONG"), what


def verified(twin: dict[str, Any], folder: Path) -> tuple[int, str, str]:
    path = folder / "case.json"
    path.write_text(json.dumps(twin, ensure_ascii=False), encoding="utf-8")
    run = subprocess.run([sys.executable, "-I", str(VERIFY), str(path)], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


# --- who sees what ----------------------------------------------------------------------------------------------------


async def test_a_representative_files_and_reads_for_whom_they_stand(living: Living) -> None:
    made = await tried(living)
    lawyer = await living.somebody(car=False)
    await made.done("clerk/addRepresentative", partyId=made.party, text="Procuração.", personId=lawyer.person)
    async with living.stage.database.transaction(await living.stage.town(COTRIGUACU)) as tx:
        await accounts.ensure(tx, "advogada", person_id=read_id(lawyer.person).key)
    token = living.stage.web.token("advogada", town=COTRIGUACU)
    asked = {"caseId": made.id, "partyId": made.party, "text": "Defesa por procuração."}
    mutation = "mutation ($input: FileDefenceInput!) { fileDefence(input: $input) { __typename } }"
    answer = await living.stage.web.ask(mutation, variables={"input": asked}, token=token)
    back = await living.stage.web.ask(mutation, variables={"input": {**asked, "filedOn": "2011-05-04"}}, token=token)

    assert answer["fileDefence"]["__typename"] == "Case"
    assert back["fileDefence"]["__typename"] == "Forbidden", "who files for themselves files now"


async def test_nobody_is_represented_from_a_day_to_come(living: Living) -> None:
    """Else what runs until that day would be found over today."""
    made = await tried(living)
    given = {"partyId": made.party, "text": "Procuração.", "name": "Dra. Bea"}

    said = await made.act("clerk/addRepresentative", **given, since="2030-01-01")

    assert (said["code"], said["field"]) == ("INVALID", "since")
    await made.done("clerk/addRepresentative", **given)


def cited(article: str) -> set[str]:
    return {each.partition(", ")[2] for each in article.split("; ")}


def readings(certificate: Any) -> set[tuple[str, str]]:
    return {(each["code"], each["option"]) for each in certificate["readings"]}


def test_the_days_are_of_the_calendar() -> None:
    """What the worked cases call Thursday and Friday is."""
    assert [date(2011, 5, 12).strftime("%a"), date(2011, 5, 13).strftime("%a")] == ["Thu", "Fri"]
