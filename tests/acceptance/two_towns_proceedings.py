"""How each operation on cases is asked in two towns that are alike, and what their law needs for it."""

from typing import TYPE_CHECKING, Any

from tests.acceptance.applying import driver_input

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

# What stands in the place of the only step of an authority: more evidence, and a second instance.
DECISION = '{ code = "decisao", actor = "authority", to = "tudo", after = "defesa", cite = "art. 43" },'
STEPS = """{ code = "replica", actor = "agent", term = "10 days", after = "defesa", cite = "art. 43" },
  { code = "diligencia", actor = "authority", to = "tudo", term = "5 days", after = "replica", optional = true, \
cite = "art. 43" },
  { code = "decisao", actor = "authority", to = "tudo", after = "replica", cite = "art. 43" },
  { code = "recurso", instance = 2, actor = "party", term = "10 days", after = "service", suspends = true, \
silence = "final", whole_or_part = true, cite = "art. 44" },
  { code = "julgamento", instance = 2, actor = "authority", to = "tudo", after = "recurso", cite = "art. 45" },"""
LAW = """
[[service]]
rows = [{ way = "pessoal", title = "Pessoal", done = "ciencia", cite = "art. 46" }]
[[term]]
code = "pagar"
title = "Pagar a multa"
cite = "art. 47"
of = "fine"
starts = "notified"
length = "30 days"
counting = "corridos"
met_by = ["paid"]
late = [{ after = "0 days", effect = { do = "order", label = "Dívida ativa", cite = "art. 48" }, decides = "tudo" }]
"""
TODAY, LONG_AGO = "2026-03-10", "2020-02-03"
PARTS = "{ ... on Case { id parties { id } charges { id } deadlines { id } } ... on Problem { code message } }"
FACT = {
    "infractions": ["I-1"],
    "seenOn": TODAY,
    "openedBy": "registro",
    "text": "Instaura-se.",
    "category": "taxi",
    "openedOn": TODAY,
}
ANSWERS = {
    "DeadlineCertificate": "{ message }",
    "CaseFile": "{ number head }",
    "FineAccount": "{ number }",
}


def steps_of(law: str) -> str:
    """The same law with a longer way to the end of a case."""
    longer = law.replace(DECISION, STEPS).replace('judge = "tudo"\nstep', 'judge = "tudo"\nkeep = "5 years"\nstep')
    if longer.count("julgamento") + longer.count("keep") < len((STEPS, law)):
        raise ValueError("the law of two towns has another process by now")
    return longer


async def done(town: "Town", field: str, **given: Any) -> Any:
    """The case as a mutation has left it, with the ids of its parts."""
    query = f"mutation ($input: {field[0].upper()}{field[1:]}Input!) {{ {field}(input: $input) {PARTS} }}"
    if field in ("takeStep", "orderDiligence", "archiveCase"):
        query = query.replace(f"{field[0].upper()}{field[1:]}Input", "CaseTextInput", 1)
    token = town.web.token("chefe", town=town.slug)
    made = (await town.web.ask(query, variables={"input": given}, token=token))[field]
    assert "code" not in made, made
    return made


async def opened(town: "Town", **given: Any) -> Any:
    return await done(town, "openCase", **{**FACT, "respondents": [{"name": "Autuado"}], **given})


def at(case: Any, **given: Any) -> dict[str, Any]:
    return {"caseId": case["id"], **given}


def by(case: Any, **given: Any) -> dict[str, Any]:
    return at(case, partyId=case["parties"][0]["id"], **given)


def outcomes(case: Any, outcome: str = "upheld") -> dict[str, Any]:
    said = [{"chargeId": each["id"], "outcome": outcome} for each in case["charges"]]
    return at(case, outcomes=said, text="Decido.")


async def replied(town: "Town") -> Any:
    case = await opened(town)
    await done(town, "fileDefence", **by(case, text="Defesa."))
    return await done(town, "takeStep", **at(case, text="Réplica."))


async def final(town: "Town", outcome: str = "upheld") -> Any:
    case = await done(town, "decideCase", **outcomes(await replied(town), outcome))
    if outcome == "upheld":
        await done(town, "fileAppeal", **by(case, text="Recurso."))
        case = await done(town, "decideCase", **outcomes(case))
    return case


async def to_open(town: "Town") -> dict[str, Any]:
    permit = await town.permit()
    fine = await town.make("issueFine", permitId=permit, infractions=["I-1"], seenOn=TODAY)
    driver = await town.make("registerDriver", **driver_input(await town.person()))
    who = [{"holderId": await town.holder()}, {"driverId": driver}]
    return {**FACT, "permitId": permit, "fineIds": [fine], "respondents": who}


async def to_open_on_a_driver(town: "Town") -> dict[str, Any]:
    given = await to_open(town)
    return {**given, "respondents": given["respondents"][::-1]}


async def to_represent(town: "Town") -> dict[str, Any]:
    return by(await opened(town), text="Procuração.", personId=await town.person())


async def to_end(town: "Town") -> dict[str, Any]:
    made = await done(town, "addRepresentative", **await to_represent(town))
    return at(made, partyId=made["parties"][1]["id"], text="Renúncia.")


async def to_show(town: "Town") -> dict[str, Any]:
    return {**await to_add(town), "evidenceId": await town.evidence()}


async def to_open_on_a_person(town: "Town") -> dict[str, Any]:
    return {**FACT, "respondents": [{"personId": await town.person()}]}


async def to_add(town: "Town") -> dict[str, Any]:
    return at(await opened(town), title="Papel", text="Texto.")


async def to_serve(town: "Town") -> dict[str, Any]:
    return by(await opened(town), way="pessoal", dates=[{"name": "ciencia", "on": TODAY}])


async def to_defend(town: "Town") -> dict[str, Any]:
    return by(await opened(town), text="Defesa.")


async def to_appeal(town: "Town") -> dict[str, Any]:
    case = await done(town, "decideCase", **outcomes(await replied(town)))
    return by(case, text="Recurso.", chargeIds=[case["charges"][0]["id"]])


async def to_take(town: "Town") -> dict[str, Any]:
    case = await opened(town)
    await done(town, "fileDefence", **by(case, text="Defesa."))
    return at(case, text="Réplica.")


async def to_order(town: "Town") -> dict[str, Any]:
    return at(await replied(town), text="Diligência.")


async def to_decide(town: "Town") -> dict[str, Any]:
    return outcomes(await replied(town))


async def to_enforce(town: "Town") -> dict[str, Any]:
    permit = await town.permit()
    fine = await town.make("issueFine", permitId=permit, infractions=["I-1"], seenOn=TODAY)
    case = await opened(town, permitId=permit, fineIds=[fine])
    await done(town, "fileDefence", **by(case, text="Defesa."))
    await done(town, "takeStep", **at(case, text="Réplica."))
    await done(town, "decideCase", **outcomes(case))
    await done(town, "fileAppeal", **by(case, text="Recurso."))
    await done(town, "decideCase", **outcomes(case))
    return at(case, chargeId=case["charges"][0]["id"])


async def to_archive(town: "Town") -> dict[str, Any]:
    return at(await final(town, "dismissed"), text="Arquive-se.")


async def to_dispose(town: "Town") -> dict[str, Any]:
    """Archived so long ago that the years of keeping are over."""
    long_ago = {"seenOn": LONG_AGO, "openedOn": LONG_AGO}
    case = await opened(town, **long_ago)
    await done(town, "fileDefence", **by(case, text="Defesa.", filedOn=LONG_AGO))
    await done(town, "takeStep", **at(case, text="Réplica.", on=LONG_AGO))
    await done(town, "decideCase", **outcomes(case, "dismissed"), on=LONG_AGO)
    await done(town, "archiveCase", **at(case, text="Arquive-se.", on=LONG_AGO))
    return at(case)


async def to_debt(town: "Town") -> dict[str, Any]:
    pair = {"holderId": await town.holder(), "vehicleId": await town.vehicle()}
    permit = await town.make("grantPermit", category="taxi", **pair, grantedOn="2020-01-01")
    days = {"seenOn": LONG_AGO, "notifiedOn": LONG_AGO}
    return {"fineId": await town.make("issueFine", permitId=permit, infractions=["I-1"], **days)}


async def to_hold(town: "Town") -> dict[str, Any]:
    return at(await opened(town), why="Ordem judicial.")


async def to_release(town: "Town") -> dict[str, Any]:
    given = await to_hold(town)
    await done(town, "holdCase", **given)
    return given


async def fine(town: "Town") -> str:
    return str(await town.make("issueFine", permitId=await town.permit(), infractions=["I-1"], seenOn=TODAY))


async def to_pay(town: "Town") -> dict[str, Any]:
    paid = await fine(town)
    return {"fineId": paid, "brl": "10.00", "reference": f"guia {paid}"}


async def a_case(town: "Town") -> dict[str, Any]:
    return {"id": (await opened(town))["id"]}


async def a_fine(town: "Town") -> dict[str, Any]:
    return {"fineId": await fine(town)}


async def a_deadline(town: "Town") -> dict[str, Any]:
    case = await done(town, "serveParty", **(await to_serve(town)))
    return {"deadlineId": case["deadlines"][0]["id"]}


MUTATIONS = {
    "openCase": to_open,
    "addRepresentative": to_represent,
    "endRepresentation": to_end,
    "addPiece": to_add,
    "serveParty": to_serve,
    "fileDefence": to_defend,
    "fileAppeal": to_appeal,
    "takeStep": to_take,
    "orderDiligence": to_order,
    "decideCase": to_decide,
    "enforceCharge": to_enforce,
    "archiveCase": to_archive,
    "holdCase": to_hold,
    "releaseCase": to_release,
    "disposeCase": to_dispose,
    "recordPayment": to_pay,
    "sendToActiveDebt": to_debt,
}
QUERIES = {"case": a_case, "caseFile": a_case, "deadlineCertificate": a_deadline, "fineAccount": a_fine}
