"""How each operation of enforcement is asked in two towns that are alike, and what their law needs for it."""

import uuid
from typing import TYPE_CHECKING, Any

from tests.acceptance.applying import driver_input

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

LAW = """
[[counting]]
code = "corridos"
cite = "art. 40"
[[process]]
code = "administrativo"
title = "Processo"
cite = "art. 41"
counting = "corridos"
opened_by = ["registro"]
judge = "tudo"
step = [
  { code = "defesa", actor = "party", term = "8 days", after = "service", suspends = true, cite = "art. 42" },
  { code = "decisao", actor = "authority", to = "tudo", after = "defesa", cite = "art. 43" },
]
"""
TODAY = "2026-03-10"
OPENING = {"openedBy": "registro", "text": "Instaura-se."}
ANSWERS = {"Conduct": "{ on }"}


def seen(**given: Any) -> dict[str, Any]:
    sent = {"clientId": str(uuid.uuid4()), "seenAt": f"{TODAY}T08:00", "place": "Praça", "infractions": ["I-1"]}
    return {**sent, **given}


async def to_record(town: "Town") -> dict[str, Any]:
    driver = await town.make("registerDriver", **driver_input(await town.person()))
    return seen(permitId=await town.permit(), driverId=driver)


async def recorded(town: "Town") -> str:
    return str(await town.make("recordOccurrence", **seen(permitId=await town.permit())))


async def to_apply(town: "Town") -> dict[str, Any]:
    return {"occurrenceId": await recorded(town)}


async def to_dismiss(town: "Town") -> dict[str, Any]:
    return {"occurrenceId": await recorded(town), "why": "Engano"}


async def unknown(town: "Town") -> str:
    """A record of nobody in the register."""
    return str(await town.make("recordOccurrence", **seen(plate="ABC1D23", category="taxi")))


async def to_identify(town: "Town") -> dict[str, Any]:
    return {"occurrenceId": await unknown(town), "why": "CNH apresentada.", "personId": await town.person()}


async def to_identify_a_holder(town: "Town") -> dict[str, Any]:
    return {"occurrenceId": await unknown(town), "why": "CRLV apresentado.", "holderId": await town.holder()}


async def to_identify_a_driver(town: "Town") -> dict[str, Any]:
    driver = await town.make("registerDriver", **driver_input(await town.person()))
    return {"occurrenceId": await unknown(town), "why": "CNH apresentada.", "driverId": driver}


async def to_try(town: "Town") -> dict[str, Any]:
    return {"occurrenceId": await recorded(town), **OPENING}


async def complained(town: "Town") -> str:
    """Complaints have no id for those who complain: an office finds it in its list."""
    token = town.web.token("chefe", town=town.slug)
    await town.web.ask('mutation { fileComplaint(input: {text: "Cobrou a mais."}) { __typename } }', token=token)
    page = await town.web.ask("{ complaints(first: 1) { edges { node { id } } } }", token=token)
    return str(page["complaints"]["edges"][0]["node"]["id"])


async def to_answer(town: "Town") -> dict[str, Any]:
    return {"complaintId": await complained(town), "answer": "Procede.", "founded": True}


async def to_try_complaint(town: "Town") -> dict[str, Any]:
    given = await to_answer(town)
    await town.make("answerComplaint", **given)
    return {"complaintId": given["complaintId"], "infractions": ["I-1"], "offenderName": "Fulano", **OPENING}


async def occurrence(town: "Town") -> dict[str, Any]:
    return {"id": await recorded(town)}


async def conduct(town: "Town") -> dict[str, Any]:
    return {"subjectId": await town.permit()}


MUTATIONS = {
    "recordOccurrence": to_record,
    "applyPenalties": to_apply,
    "dismissOccurrence": to_dismiss,
    "tryOccurrence": to_try,
    "identifyOffender": to_identify,
    "answerComplaint": to_answer,
    "tryComplaint": to_try_complaint,
}
QUERIES = {"occurrence": occurrence, "conduct": conduct}
