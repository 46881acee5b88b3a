"""What failed in two towns that are alike."""

from itertools import count
from typing import TYPE_CHECKING, Any

from services.database import Database
from services.dead_letters import again

if TYPE_CHECKING:
    from tests.acceptance.two_towns import Town

_nth = count()


async def failed(town: "Town") -> dict[str, Any]:
    """The id of a letter that is dead."""
    database = Database(town.web.settings, town.web.clock)
    async with database.directory() as directory:
        town_id = await directory.scalar("SELECT id FROM municipality WHERE slug = :slug", slug=town.slug)
    await again.message_failed(database, f"task {next(_nth)}", [town_id], OSError())
    await database.close()
    query = "{ deadLetters(first: 1) { edges { node { id } } } }"
    data = await town.web.ask(query, token=town.web.token("chefe", town=town.slug))
    return {"deadLetterId": data["deadLetters"]["edges"][0]["node"]["id"]}


MUTATIONS = {"replayDeadLetter": failed}
