"""How the documents on what failed are asked."""

from typing import Any

from api.types.scalars import global_id
from services.dead_letters import again
from tests.acceptance.operations import Asking, case
from tests.acceptance.stage import BARRA


async def failed(ask: Asking) -> dict[str, Any]:
    """A message that was to seal, and could not."""
    town = await ask.stage.town(ask.town)
    await again.message_failed(ask.stage.database, again.SEAL, [town], OSError("with what it held"))
    page = await ask.stage.run("clerk/deadLetters", town=ask.town, first=1, state="dead")
    found: dict[str, Any] = page["edges"][0]["node"]
    return found


@case("clerk/deadLetters", BARRA)
async def dead_letters(ask: Asking) -> None:
    made = await failed(ask)

    assert (made["kind"], made["state"], made["error"], made["task"]) == ("message", "dead", "OSError", "seal")
    assert (made["subjectId"], made["againAt"], made["replays"]) == (None, None, 0)
    assert (await ask(state="waiting"))["edges"] == []


@case("mayor/replayDeadLetter", BARRA)
async def replay_dead_letter(ask: Asking) -> None:
    """Once: what is on its way is left alone. What succeeds closes it."""
    letter = (await failed(ask))["id"]
    first = await ask.done(deadLetterId=letter)
    second = await ask.done(deadLetterId=letter)
    town = await ask.stage.town(ask.town)
    await again.try_again(ask.stage.database, town)
    done = await ask.done(deadLetterId=letter)

    assert (first["state"], first["replays"], first["replayedBy"]) == ("waiting", 1, "prefeito")
    assert second == first
    assert (done["state"], done["replays"]) == ("closed", 1)
    acts = await ask.stage.run("clerk/acts", town=BARRA, subjectId=letter)
    assert [act["verb"] for act in acts] == ["dead_letter.replayed"]
    never = await ask.stage.act("mayor/replayDeadLetter", {"deadLetterId": global_id("dead_letter", town)}, town=BARRA)
    assert never["code"] == "NOT_FOUND"
