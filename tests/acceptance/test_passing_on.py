"""Cases T14 and T15, and what else passes a permit or its wheel to another: transfers, successors, substitutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.living import Living, Person
from tests.acceptance.stage import BARRA, COTRIGUACU, articles

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

NAMED = [{"code": "heirs.named", "value": "sim"}, {"code": "heirs.waived", "value": "sim"}]
NO_KIN = [
    {"code": "local.parente_taxista", "value": "não"},
    {"code": "local.parente_do_titular", "value": "não"},
]
INSS = [{"code": "local.prova_incapacidade", "value": "inss"}]
WILLING = [{"code": "local.aceita_condicoes", "value": "sim"}]


@pytest.fixture
async def barra(legislated: Stage) -> Living:
    return Living(legislated, BARRA)


@pytest.fixture
async def cotriguacu(legislated: Stage) -> Living:
    return Living(legislated, COTRIGUACU)


async def granted(town: Living, on: str, stand: str = "1") -> tuple[Person, Any]:
    town.on(on)
    who = await town.somebody()
    return who, await town.permit(who, stand=stand)


async def passed_on(town: Living, permit: Any, receiver: Person, **given: Any) -> Any:
    role = {BARRA: "secretary", COTRIGUACU: "mayor"}[town.town]
    given = {"permitId": permit["id"], "holderId": receiver.holder, "judged": True, **given}
    return await town.act("mayor/transferPermit", role=role, **given)


def cited(no: Any) -> set[str]:
    found: set[str] = articles(no["decision"])
    return found


# --- T14 --------------------------------------------------------------------------------------------------------------


async def test_t14_a_sale_before_the_fifth_year_is_denied(barra: Living) -> None:
    _, permit = await granted(barra, "2014-03-03")
    barra.on("2014-12-20")
    buyer = await barra.somebody(car=False)

    no = await passed_on(barra, permit, buyer, cause="sale", to="third_party", eventOn="2014-12-20")

    assert (no["code"], "28/12/2014" in no["message"]) == ("REFUSED", True)
    assert "art. 3, § 3" in cited(no)


async def test_t14_from_then_on_it_passes_free_of_charge(barra: Living) -> None:
    seller, permit = await granted(barra, "2014-03-03")
    barra.on("2014-12-29")
    buyer = await barra.somebody(car=False)

    new = await passed_on(barra, permit, buyer, cause="sale", to="third_party", eventOn="2014-12-29")

    assert (new["holder"]["id"], new["state"], new["since"]) == (buyer.holder, "active", "2014-12-29")
    assert (new["vehicle"]["id"], new["stand"]["number"]) == (seller.vehicle, 1)
    old = await barra.ask("clerk/permit", id=permit["id"])
    assert (old["state"], old["endedOn"], old["endedCause"]) == ("ended", "2014-12-29", "transferencia")
    (transfer,) = (await barra.life(new["id"]))["transfers"]
    assert (transfer["fromNumber"], transfer["toNumber"]) == (permit["number"], new["number"])
    assert (transfer["feeBrl"], transfer["cause"], transfer["eventOn"]) == (None, "sale", "2014-12-29")


async def test_t14_the_buyer_meets_every_requirement(barra: Living) -> None:
    _, permit = await granted(barra, "2014-03-03")
    barra.on("2014-12-29")
    employed = await barra.somebody(car=False, local__vinculo="sim")

    no = await passed_on(barra, permit, employed, cause="sale", to="third_party", eventOn="2014-12-29")

    assert no["code"] == "REFUSED"
    assert "art. 11" in cited(no)
    assert (await barra.ask("clerk/permit", id=permit["id"]))["state"] == "active", "nothing was half done"


@pytest.mark.parametrize(
    ("declared", "passes"),
    [
        ([*NAMED, *NO_KIN], True),
        ([NAMED[0], {"code": "heirs.waived", "value": "não"}, *NO_KIN], False),
        ([*NAMED, {"code": "local.parente_taxista", "value": "sim"}, NO_KIN[1]], False),
    ],
    ids=["declared", "the heirs would drive", "the family has one"],
)
async def test_t14_heirs_who_will_not_drive_name_a_successor(
    barra: Living, declared: list[dict[str, str]], passes: bool
) -> None:
    _, permit = await granted(barra, "2010-03-01")
    barra.on("2011-03-01")
    successor = await barra.somebody(car=False)

    answer = await passed_on(
        barra, permit, successor, cause="death", to="named_by_heirs", eventOn="2011-02-20", facts=declared
    )

    if passes:
        assert (answer["holder"]["id"], answer["state"]) == (successor.holder, "active")
        (transfer,) = (await barra.life(answer["id"]))["transfers"]
        assert transfer["declared"]["heirs.waived"] == "sim"
    else:
        assert answer["code"] == "REFUSED"
        assert {"art. 8, II", "art. 3, § 1"} <= cited(answer)


async def test_what_the_register_knows_is_nobody_s_to_declare(barra: Living) -> None:
    _, permit = await granted(barra, "2014-03-03")
    barra.on("2014-12-29")
    buyer = await barra.somebody(car=False)
    lie = [{"code": "holder.permits", "value": "0"}]

    no = await passed_on(barra, permit, buyer, cause="sale", to="third_party", facts=lie)

    assert (no["code"], no["field"], no["problem"]) == ("INVALID", "facts", "register_fact")


# --- Cotriguaçu: five causes, a fee and its waivers, the old instrument cancelled -------------------------------------


async def passes_in_cotriguacu(town: Living, **given: Any) -> Any:
    _, permit = await granted(town, "2010-03-01")
    town.on("2012-05-02")
    to = await town.somebody(car=False)
    given["papers"] = ["permissao_anterior", *given.get("papers", [])]
    return permit, await passed_on(town, permit, to, eventOn="2012-04-10", **given)


async def test_a_third_party_pays_for_what_heirs_pass_on(cotriguacu: Living) -> None:
    facts = [*WILLING, {"code": "heirs.waived", "value": "sim"}]
    permit, new = await passes_in_cotriguacu(cotriguacu, cause="morte", facts=facts)

    (transfer,) = (await cotriguacu.life(new["id"]))["transfers"]
    assert (transfer["feeUnits"], transfer["feeUnit"], transfer["feeBrl"]) == ("10", "UPFM", "325.00")
    assert (new["since"], new["until"]) == ("2012-05-02", permit["until"]), "what remains of the term"
    assert transfer["remaining"] == "rest"
    (term,) = [each for each in new["deadlines"] if each["kind"] == "permissao"]
    assert (term["lastDay"], term["state"]) == ("2015-03-01", "open")


async def test_widow_and_heirs_pay_nothing(cotriguacu: Living) -> None:
    facts = [*WILLING, {"code": "transfer.to_family", "value": "sim"}]
    _, new = await passes_in_cotriguacu(cotriguacu, cause="herdeiros", facts=facts)

    (transfer,) = (await cotriguacu.life(new["id"]))["transfers"]
    assert transfer["feeBrl"] is None


async def test_incapacity_is_proven_by_inss(cotriguacu: Living) -> None:
    _, refused = await passes_in_cotriguacu(cotriguacu, cause="incapacidade", facts=WILLING)
    (asked,) = [m for p in refused["decision"]["parts"] for m in p["missing"] if m["code"].startswith("transfer.")]

    assert (refused["code"], asked["code"]) == ("REFUSED", "transfer.papers.inss_incapacidade")


async def test_a_company_does_not_receive_from_a_company_s_cause(cotriguacu: Living) -> None:
    """Art. 14, II names companies: a person is none."""
    _, refused = await passes_in_cotriguacu(cotriguacu, cause="entre_empresas", facts=WILLING)

    assert (refused["code"], "não admite" in refused["message"]) == ("REFUSED", True)


async def test_a_cause_that_the_law_does_not_know_is_named(cotriguacu: Living) -> None:
    _, refused = await passes_in_cotriguacu(cotriguacu, cause="doacao")

    assert (refused["code"], refused["field"]) == ("INVALID", "cause")
    assert "empresa_sucedida" in refused["message"]


async def test_the_giver_is_told_a_version_and_only_one_passes(cotriguacu: Living) -> None:
    _, permit = await granted(cotriguacu, "2010-03-01")
    cotriguacu.on("2012-05-02")
    to = await cotriguacu.somebody(car=False)

    no = await passed_on(cotriguacu, permit, to, cause="morte", version=permit["version"] + 1)

    assert (no["code"], no["expected"], no["actual"]) == ("CONFLICT", permit["version"] + 1, permit["version"])


# --- T15 --------------------------------------------------------------------------------------------------------------


async def unfit(town: Living, permit: Any, holder: Person, *, until: str, code: str = "atestado") -> dict[str, Any]:
    """The holder's certificate from 01/06/2010, and somebody to drive meanwhile."""
    town.on("2010-06-01")
    driver = await town.somebody(car=False)
    dated = {"issuedOn": "2010-06-01", "validUntil": until}
    await town.done("clerk/filePaper", subjectId=holder.holder, code=code, **dated)
    return {"permitId": permit["id"], "driverId": driver.driver, "since": "2010-06-01", "provedBy": ["inss"]}


async def test_t15_a_certificate_of_ten_days_admits_nobody(barra: Living) -> None:
    holder, permit = await granted(barra, "2010-03-01")
    given = await unfit(barra, permit, holder, until="2010-06-10")

    no = await barra.act("clerk/admitSubstitute", role="secretary", **given, facts=INSS)

    assert no["code"] == "REFUSED"
    assert {"art. 9, I", "art. 9, III", "art. 6, IV"} <= cited(no)


async def test_t15_one_of_twenty_days_admits_a_substitute_to_its_last(barra: Living) -> None:
    holder, permit = await granted(barra, "2010-03-01")
    given = await unfit(barra, permit, holder, until="2010-06-20")

    made = await barra.done("clerk/admitSubstitute", role="secretary", **given, facts=INSS)

    assert (made["since"], made["until"], made["state"]) == ("2010-06-01", "2010-06-20", "active")
    agenda = await barra.ask("clerk/agenda", first=50, until="2010-06-20")
    (ends,) = [edge["node"] for edge in agenda["edges"] if edge["node"]["kind"] == "substituto"]
    assert ends["lastDay"] == "2010-06-20"
    assert {"art. 6, IV", "art. 9"} <= {text.partition(", ")[2] for text in ends["article"].split("; ")}


async def test_t15_the_night_ends_it_with_the_certificate(barra: Living) -> None:
    holder, permit = await granted(barra, "2010-03-01")
    given = await unfit(barra, permit, holder, until="2010-06-20")
    made = await barra.done("clerk/admitSubstitute", role="secretary", **given, facts=INSS)
    barra.on("2010-06-20")
    await barra.night()
    (last_day,) = (await barra.life(permit["id"]))["substitutes"]
    barra.on("2010-06-21")
    await barra.night()
    await barra.night()

    (over,) = (await barra.life(permit["id"]))["substitutes"]
    acts = await barra.ask("clerk/acts", subjectId=made["id"])
    assert (last_day["state"], over["state"]) == ("active", "ended")
    (ended,) = [act for act in acts if act["verb"] == "substitute.ended"]
    assert ended["legalDay"] == "2010-06-21"


@pytest.mark.parametrize("lacking", ["proof", "request", "vehicle", "driver"])
async def test_t15_what_a_substitute_needs(barra: Living, lacking: str) -> None:
    holder, permit = await granted(barra, "2010-03-01")
    given: dict[str, Any] = {**await unfit(barra, permit, holder, until="2010-06-20"), "facts": INSS}
    if lacking == "proof":
        given |= {"provedBy": [], "facts": []}
    elif lacking == "request":
        given["requested"] = False
    elif lacking == "vehicle":
        given["vehicleId"] = await barra.car(holder.holder)
    else:
        fresh = await barra.done("clerk/registerPerson", cpf="111.444.777-35", name="Sem papéis")
        cnh: dict[str, Any] = {
            "cnhNumber": "02650306461",
            "cnhCategories": ["B"],
            "cnhEar": True,
            "cnhUntil": "2030-01-01",
        }
        driver = await barra.done("clerk/registerDriver", personId=fresh["id"], cnhFirstOn="2005-01-01", **cnh)
        given["driverId"] = driver["id"]

    no = await barra.act("clerk/admitSubstitute", role="secretary", **given)

    assert no["code"] == "REFUSED"
    assert "art. 9, I" in cited(no)


async def test_two_do_not_drive_in_one_holder_s_stead(barra: Living) -> None:
    holder, permit = await granted(barra, "2010-03-01")
    given = await unfit(barra, permit, holder, until="2010-06-20")
    await barra.done("clerk/admitSubstitute", role="secretary", **given, facts=INSS)
    other = await barra.somebody(car=False)

    no = await barra.act("clerk/admitSubstitute", role="secretary", **{**given, "driverId": other.driver}, facts=INSS)

    assert no["code"] == "CONFLICT"


async def test_a_holder_who_is_well_again_drives_from_that_day(barra: Living) -> None:
    holder, permit = await granted(barra, "2010-03-01")
    given = await unfit(barra, permit, holder, until="2010-06-20")
    made = await barra.done("clerk/admitSubstitute", role="secretary", **given, facts=INSS)
    barra.on("2010-06-12")

    over = await barra.done("clerk/endSubstitute", role="secretary", substituteId=made["id"], version=1)
    again = await barra.act("clerk/endSubstitute", role="secretary", substituteId=made["id"], version=1)

    assert (over["until"], over["state"]) == ("2010-06-11", "ended")
    assert (again["code"], again["expected"], again["actual"]) == ("CONFLICT", 1, 2)
    agenda = await barra.ask("clerk/agenda", first=100, until="2010-12-31")
    assert "substituto" not in [edge["node"]["kind"] for edge in agenda["edges"]]


async def test_in_cotriguacu_a_new_licence_is_issued_for_the_days_that_are_left(cotriguacu: Living) -> None:
    holder, permit = await granted(cotriguacu, "2010-03-01")
    licence = await cotriguacu.licence(permit["id"])
    given = await unfit(cotriguacu, permit, holder, until="2010-09-30", code="inss_incapacidade")

    made = await cotriguacu.done("clerk/admitSubstitute", **given)

    assert (made["until"], made["rule"]) == ("2010-09-30", "invalidez")
    now = (await cotriguacu.ask("clerk/permit", id=permit["id"]))["licence"]
    assert now["number"] != licence["number"]
    assert (now["since"], now["until"], now["feeBrl"]) == ("2010-06-01", "2011-01-31", None)


# --- the estate -------------------------------------------------------------------------------------------------------


async def test_the_estate_registers_who_drives(cotriguacu: Living) -> None:
    _, permit = await granted(cotriguacu, "2010-03-01")
    cotriguacu.on("2010-06-01")
    driver = await cotriguacu.somebody(car=False)
    given: dict[str, Any] = {"permitId": permit["id"], "driverId": driver.driver, "role": "espolio"}
    died = {"facts": [{"code": "local.titular_falecido", "value": "sim"}]}

    unproven = await cotriguacu.stage.act("clerk/admitStandIn", given, town=COTRIGUACU)
    made = await cotriguacu.stage.done("clerk/admitStandIn", {**given, **died}, town=COTRIGUACU)

    assert unproven["code"] == "REFUSED"
    assert "art. 14, V" in cited(unproven)
    assert (made["role"], made["since"], made["until"]) == ("espolio", "2010-06-01", permit["until"])


async def test_a_law_without_that_role_says_so(barra: Living) -> None:
    _, permit = await granted(barra, "2010-03-01")
    driver = await barra.somebody(car=False)

    given = {"permitId": permit["id"], "driverId": driver.driver, "role": "espolio"}
    no = await barra.stage.act("clerk/admitStandIn", given, town=BARRA, role="secretary")

    assert no["message"].startswith("A lei deste município não prevê")
    assert [(m["kind"], m["code"]) for m in no["decision"]["missing"]] == [("rule", "crew")]


async def test_who_stands_in_is_not_enrolled_and_who_is_enrolled_does_not_stand_in(cotriguacu: Living) -> None:
    """A role is the one or the other, as the law says: nobody is entered twice, nor stays when the permit ends."""
    holder, permit = await granted(cotriguacu, "2010-03-01")
    cotriguacu.on("2010-06-01")
    driver = await cotriguacu.somebody(car=False)
    place = {"permitId": permit["id"], "driverId": driver.driver}
    work = {"driverId": driver.driver, "holderId": holder.holder, "category": "taxi"}

    enrolled = await cotriguacu.stage.act("clerk/enrolDriver", {**work, "role": "espolio"}, town=COTRIGUACU)
    admitted = await cotriguacu.stage.act("clerk/admitStandIn", {**place, "role": "empregado"}, town=COTRIGUACU)

    for no in (enrolled, admitted):
        assert no["message"].startswith("A lei deste município não prevê")
