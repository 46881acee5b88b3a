"""Publications that change what is owed, in two towns that are alike, and what their recomputation lists."""

from itertools import count
from typing import TYPE_CHECKING, Any

from tests.acceptance.two_towns_imports import worked

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

UNIT = """
[[unit]]
rows = [{{ code = "UX", title = "Unidade", cite = "art. 6", values = [{{ brl = "{brl}.00 BRL" }}] }}]
"""
LAW = (
    UNIT.format(brl=10)
    + """
[[infraction]]
rows = [{ code = "I-9", title = "Atraso", do = "fine", amount = "2 UX", cite = "art. 6" }]
[[term]]
code = "conferir_inicio"
title = "Conferir o início do serviço"
cite = "art. 6"
of = "permit"
starts = "service_started"
length = "1 day"
met_by = ["absence_ended"]
binds = "authority"
escalates = "tudo"
"""
)
PUBLISH = """
mutation ($input: AmendmentInput!) { publishAmendment(input: $input) { ... on Publication { id } } }
"""
LISTED = "query ($id: ID!) { recomputationReviews(publicationId: $id) { edges { node { id } } } }"
TODAY = "2026-03-10"
_values = count(11)


async def published(town: "Town") -> str:
    """A new value of the unit, of which something was paid by the old one."""
    permit = await town.permit()
    fine = await town.make("issueFine", permitId=permit, infractions=["I-9"], seenOn=TODAY)
    await town.make("recordPayment", fineId=fine, brl="1.00", reference=f"parte {fine}")
    amendment = {"text": UNIT.format(brl=next(_values)), "norm": "Lei 2/2026", "officialOn": TODAY}
    token = town.web.token("chefe", town=town.slug)
    made = await town.web.ask(PUBLISH, variables={"input": amendment}, token=token)
    return str(made["publishAmendment"]["id"])


async def a_publication(town: "Town") -> dict[str, Any]:
    return {"publicationId": await published(town)}


async def a_cause(town: "Town") -> dict[str, Any]:
    return {"cause": await a_publication(town)}


async def to_review(town: "Town") -> dict[str, Any]:
    publication = await published(town)
    await town.body("recompute", {"input": {"publicationId": publication}})
    await worked(town)
    token = town.web.token("chefe", town=town.slug)
    found = await town.web.ask(LISTED, variables={"id": publication}, token=token)
    listed = found["recomputationReviews"]["edges"][-1]["node"]["id"]
    return {"reviewId": listed, "outcome": "kept", "why": "Já paga em parte."}


async def escalated(town: "Town") -> None:
    """Somebody should have looked at the start of a service months ago."""
    pair = {"holderId": await town.holder(), "vehicleId": await town.vehicle()}
    permit = await town.make("grantPermit", category="taxi", **pair, grantedOn="2026-01-05")
    for day in ("2026-01-06", TODAY):
        await town.make("noteEvent", permitId=permit, event="service_started", on=day)


MUTATIONS = {"recompute": a_publication, "reviewRecomputation": to_review}
QUERIES = {"previewRecomputation": a_cause, "recomputation": a_publication, "recomputationReviews": a_publication}
ANSWERS = {
    "RecomputationPreview": "{ lookedAt }",
    "Recomputation": "{ norm }",
    "RecomputationReviewConnection": "{ edges { node { id } } }",
}
