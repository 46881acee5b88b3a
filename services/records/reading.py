"""Everything about a holder, a driver or a vehicle in order of time (prontuário), each with its act and article."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.database import Reader
from services.errors import NotFound
from services.records import store
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.requirements import Requirement
from tenants.law.law import Law

KINDS = frozenset(store.BELONGINGS)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of a record. ``of``: what it is about, by kind and id; ``until``: its last day, or the next one due.

    ``office`` and ``verb`` are of the act that made it; ``message`` and ``articles`` of the decision on which it rests.
    """

    kind: str
    id: UUID
    day: date
    of: tuple[str, UUID | None]
    code: str
    title: str
    number: str | None
    until: date | None
    state: str | None
    articles: tuple[str, ...]
    message: str | None
    act_id: UUID | None
    verb: str | None
    office: str | None
    at: datetime | None


async def record(
    tx: Reader,
    actor: Actor,
    *,
    kind: str,
    id: UUID,
    on: date,
    limit: int,
    after: tuple[date, UUID] | None = None,
) -> list[Entry]:
    """A page of a subject's record as it is on a day: four statements, whatever it holds.

    Raises:
        NotFound: The town has no such holder, driver or vehicle.
        Forbidden: Neither an office that may read, nor whose it is.
    """
    owner = await store.owner(tx, kind, id) if kind in KINDS else None
    if owner is None:
        actor.must("read")  # who may not read learns nothing of what there is
        raise NotFound(kind, id)
    if kind == "vehicle":  # it may have served others, whose doings are none of its owner's business
        actor.must("read")
    else:
        actor.must_unless_own("read", person_id=owner.person_id, company_id=owner.company_id)
    about = await store.belonging(tx, kind, id)
    rows = await store.entries(tx, about, on, limit, after)
    acts = await store.bodies(tx, list({row.act_id for row in rows if row.act_id}))
    law = await tx.law(on=on)
    papers = _demanded(law)
    return [_entry(law, row, acts.get(row.act_id), papers) for row in rows]


def _entry(law: Law, row: Row[Any], act: Row[Any] | None, papers: Mapping[str, tuple[str, ...]]) -> Entry:
    decision = (json.loads(act.body).get("decision") or {}) if act else {}
    cited = (row.article,) if row.article else tuple(decision.get("citations") or ())
    return Entry(
        kind=row.kind,
        id=row.id,
        day=row.day,
        of=(row.of_kind, row.of_id),
        code=row.code,
        title=_title(law, row),
        number=row.number,
        until=row.until,
        state=row.state,
        articles=cited or (papers.get(row.code, ()) if row.kind == "paper" else ()),
        message=decision.get("message"),
        act_id=row.act_id,
        verb=act.verb if act else None,
        office=act.office if act else None,
        at=act.at if act else None,
    )


def _title(law: Law, row: Row[Any]) -> str:
    """As the law of the day calls it; what it does not name goes by its code."""
    match row.kind:
        case "paper" | "enrolment":
            return law.list({"paper": "paper", "enrolment": "role"}[row.kind]).get(row.code, row.code)
        case "fine" | "occurrence":
            found = [(code, law.get(Infraction, code)) for code in row.code.split(", ")]
            return "; ".join(rule.title if rule and rule.title else code for code, rule in found)
        case "case":
            process = law.get(Process, row.code)
            return process.title if process and process.title else row.code
        case "deadline" | "inspection":
            return _named(law, row.code)
    return str(row.code)


def _named(law: Law, code: str) -> str:
    found: Sequence[Any] = [law.find(kind, code) for kind in ("term", "inspection", "vehicle_age", "requirement")]
    titles = (each.item.title for each in found if each is not None)
    return next((title for title in titles if title), code)


def _demanded(law: Law) -> dict[str, tuple[str, ...]]:
    """The articles that ask for each paper."""
    found: dict[str, tuple[str, ...]] = {}
    for _, rule in law.all(Requirement):
        if rule.paper:
            cited = tuple(str(citation) for citation in rule.cite)
            found[rule.paper] = tuple(dict.fromkeys((*found.get(rule.paper, ()), *cited)))
    return found
