"""Cases T10, T11 and T13 in the register, and what else befalls a vehicle: faults, sale, swap, approvals, changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from api.types.scalars import global_id
from services.permits import fleet
from services.permits.noting import note_event
from tests.acceptance.applying import car_input, registered
from tests.acceptance.living import Living, Person
from tests.acceptance.stage import BARRA, COTRIGUACU, articles
from tests.support.factories import Maker, officer

if TYPE_CHECKING:
    from services.permits.tables import Permit
    from tests.acceptance.stage import Stage

OF_A_TAXI = {
    BARRA: ["taximetro", "caixa_luminosa", "tabela_tarifas", "distico", "crlt", "laudo", "alvara"],
    COTRIGUACU: ["extintor", "caixa_luminosa", "cintos", "encostos", "estepe"],
}
JUDGED = {BARRA: ["bom_estado"], COTRIGUACU: []}
MISSED_INSPECTION = ["II-08", "II-04", "I-23"]


@pytest.fixture
def barra(legislated: Stage) -> Living:
    return Living(legislated, BARRA)


@pytest.fixture
def cotriguacu(legislated: Stage) -> Living:
    return Living(legislated, COTRIGUACU)


async def inspected(town: Living, vehicle: str, **changes: Any) -> Any:
    """What recording an inspection answers, where everything is in order unless ``changes`` says otherwise."""
    given = {"vehicleId": vehicle, "rule": "vistoria", "carried": OF_A_TAXI[town.town], "approved": JUDGED[town.town]}
    return await town.act("inspector/recordInspection", **{**given, **changes})


async def old_taxi(town: Living, registered_on: str) -> tuple[Person, Any]:
    """A taxi of a first registration, with its permit of today."""
    who = await town.somebody(car=False)
    car = car_input(town.town, who.holder, made=int(registered_on[:4]), registered_on=registered_on)
    who.vehicle = str((await registered(town.stage, town.town, "Vehicle", car))["id"])
    await town.papers({"vehicle": who.vehicle})
    return who, await town.permit(who)


async def terms_of(town: Living, vehicle: str) -> list[tuple[str, str, str]]:
    file = await town.ask("clerk/vehicleFile", id=vehicle)
    return [(term["kind"], term["lastDay"], term["state"]) for term in file["deadlines"] if term["state"] != "met"]


async def drawn(town: Living, vehicle: str) -> list[tuple[str, str]]:
    """The infractions that the night has named of a vehicle: code and first day."""
    acts = await town.ask("clerk/acts", subjectId=vehicle)
    named = [act for act in acts if act["verb"] == "infraction.drawn"]
    return [(act["body"]["changes"]["infraction"], act["legalDay"]) for act in named]


# --- T11: an inspection every six months ------------------------------------------------------------------------------


async def test_t11_an_inspection_missed_is_named_and_fined_once(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    permit = await barra.permit(who)

    done = await inspected(barra, who.vehicle)

    assert (done["passed"], done["inspectedOn"], done["dueOn"], done["faults"]) == (
        True,
        "2010-02-10",
        "2010-08-10",
        [],
    )
    assert done["number"].endswith("/2010")
    assert ("vistoria", "2010-08-10", "open") in await terms_of(barra, who.vehicle)
    barra.on("2010-08-10")
    await barra.night()
    assert await drawn(barra, who.vehicle) == []
    barra.on("2010-09-20")
    await barra.night()
    assert ("vistoria", "2010-08-10", "expired") in await terms_of(barra, who.vehicle)
    assert await drawn(barra, who.vehicle) == [("II-08", "2010-08-11")]
    (due,) = [
        d for d in (await barra.ask("clerk/vehicleFile", id=who.vehicle))["due"] if d["value"]["rule"] == "vistoria"
    ]
    assert (due["day"], due["value"]["overdue"], due["value"]["missed"]["infraction"]) == ("2010-08-10", True, "II-08")
    fine = {"permitId": permit["id"], "seenOn": "2010-09-20", "infractions": MISSED_INSPECTION}
    made = await barra.done("inspector/issueFine", role="secretary", **fine)
    assert (made["infraction"], made["units"], made["unit"], made["brl"]) == ("II-08", "30", "UFIR", "31.92")


async def test_the_holder_is_reminded_of_an_inspection(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)
    await inspected(barra, who.vehicle)
    barra.on("2010-07-11")

    await barra.night()

    told = [edge["node"]["template"] for edge in (await barra.ask("clerk/notices", first=20))["edges"]]
    assert "vistoria_vence" in told


async def test_a_new_inspection_takes_the_place_of_the_term_before(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)
    await inspected(barra, who.vehicle)
    barra.on("2010-06-01")

    await inspected(barra, who.vehicle)

    terms = [term for term in await terms_of(barra, who.vehicle) if term[0] == "vistoria"]
    assert terms == [("vistoria", "2010-08-10", "replaced"), ("vistoria", "2010-12-01", "open")]


async def test_an_inspection_fails_for_what_is_missing_and_says_so(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)

    lacking = [item for item in OF_A_TAXI[BARRA] if item not in ("taximetro", "distico")]
    done = await inspected(
        barra, who.vehicle, carried=lacking, approved=[], rejected=["bom_estado"], faults=["Sem pneu"]
    )

    assert (done["passed"], done["dueOn"], done["cureUntil"]) == (False, None, None)
    assert {(fault["rule"], fault["infraction"]) for fault in done["faults"]} == {
        ("taximetro", "I-13"),
        ("distico_taxi", "I-10"),
        ("bom_estado", "I-07"),
        (None, None),
    }


async def test_what_was_not_looked_at_is_asked_for(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)

    no = await inspected(barra, who.vehicle, approved=[])

    assert no["code"] == "REFUSED"
    assert "Bom estado de funcionamento" in no["message"]
    assert (await barra.ask("inspector/inspections", vehicleId=who.vehicle))["edges"] == []


async def test_a_taximeter_is_gauged_every_so_many_months_as_the_town_says(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)

    done = await inspected(barra, who.vehicle, rule="afericao", carried=[], approved=[])

    assert (done["passed"], done["dueOn"]) == (True, "2011-02-10")
    barra.on("2011-02-11")
    await barra.night()
    assert ("II-06", "2011-02-11") in await drawn(barra, who.vehicle)


# --- Faults and their cure --------------------------------------------------------------------------------------------


async def test_faults_are_mended_within_fifteen_days_of_being_found(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.permit(who, stand="1")

    failed = await inspected(cotriguacu, who.vehicle, carried=["extintor", "cintos"])

    assert (failed["passed"], failed["cureUntil"]) == (False, "2010-03-16")
    assert {fault["infraction"] for fault in failed["faults"]} == {"CO-29-IV"}
    cotriguacu.on("2010-03-10")
    again = await inspected(cotriguacu, who.vehicle, carried=["extintor", "cintos", "estepe"])
    assert (again["passed"], again["cureUntil"], again["againOf"]) == (False, None, failed["id"])
    assert ("vistoria:cure", "2010-03-16", "open") in await terms_of(cotriguacu, who.vehicle), (
        "looking again gives no more"
    )
    cotriguacu.on("2010-03-15")
    mended = await inspected(cotriguacu, who.vehicle)
    assert (mended["passed"], mended["againOf"], mended["dueOn"]) == (True, again["id"], "2011-03-15")
    assert await terms_of(cotriguacu, who.vehicle) == [("vistoria", "2011-03-15", "open")]
    cotriguacu.on("2010-03-20")
    await cotriguacu.night()
    assert await drawn(cotriguacu, who.vehicle) == []


async def test_faults_not_mended_in_time_are_an_infraction(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.permit(who, stand="1")
    await inspected(cotriguacu, who.vehicle, carried=[])
    cotriguacu.on("2010-03-17")

    await cotriguacu.night()

    assert await drawn(cotriguacu, who.vehicle) == [("CO-29-III", "2010-03-17")]


async def test_a_licence_needs_an_inspection_that_is_not_overdue(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    permit = await cotriguacu.permit(who, stand="1")
    await inspected(cotriguacu, who.vehicle)
    await cotriguacu.licence(permit["id"])
    cotriguacu.on("2011-03-10")

    no = await cotriguacu.act("clerk/issueLicence", permitId=permit["id"], judged=True)

    assert no["code"] == "REFUSED"
    assert any(
        "Veículo vistoriado" in part["message"] and part["outcome"] == "DENIED" for part in no["decision"]["parts"]
    )


async def test_an_appointment_is_kept_by_the_inspection_and_moved_by_who_saw_it(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)
    given = {"vehicleId": who.vehicle, "rule": "vistoria"}

    first = await barra.done("inspector/scheduleInspection", **given, on="2010-02-12")
    moved = await barra.done("inspector/scheduleInspection", **given, on="2010-02-15", version=first["version"])
    late = await barra.act("inspector/scheduleInspection", **given, on="2010-02-16", version=first["version"])
    waiting = await barra.ask("inspector/inspections", waitingUntil="2010-02-15")
    barra.on("2010-02-15")
    done = await inspected(barra, who.vehicle)

    assert (moved["id"], moved["scheduledOn"], late["code"]) == (first["id"], "2010-02-15", "CONFLICT")
    assert [edge["node"]["id"] for edge in waiting["edges"]] == [first["id"]]
    assert (done["id"], done["scheduledOn"], done["inspectedOn"]) == (first["id"], "2010-02-15", "2010-02-15")


async def test_a_law_that_asks_no_such_inspection_refuses_it_in_these_words(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.permit(who, stand="1")

    no = await inspected(cotriguacu, who.vehicle, rule="afericao")

    assert no["code"] == "REFUSED"
    assert no["message"].startswith("A lei deste município não prevê")
    assert [(missing["kind"], missing["code"]) for missing in no["decision"]["missing"]] == [("rule", "inspection")]


# --- T13: six years, and six months more ------------------------------------------------------------------------------


async def test_t13_a_taxi_serves_six_years_and_six_months_more_if_well_kept(barra: Living) -> None:
    barra.on("2010-03-10")
    who, permit = await old_taxi(barra, "2004-05-15")
    assert await terms_of(barra, who.vehicle) == [("idade_permanencia", "2010-05-15", "open")]
    await inspected(barra, who.vehicle)
    too_soon = await barra.act("secretary/extendVehicle", vehicleId=who.vehicle)
    assert (too_soon["code"], "15/05/2010" in too_soon["message"]) == ("REFUSED", True)
    barra.on("2010-05-14")
    await barra.done("clerk/filePaper", subjectId=who.vehicle, code="avaliacao", issuedOn="2010-05-14")

    extended = await barra.done("secretary/extendVehicle", vehicleId=who.vehicle)

    assert (extended["stay"]["outcome"], extended["stay"]["day"]) == ("ALLOWED", "2010-11-15")
    terms = {(t["kind"], t["lastDay"], t["state"]) for t in extended["deadlines"] if t["kind"] == "idade_permanencia"}
    assert terms == {("idade_permanencia", "2010-05-15", "replaced"), ("idade_permanencia", "2010-11-15", "open")}
    barra.on("2010-05-16")
    no = await barra.act("clerk/issueLicence", role="secretary", permitId=permit["id"])
    assert (no["code"], "art. 20, § 2" in articles(no["decision"])) == ("REFUSED", True)
    await barra.done("clerk/filePaper", subjectId=who.vehicle, code="request", issuedOn="2010-05-16")
    more = await barra.act("secretary/extendVehicle", vehicleId=who.vehicle)
    assert (more["code"], "15/11/2010" in more["message"]) == ("REFUSED", True), "the request adds nothing more"
    barra.on("2010-11-15")
    await barra.night()
    assert ("II-21", "2010-11-16") not in await drawn(barra, who.vehicle)
    barra.on("2010-11-16")
    await barra.night()
    assert ("II-21", "2010-11-16") in await drawn(barra, who.vehicle)
    fine = {"permitId": permit["id"], "seenOn": "2010-11-16", "infractions": ["II-21"]}
    made = await barra.done("inspector/issueFine", role="secretary", **fine)
    assert (made["units"], made["unit"], made["brl"]) == ("40", "UFIR", "42.56")


async def test_without_assessment_or_request_there_is_no_more_time(barra: Living) -> None:
    barra.on("2010-03-10")
    who, _ = await old_taxi(barra, "2004-05-15")
    barra.on("2010-05-16")

    no = await barra.act("secretary/extendVehicle", vehicleId=who.vehicle)

    assert no["code"] == "REFUSED"
    assert "paper.avaliacao" in {missing["code"] for missing in no["decision"]["missing"]}


async def test_a_law_without_extensions_says_so(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.permit(who, stand="1")

    no = await cotriguacu.act("secretary/extendVehicle", vehicleId=who.vehicle)

    assert no["code"] == "REFUSED"
    assert no["message"].startswith("A lei deste município não prevê")


async def test_the_last_day_follows_what_the_vehicle_turns_out_to_be(barra: Living) -> None:
    barra.on("2010-03-10")
    who, _ = await old_taxi(barra, "2004-05-15")

    await barra.done("clerk/updateVehicle", vehicleId=who.vehicle, version=1, firstRegistration="2004-06-20")

    assert ("idade_permanencia", "2010-06-20", "open") in await terms_of(barra, who.vehicle)


# --- Sale and swap ----------------------------------------------------------------------------------------------------


async def test_a_sale_before_the_plate_is_written_off_names_the_infraction(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.permit(who, stand="1")
    sale = {"vehicleId": who.vehicle, "soldOn": "2010-03-01"}

    no = await cotriguacu.act("clerk/sellVehicle", **sale)
    as_found = await cotriguacu.done("clerk/sellVehicle", **sale, asFound=True, why="Vendido sem baixa")

    assert no["code"] == "REFUSED"
    assert "CO-23" in no["message"]
    assert "art. 23" in articles(no["decision"])
    assert (as_found["answer"]["outcome"], "CO-23" in as_found["answer"]["message"]) == ("DENIED", True)


async def test_after_a_sale_another_vehicle_comes_and_is_legalised_in_forty_five_days(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    permit = await cotriguacu.permit(who, stand="1")
    await inspected(cotriguacu, who.vehicle)
    sold = await cotriguacu.done(
        "clerk/sellVehicle", vehicleId=who.vehicle, soldOn="2010-03-01", plateReleasedOn="2010-03-01", version=1
    )
    assert sold["answer"]["outcome"] == "ALLOWED"
    assert await terms_of(cotriguacu, who.vehicle) == [], "it is inspected no more"
    cotriguacu.on("2010-03-05")
    car = await cotriguacu.car(who.holder)
    await cotriguacu.papers({"vehicle": car})
    swap = {"permitId": permit["id"], "vehicleId": car, "on": "2010-03-05", "acquiredOn": "2010-03-02", "judged": True}

    made = await cotriguacu.done("clerk/swapVehicle", **swap)

    assert made["vehicle"]["id"] == car
    term = next(term for term in made["deadlines"] if term["kind"] == "veiculo_novo")
    assert (term["lastDay"], term["state"], "art. 24" in term["article"]) == ("2010-04-16", "open", True)


async def test_a_sale_is_of_the_vehicle_as_it_was_seen(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.done("clerk/updateVehicle", vehicleId=who.vehicle, version=1, seats=4)

    no = await cotriguacu.act("clerk/sellVehicle", vehicleId=who.vehicle, soldOn="2010-03-01", version=1)

    assert (no["code"], no["expected"], no["actual"]) == ("CONFLICT", 1, 2)


async def test_t10_no_more_than_half_of_the_taxis_have_two_doors(barra: Living) -> None:
    """Forty-seven taxis, of which twenty-three have two doors."""
    barra.on("2010-10-15")
    async with barra.stage.database.transaction(await barra.stage.town(BARRA)) as tx:
        maker = await Maker.of(tx, "t10")
        fours = [await maker.permit(doors=[4]) for _ in range(24)]
        twos = [await maker.permit(doors=[2]) for _ in range(23)]
    four, two = (permit_of(permits[0]) for permits in (fours, twos))
    cars = [await two_doors(barra, holder) for _, holder in (four, two)]

    denied, allowed = [
        await barra.act("clerk/swapVehicle", role="secretary", permitId=permit, vehicleId=car, judged=True)
        for (permit, _), car in zip((four, two), cars, strict=True)
    ]

    assert (denied["code"], "24/47 = 51,06 %" in denied["message"]) == ("REFUSED", True)
    assert "art. 18, § 1" in articles(denied["decision"])
    assert allowed["vehicle"]["id"] == cars[1]
    share = await barra.ask("clerk/swapShare", permitId=two[0], vehicleId=cars[1])
    assert "23/47 = 48,94 %" in share["message"]


async def two_doors(town: Living, holder: str) -> str:
    """A car with two doors in a holder's name, with its papers."""
    body = car_input(town.town, holder, doors=2, made=town.today.year - 1)
    car = str((await registered(town.stage, town.town, "Vehicle", body))["id"])
    await town.papers({"vehicle": car})
    return car


def permit_of(permit: Permit) -> tuple[str, str]:
    """The ids of a permit and of its holder, as the API knows them."""
    return str(global_id("permit", permit.id)), str(global_id("holder", permit.holder_id))


async def test_t10_a_suspended_taxi_is_not_in_circulation(barra: Living) -> None:
    """By the reading that only those count which are active."""
    barra.on("2010-10-15")
    async with barra.stage.database.transaction(await barra.stage.town(BARRA)) as tx:
        maker = await Maker.of(tx, "t10")
        taxis = [await maker.permit(doors=[4]) for _ in range(2)]
        changing = await maker.permit(doors=[4])
        law = await tx.law(on=tx.today)
        car = await maker.vehicle(doors=2)
        before = await fleet.shares(tx, law, "taxi", entering=car.id, leaving=None)
        await note_event(tx, await officer(tx, "record"), permit_id=taxis[0].id, event="absence_started", on=tx.today)

        after = await fleet.shares(tx, law, "taxi", entering=car.id, leaving=None)

    assert changing.id
    assert ("1/4 = " in before.message, "1/3 = " in after.message) == (True, True)


async def test_a_change_does_not_get_round_the_share_or_the_gas_rule(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)

    doors = await barra.act("clerk/updateVehicle", vehicleId=who.vehicle, version=1, doors=2)
    gas = await barra.act(
        "clerk/updateVehicle",
        vehicleId=who.vehicle,
        version=1,
        fuel="gas",
        attributes=[{"code": "local.gas_adaptado", "value": "não"}],
    )
    adapted = await barra.done(
        "clerk/updateVehicle",
        vehicleId=who.vehicle,
        version=1,
        fuel="gas",
        attributes=[{"code": "local.gas_adaptado", "value": "sim"}],
    )

    assert (doors["code"], "1/1" in doors["message"]) == ("REFUSED", True), "the only taxi, with two doors"
    assert (gas["code"], "art. 13, § 3" in articles(gas["decision"])) == ("REFUSED", True)
    assert (adapted["fuel"], adapted["version"]) == ("gas", 2)


# --- Advertising ------------------------------------------------------------------------------------------------------

ADVERTISED = [
    {"code": "local.publicidade", "value": "sim"},
    {"code": "local.publicidade_lataria", "value": "50"},
    {"code": "local.publicidade_vidros", "value": "não"},
]


async def test_advertising_takes_half_of_the_bodywork_and_never_glass(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)
    asked = {"vehicleId": who.vehicle, "matter": "publicidade"}
    too_much = [{**fact, "value": "51"} if fact["code"].endswith("lataria") else fact for fact in ADVERTISED]
    on_glass = [{**fact, "value": "sim"} for fact in ADVERTISED if not fact["code"].endswith("lataria")] + [
        ADVERTISED[1]
    ]

    for facts in (too_much, on_glass):
        no = await barra.act("secretary/grantApproval", **asked, facts=facts, judged=True)
        assert (no["code"], "art. 21, § ún." in articles(no["decision"])) == ("REFUSED", True)
    banned = await barra.act("secretary/grantApproval", **asked, facts=ADVERTISED, contents=["ofensiva"], judged=True)
    unjudged = await barra.act("secretary/grantApproval", **asked, facts=ADVERTISED)
    approved = await barra.done("secretary/grantApproval", **asked, facts=ADVERTISED, judged=True)
    again = await barra.act("secretary/grantApproval", **asked, facts=ADVERTISED, judged=True)

    assert (banned["code"], "vedado: ofensiva" in banned["message"]) == ("REFUSED", True)
    assert any(part["outcome"] == "NEEDS_DECISION" for part in unjudged["decision"]["parts"])
    assert (approved["matter"], approved["since"], approved["until"]) == ("publicidade", "2010-02-10", None)
    assert again["code"] == "CONFLICT"


async def test_an_inspection_sees_what_was_approved_while_it_lasts(barra: Living) -> None:
    barra.on("2010-02-10")
    who = await barra.somebody()
    await barra.permit(who)
    asked: dict[str, Any] = {"vehicleId": who.vehicle, "matter": "publicidade", "facts": ADVERTISED, "judged": True}
    approved = await barra.done("secretary/grantApproval", **asked)
    contents = ["publicidade_conteudo", "publicidade_estrangeira", "publicidade_taxi"]

    unseen = await inspected(barra, who.vehicle)
    seen = await inspected(barra, who.vehicle, approved=[*JUDGED[BARRA], *contents])
    ended = await barra.done("secretary/endApproval", approvalId=approved["id"], version=1, on="2010-02-10")
    barra.on("2010-02-11")
    after = await inspected(barra, who.vehicle)

    assert unseen["code"] == "REFUSED"
    assert seen["passed"]
    assert ended["version"] == 2
    assert after["passed"], "nothing is advertised any more"


async def test_a_law_that_knows_no_advertising_says_so(cotriguacu: Living) -> None:
    cotriguacu.on("2010-03-01")
    who = await cotriguacu.somebody()
    await cotriguacu.permit(who, stand="1")

    no = await cotriguacu.act("secretary/grantApproval", vehicleId=who.vehicle, matter="publicidade")

    assert no["code"] == "REFUSED"
    assert no["message"].startswith("A lei deste município não prevê")
