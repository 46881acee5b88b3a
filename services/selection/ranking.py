"""The order of the candidates, and the list of them that is published before anybody knows the seed."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical, simple
from services.database import Transaction
from services.registry import store as registry
from services.registry.attributes import stored
from services.registry.facts import facts
from services.selection import store
from services.selection.rules import Order
from services.selection.tables import SelectionCall, SelectionCandidate, SelectionList
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.law import Law
from tenants.law.questions import Candidate, Judgement, SelectionAnswer, SelectionQuestion

FORM = "praca.selection.list.1"


@dataclass(frozen=True, slots=True)
class Draft:
    """A list that is about to be published, and what it still waits for."""

    revision: int
    text: str
    waits: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def told(self) -> dict[str, Any]:
        """What the act says that publishes it."""
        return {"revision": self.revision, "sha256": self.sha256}


def rank(
    law: Law, call: SelectionCall, members: Sequence[SelectionCandidate], judged: Sequence[Row[Any]], *, drawn: bool
) -> Decision:
    """The order under the law of the call's announcement; without the draw, what it leaves equal shares a place."""
    category = {"permit.category": call.category}
    candidates = tuple(
        Candidate(str(each.id), facts(law, stored(law, each.facts or {}), category), each.id not in call.absent)
        for each in members
        if each.excluded_on is None
    )
    question = SelectionQuestion(
        category=call.category,
        candidates=candidates,
        vacancies=call.vacancies,
        seed=call.seed if drawn else None,
        judgements=_judgements(judged),
    )
    return decide(law, question, facts(law, category))


def _judgements(rows: Sequence[Row[Any]]) -> list[Judgement]:
    places: dict[int, dict[str, int]] = {}
    for row in rows:
        places.setdefault(row.step, {}).update(row.places)
    return [Judgement(step - 1, each) for step, each in places.items()]


def answered(decision: Decision) -> SelectionAnswer:
    """The order as far as it can be told. Raises LookupError where the law has none, which is refused before."""
    if not isinstance(decision.value, SelectionAnswer):
        raise LookupError(decision.message)
    return decision.value


def tied(decision: Decision) -> frozenset[UUID]:
    """The candidates who share a place."""
    ranking = answered(decision).ranking
    count = Counter(each.place for each in ranking)
    return frozenset(UUID(each.key) for each in ranking if each.place and count[each.place] > 1)


def waits_for(decision: Decision, order: Order) -> str:
    """What the order lacks: `nothing`, a `judgement`, the `seed`, or the `law` that would break a tie."""
    if decision.permits:
        return "nothing"
    at = answered(decision).waits
    if at is None:
        return "law"
    step = order.rule.order[at]
    return "seed" if step.draw else "judgement" if step.judge is not None else "law"


async def draft(
    tx: Transaction, law: Law, order: Order, call: SelectionCall, members: Sequence[SelectionCandidate], because: str
) -> Draft:
    """The next list of a call."""
    decision = rank(law, call, members, await store.judgements(tx, call.id), drawn=False)
    before = (await store.lists(tx, [call.id])).get(call.id, [])
    return composed(tx.town.slug, order, call, members, decision, [row.sha256 for row in before], because)


def composed(
    town: str,
    order: Order,
    call: SelectionCall,
    members: Sequence[SelectionCandidate],
    decision: Decision,
    before: Sequence[str],
    because: str,
) -> Draft:
    """In one text for one content: ids and what the order compares, no name, no document; it names the one before."""
    waits, revision = waits_for(decision, order), len(before) + 1
    said = {
        "form": FORM,
        "town": town,
        "call": call.number,
        "category": call.category,
        "vacancies": call.vacancies,
        "revision": revision,
        "previous": before[-1] if before else None,
        "because": because,
        "law": {"rule": order.rule.code, "on": call.announced_on, "articles": order.articles},
        "draw": {"source": call.draw_source, "on": call.draw_on, "absent": order.rule.absent_from_draw},
        "waits": waits,
        "candidates": _listed(decision, members),
    }
    return Draft(revision, canonical(simple(said)), waits)


def _listed(decision: Decision, members: Sequence[SelectionCandidate]) -> list[dict[str, Any]]:
    compared = {str(each.id): each.facts for each in members}
    ranking = sorted(answered(decision).ranking, key=lambda each: (each.place, each.key))
    return [{"id": each.key, "place": each.place, "facts": compared[each.key]} for each in ranking]


async def publish(tx: Transaction, call: SelectionCall, drafted: Draft, act_id: UUID) -> None:
    """The list as its act published it."""
    row = SelectionList(
        tenant_id=tx.tenant_id,
        call_id=call.id,
        revision=drafted.revision,
        text=drafted.text,
        sha256=drafted.sha256,
        published_on=tx.today,
        act_id=act_id,
    )
    await registry.add(tx, row)


def groups(answer: SelectionAnswer) -> list[list[str]]:
    """Who comes when: those of one place together, by their ids; who is out is not among them."""
    inside = sorted((each.place, each.key) for each in answer.ranking if each.place)
    return [[key for _, key in equals] for _, equals in groupby(inside, key=lambda each: each[0])]
