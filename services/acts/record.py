"""Recording acts, one or many in one statement."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.acts import store
from services.acts.body import Stated, act_body, digest, simple
from services.errors import Conflict
from tenants.law.decision import Decision

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

SALT_BYTES = 16  # law-free: the length of a salt


@dataclass(frozen=True, slots=True)
class Act:
    id: UUID
    verb: str
    at: datetime
    legal_day: date
    subject_kind: str
    subject_id: UUID | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One act of many. `legal_day`: the day on which it counts in law, which need not be that of its entry."""

    subject_id: UUID
    legal_day: date
    subject_kind: str
    decision: Decision | Mapping[str, Any] | None = None
    changes: Mapping[str, Any] | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    """What a request came to the first time: its act, on what, and what the use case left to answer with."""

    act_id: UUID
    verb: str
    subject_kind: str
    subject_id: UUID | None
    result: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class NewAct:
    """The columns of an act that is being made."""

    verb: str
    actor: str
    office: str | None
    at: datetime
    local_day: date
    legal_day: date
    subject_kind: str
    subject_id: UUID | None
    stated: Stated
    request_id: str | None = None
    request_hash: bytes | None = None
    result: Mapping[str, Any] | None = None

    def row(self) -> store.ActRow:
        salt = secrets.token_bytes(SALT_BYTES)
        body = act_body(self, self.stated)
        return store.ActRow(self, body, salt, digest(body, salt))


async def record(
    tx: "Transaction",
    actor: "Actor",
    verb: str,
    *,
    on: tuple[str, UUID | None],
    decision: Decision | None = None,
    office: str | None = None,
    legal_day: date | None = None,
    changes: Mapping[str, Any] | None = None,
    why: str | None = None,
    result: Mapping[str, Any] | None = None,
) -> Act:
    """Record what was done. The first act of a transaction carries the caller's request.

    Args:
        verb: Subject and participle, as in `fine.issued`.
        on: Kind and id of what it was done to.
        office: The office in which the actor did it: what `actor.must` answered.
        legal_day: The day of the fact; today when it is not said.
        changes: The columns that changed. Personal data in them are withheld.
        result: What a repeat of the request is answered with, beside `on`.
    """
    request = tx.take_request()
    new = NewAct(
        verb=verb,
        actor=actor.subject,
        office=office,
        at=tx.now,
        local_day=tx.today,
        legal_day=tx.today if legal_day is None else legal_day,
        subject_kind=on[0],
        subject_id=on[1],
        stated=Stated(decision, changes, why),
        request_id=None if request is None else request.id,
        request_hash=None if request is None else request.hash,
        result=None if result is None else simple(result),
    )
    (made,) = await store.add(tx, [new.row()])
    return Act(made.id, verb, tx.now, new.legal_day, new.subject_kind, new.subject_id)


async def record_each(
    tx: "Transaction", actor: "Actor", verb: str, entries: Sequence[Entry], *, office: str | None = None
) -> dict[UUID, UUID]:
    """One act for each entry, in one statement: the act of each subject. A subject stands in it once."""
    rows = [
        NewAct(
            verb=verb,
            actor=actor.subject,
            office=office,
            at=tx.now,
            local_day=tx.today,
            legal_day=entry.legal_day,
            subject_kind=entry.subject_kind,
            subject_id=entry.subject_id,
            stated=Stated(entry.decision, entry.changes, entry.why),
        ).row()
        for entry in entries
    ]
    return {made.subject_id: made.id for made in await store.add(tx, rows)} if rows else {}


async def repeated(tx: "Transaction", request_id: str, request_hash: bytes) -> Repeat | None:
    """What this request came to before, if it did. Raises Conflict when its input was another."""
    found = await store.by_request(tx, request_id)
    if found is None:
        return None
    if found.request_hash != request_hash:
        raise Conflict(message="Este pedido (requestId) já foi feito com outros dados.")
    return Repeat(found.id, found.verb, found.subject_kind, found.subject_id, found.result)
