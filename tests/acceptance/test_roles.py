"""Who may do what: the token says who, the register which office, the law what the office may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.applying import applicant, person_input
from tests.acceptance.stage import BARRA, COTRIGUACU, PLANS, TODAY
from tests.support.schema import MUTATIONS, QUERIES, operation

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

# The power that each mutation needs; of several, any. One that comes without a power here fails.
NEEDS = {
    "registerPerson": "register",
    "registerCompany": "register",
    "registerHolder": "register",
    "registerDriver": "register",
    "registerVehicle": "register",
    "filePaper": "register",
    "grantPermit": "grant",
    "issueLicence": "license",
    "swapVehicle": "license",
    "assignStand": "stands",
    "issueFine": "fine",
    "createStand": "stands",
    "moveStand": "stands",
    "closeStand": "stands",
    "proposeRoster": "register",
    "answerRoster": "register",
    "approveRoster": "decide",
    "closeRoster": "decide",
    "askSwap": "register",
    "answerSwap": "register",
    "openTariffReview": "tariff",
    "recordTariffStep": "register",
    "refuseTariffReview": "tariff",
    "setTariff": "tariff",
    "requestRenewal": "license",
    "fineLateness": "fine",
    "extendPermit": "grant",
    "transferPermit": "grant",
    "admitSubstitute": "license",
    "admitStandIn": "license",
    "endSubstitute": "license",
    "noteEvent": "record",
    "endPermit": "cancel",
    "proposeEnding": "propose",
    "proposeSuspension": "propose",
    "revealBar": "propose",
    "finalizeEnding": "cancel",
    "dismissProposal": "cancel suspend",  # either of them
    "finalizeSuspension": "suspend",
    "reactivatePermit": "suspend",
    "updateVehicle": "register",
    "sellVehicle": "register",
    "extendVehicle": "license",
    "grantApproval": "license",
    "endApproval": "license",
    "scheduleInspection": "inspect",
    "recordInspection": "inspect",
    "updateDriver": "register",
    "updatePerson": "register",
    "updateCompany": "register",
    "updateHolder": "register",
    "enrolDriver": "register",
    "endEnrolment": "register",
    "suspendDriver": "suspend",
    "liftSuspension": "suspend",
    "strikeDriverOff": "cancel",
    "recordOccurrence": "record",
    "applyPenalties": "fine",
    "dismissOccurrence": "fine",
    "tryOccurrence": "propose",
    "identifyOffender": "record",
    "answerComplaint": "record",
    "tryComplaint": "propose",
    "openCase": "propose",
    "addRepresentative": "register",
    "endRepresentation": "register",
    "addPiece": "record",
    "serveParty": "record",
    "fileDefence": "register",
    "fileAppeal": "register",
    "takeStep": "read",
    "orderDiligence": "decide",
    "decideCase": "decide",
    "enforceCharge": "read",
    "archiveCase": "record",
    "holdCase": "decide",
    "releaseCase": "decide",
    "disposeCase": "decide",
    "recordPayment": "register",
    "sendToActiveDebt": "read",
    "recompute": "publish",
    "reviewRecomputation": "decide",
    "checkImport": "register",
    "runImport": "grant",
    "openCampaign": "register",
    "attendCampaign": "register",
    "closeCampaign": "register",
    "openCall": "grant",
    "enrolCandidate": "register",
    "freezeCall": "grant",
    "recordJudgement": "decide",
    "enterSeed": "grant",
    "publishResult": "grant",
    "fileObjection": "register",
    "decideObjection": "decide",
    "award": "grant",
    "undoCall": "grant decide",  # either of them: which office it is, is the law's
    "callNext": "grant",
    "signAdhesion": "grant",
    "onboard": "onboard",
    "publishAmendment": "publish",
    "supplyParameter": "publish",
    "chooseReading": "publish",
    "appoint": "appoint",
    "removeAppointment": "appoint",
    "replayDeadLetter": "publish",
    "closeClerkTask": "register",
    "reportBounce": "register onboard",  # a clerk, or who runs the platform
    "saveNoticeTemplate": "publish",
}
ANYBODY = {"fileComplaint", "markNoticesRead"}  # also who has no account; whoever has an inbox
# Queries of whoever may read the register.
READ = {
    *("rosters", "rosterStanding", "rosterDecree", "tariffReviews", "tariffChange"),
    *("permits", "permit", "people", "companies", "drivers", "vehicles", "holder", "eligibility", "swapShare"),
    *("notice", "clerkTasks", "templateFields"),
    *("agenda", "acts", "notices", "runs", "verifySeals", "vehicleFile", "driverFile", "inspections"),
    *("inspectionChecklist", "inspectionReport", "record", "permitLife", "renewalPackage"),
    *("occurrences", "occurrence", "complaints", "conduct"),
    *("imports", "importFile", "importIssues", "importRows", "previewImport", "importFields", "jobs", "job"),
    "deadLetters",
    *("campaigns", "campaignCalls"),
    *("case", "cases", "caseFile", "fineAccount", "deadlineCertificate"),
    *("recomputation", "recomputationReviews", "escalations"),
}
OTHERWISE = {
    "myPermits",
    "myNotices",
    "unreadNotices",
    "previewNoticeTemplate",
    "checkPack",
    "previewAmendment",
    "previewRecomputation",
}
ROLES = ("mayor", "secretary", "clerk", "inspector", "holder", "driver", "operator", "public")


async def powers_of(stage: Stage, town: str, role: str) -> set[str]:
    viewer = await stage.run("public/viewer", town=town, role=role)
    return set(viewer["powers"]) if viewer else set()


def test_every_mutation_names_its_power() -> None:
    assert set(NEEDS) == set(MUTATIONS) - ANYBODY
    assert not (READ | OTHERWISE) - set(QUERIES)


async def test_the_law_gives_each_office_other_powers(seen: Stage) -> None:
    powers = {(town, role): await powers_of(seen, town, role) for town in (BARRA, COTRIGUACU) for role in ROLES[:4]}

    assert "fine" in powers[BARRA, "secretary"] - powers[BARRA, "inspector"], "art. 28, sole paragraph"
    assert "fine" in powers[COTRIGUACU, "inspector"] - powers[COTRIGUACU, "secretary"], "art. 40, paragraph 1"
    assert "grant" in powers[COTRIGUACU, "mayor"] - powers[BARRA, "mayor"]
    assert powers[BARRA, "clerk"] == {"read", "register"}


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU])
@pytest.mark.parametrize("role", ROLES)
async def test_a_mutation_is_for_whoever_has_its_power(seen: Stage, town: str, role: str) -> None:
    """Of inputs that change nothing: a no of another kind says that one might."""
    powers = await powers_of(seen, town, role)

    allowed = set()
    for name, field in MUTATIONS.items():
        if name in ANYBODY:
            continue
        query, variables = operation("mutation", name, field)
        variables["input"] |= HARMLESS.get(name, {})
        answer = await seen.web.ask(query, variables=variables, **seen.asking(role, town))
        assert answer[name]["__typename"] in FAILURES, f"{name} did something"
        if answer[name]["__typename"] != "Forbidden":
            allowed.add(name)

    assert allowed == {name for name, any_of in NEEDS.items() if powers & set(any_of.split())}


# What would do something with the shortest input.
HARMLESS = {
    "proposeRoster": {"until": "2026-03-09"},
    "openTariffReview": {"category": "nenhuma"},
    "openCall": {"category": "nenhuma"},
    "saveNoticeTemplate": {"body": ""},
}
FAILURES = {"Refused", "Invalid", "NotFound", "Conflict", "Forbidden", "TextRefused"}


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU])
@pytest.mark.parametrize("role", ROLES)
async def test_the_register_is_read_by_whoever_has_the_power(seen: Stage, town: str, role: str) -> None:
    may = "read" in await powers_of(seen, town, role)

    for name in sorted(READ):
        query, variables = operation("query", name, QUERIES[name])
        codes = await seen.web.codes(query, variables=variables, **seen.asking(role, town))
        assert (codes == ["FORBIDDEN"]) is not may, name
        assert "INTERNAL" not in codes, name


@pytest.mark.parametrize("role", [role for role in ROLES if role not in ("mayor", "operator")])
async def test_only_who_publishes_law_sees_what_an_amendment_would_do(seen: Stage, role: str) -> None:
    given = {"text": "", "norm": "Lei 1/2026", "officialOn": TODAY.isoformat()}
    asked = {"input": given, "on": TODAY.isoformat()}

    answer = await seen.body("operator/previewAmendment", town=BARRA, role=role, **asked)

    assert [error["extensions"]["code"] for error in answer["errors"]] == ["FORBIDDEN"]


@pytest.mark.parametrize("role", [role for role in ROLES if role != "operator"])
async def test_only_the_operator_checks_and_onboards(seen: Stage, role: str) -> None:
    check = await seen.body("operator/checkPack", town=BARRA, role=role, text="")
    onboard = await seen.act("operator/onboard", {"text": PLANS[BARRA].pack}, town=BARRA, role=role)

    assert [error["extensions"]["code"] for error in check["errors"]] == ["FORBIDDEN"]
    assert onboard["code"] == "FORBIDDEN"


# --- Holders and drivers ----------------------------------------------------------------------------------------------


async def test_a_holder_sees_just_what_is_theirs(seen: Stage) -> None:
    mine = (await seen.run("holder/myPermits", town=BARRA))["edges"]
    everybodys = await seen.run("clerk/permits", town=BARRA, first=100)

    numbers = {(edge["node"]["category"], edge["node"]["number"]) for edge in mine}
    assert len(numbers) == 1
    assert len(everybodys["edges"]) > 10
    assert numbers <= {(edge["node"]["category"], edge["node"]["number"]) for edge in everybodys["edges"]}


@pytest.mark.parametrize("role", ["holder", "driver", "public"])
async def test_nobody_without_an_office_names_somebody_elses(seen: Stage, role: str) -> None:
    permit = (await seen.run("clerk/permits", town=BARRA, first=1))["edges"][0]["node"]

    for document, variables in (
        ("clerk/permit", {"id": permit["id"]}),
        ("clerk/holder", {"id": permit["holder"]["id"]}),
        ("clerk/acts", {"subjectId": permit["id"]}),
    ):
        answer = await seen.body(document, town=BARRA, role=role, **variables)
        assert answer["data"] is None, document
        assert [error["extensions"]["code"] for error in answer["errors"]] == ["FORBIDDEN"], document


@pytest.mark.parametrize(("role", "permits"), [("holder", 1), ("driver", 0), ("candidate", 0)])
async def test_who_holds_nothing_has_an_empty_list(seen: Stage, role: str, permits: int) -> None:
    assert (await seen.run("holder/myPermits", town=BARRA, role=role))["totalCount"] == permits


async def test_the_viewer_says_what_one_is(seen: Stage) -> None:
    kinds = {}
    for role in ("mayor", "clerk", "holder", "driver", "operator"):
        kinds[role] = (await seen.run("public/viewer", town=BARRA, role=role))["kind"]

    assert kinds == {
        "mayor": "office",
        "clerk": "office",
        "holder": "holder",
        "driver": "driver",
        "operator": "operator",
    }


PUBLIC = {"number", "category", "plate", "state", "licenceUntil", "suspension", "stand"}


async def test_the_public_sees_no_name_and_no_document(seen: Stage) -> None:
    permit = next(
        edge["node"]
        for edge in (await seen.run("clerk/permits", town=BARRA, first=100, state="active"))["edges"]
        if edge["node"]["vehicle"]
    )

    answer = await seen.body("public/publicPermit", town=BARRA, plate=permit["vehicle"]["plate"])

    assert set(answer["data"]["publicPermit"]) == PUBLIC
    assert permit["holder"]["name"] not in str(answer)


# --- Offices are the law's and the register's, from a day on ----------------------------------------------------------


async def test_who_is_removed_may_no_longer(stage: Stage) -> None:
    given = {"subject": "de-saida", "office": "cadastro"}
    await stage.done("mayor/appoint", {**given, "since": "2026-03-01"}, town=BARRA)
    before = await stage.act("clerk/registerPerson", person_input(), town=BARRA, role="de-saida")
    await stage.done("mayor/removeAppointment", {**given, "on": TODAY.isoformat()}, town=BARRA)

    after = await stage.act("clerk/registerPerson", person_input(), town=BARRA, role="de-saida")

    assert before["name"]
    assert after["code"] == "FORBIDDEN"


async def test_a_power_comes_and_goes_with_the_law(stage: Stage) -> None:
    """An amendment takes the grant from the secretary: the next request is refused."""
    lines = PLANS[BARRA].pack.splitlines()
    office = next(line for line in lines if line.strip().startswith('{ code = "financas", title'))
    without = "[[office]]\nrows = [\n" + office.replace('"grant", ', "") + "\n]\n"
    who = await applicant(stage, BARRA)
    amendment: dict[str, Any] = {"text": without, "norm": "Lei 4.002/2026", "officialOn": TODAY.isoformat()}

    await stage.done("operator/publishAmendment", amendment, town=BARRA)
    no = await stage.act("secretary/grantPermit", {"category": "taxi", **who.pair}, town=BARRA)

    assert no["code"] == "FORBIDDEN"
