"""One life of a permit over HTTP, from the call to the transfer: what the README tells of it is what is answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.acceptance.calling import Calling
from tests.acceptance.living import Living
from tests.acceptance.stage import COTRIGUACU

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.acceptance.stage import Stage

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("**One life, from call to transfer.**")[2].partition("\n**")[0]
WILLING = [{"code": "local.aceita_condicoes", "value": "sim"}, {"code": "heirs.waived", "value": "sim"}]


def told() -> list[Any]:
    """The answers that the README gives, in its order."""
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL)]


def only(keys: str, row: Any) -> dict[str, Any]:
    return {key: row[key] for key in keys.split()}


async def test_the_readme_s_life_is_one(legislated: Stage) -> None:
    answers = [answer async for answer in lived(legislated)]

    assert answers == told()


async def lived(stage: Stage) -> AsyncIterator[dict[str, Any]]:
    """Each step by the role whose front end has it, on its day."""
    call, life = Calling(stage, COTRIGUACU), Living(stage, COTRIGUACU)
    awarded = await call.awarded()
    places = [only("place state", each) for each in awarded["candidates"]]
    yield {"award": only("number state", awarded) | {"candidates": places}}

    life.on("2026-03-20")
    signed = await call.done("mayor/signAdhesion", candidateId=awarded["candidates"][0]["id"], stand="3", judged=True)
    permit = await life.ask("clerk/permit", id=signed["permitId"])
    licence = await life.licence(permit["id"])
    yield {"signAdhesion": only("state", signed), "permit": only("number state since until", permit)}
    yield {"issueLicence": only("number since until feeUnits feeUnit feeBrl", licence)}

    life.on("2026-04-01")
    await life.done("inspector/noteEvent", permitId=permit["id"], event="service_started")
    life.on("2027-01-20")
    await life.done("clerk/requestRenewal", permitId=permit["id"])
    renewed = await life.licence(permit["id"])
    yield {"issueLicence": only("number since until", renewed)}

    life.on("2027-05-03")
    friend = await life.somebody(car=False)
    passing = {"permitId": permit["id"], "holderId": friend.holder, "cause": "morte", "eventOn": "2027-04-10"}
    passing |= {"papers": ["permissao_anterior"], "judged": True}
    no = await life.act("mayor/transferPermit", **passing)
    yield {"transferPermit": only("code message", no)}

    new = await life.done("mayor/transferPermit", **passing, facts=WILLING)
    yield {"transferPermit": only("number state since until", new)}
    (transfer,) = (await life.life(new["id"]))["transfers"]
    yield {"transfers": [only("fromNumber toNumber cause remaining feeUnits feeUnit feeBrl", transfer)]}

    page = await life.ask("clerk/record", subjectId=permit["holder"]["id"], first=100)
    acts = [edge["node"] for edge in page["edges"] if edge["node"]["kind"] == "act"]
    yield {"record": [only("day verb office", act) for act in acts]}
