"""The proof of a draw (prova do sorteio): all that anybody needs to repeat it, with no program of ours."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from services.acts.body import simple
from services.database import Reader
from services.selection import store
from services.selection.ranking import groups
from services.selection.rules import order_of
from tenants.law.questions import Ranked, SelectionAnswer

FORM = "praca.selection.proof.1"


async def proof_of(tx: Reader, call: Row[Any]) -> str | None:
    """The proof file of a call, as JSON text; None: nothing is published of it yet."""
    published = (await store.lists(tx, [call.id])).get(call.id, [])
    if not published:
        return None
    order = order_of(await tx.law(on=call.announced_on), call.category)
    return told(tx.town.slug, call, published, order.rule.absent_from_draw)


def told(town: str, call: Any, published: Sequence[Any], absent: str) -> str:
    """As JSON text.

    `lists`: each as published, letter by letter, with its hash and act. `order`: who comes when, equals together;
    null until the result is published. The order of equals is that of sha256(seed + ":" + id).
    """
    said = {
        "form": FORM,
        "town": town,
        "call": call.number,
        "lists": [_list(row) for row in published],
        "seed": {"text": call.seed, "source": call.draw_source, "drawnOn": call.seed_on} if call.seed else None,
        "absent": {"ids": sorted(map(str, call.absent)), "are": absent},
        "order": groups(_result(call.result)) if call.result else None,
    }
    return json.dumps(simple(said), ensure_ascii=False, sort_keys=True, indent=1)


def _list(row: Row[Any]) -> dict[str, Any]:
    return {
        "publishedOn": row.published_on,
        "act": row.act_id,
        "actHash": row.act_hash,
        "sha256": row.sha256,
        "text": row.text,
    }


def _result(kept: dict[str, Any]) -> SelectionAnswer:
    ranking = tuple(Ranked(each["key"], each["place"], each["chosen"], ()) for each in kept["ranking"])
    return SelectionAnswer(kept["rule"], ranking, kept["judged_on"], kept["seed"])
