"""A record of what an inspector saw (registro de ocorrência): sent once or again, it is one; the law draws the rest."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from typing import NotRequired, TypedDict, Unpack
from uuid import UUID
from zoneinfo import ZoneInfo

from services import acts, deadlines, numbers
from services.access import Actor
from services.acts.body import canonical, simple
from services.acts.record import Act
from services.database import Transaction
from services.enforcement import applying
from services.enforcement import store as penalties
from services.enforcement.drawing import Offender, draw
from services.enforcement.occurrences import offenders, store
from services.enforcement.occurrences.copies import queue_copy
from services.enforcement.tables import Occurrence
from services.errors import Invalid
from services.registry import identity
from services.registry import store as registry
from services.registry.attributes import checked, parsed
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.infractions import Infraction
from tenants.law.law import Law
from tenants.law.questions import Penalty

NODE = "occurrence"
OPEN = "open"


@dataclass(frozen=True, slots=True)
class Seen:
    """All that the device sends of a record: the same again is the same record.

    ``client_id``: the device's own name for it. ``seen_at``: by the device's clock. ``plate``: picks vehicle and permit
    of that day; without a permit the record is of whoever drove, and ``category`` says what they did. ``facts``: by the
    law's vocabulary. ``notified_on``: the person was given the copy, a refusal to sign being noted; without it nothing
    is applied yet.
    """

    client_id: str
    seen_at: datetime
    place: str
    infractions: Sequence[str]
    plate: str | None = None
    permit_id: UUID | None = None
    driver_id: UUID | None = None
    offender_name: str | None = None
    category: str | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    statement: str = ""
    refused_to_sign: bool = False
    notified_on: date | None = None

    def hash(self, inspector: str) -> bytes:
        return hashlib.sha256(canonical(simple({"inspector": inspector, **asdict(self)})).encode()).digest()


class Sent(TypedDict):
    """What the device sends, as ``Seen`` has it; ``seen_at`` in the town's time, without a zone."""

    client_id: str
    seen_at: datetime
    place: str
    infractions: Sequence[str]
    plate: NotRequired[str | None]
    permit_id: NotRequired[UUID | None]
    driver_id: NotRequired[UUID | None]
    offender_name: NotRequired[str | None]
    category: NotRequired[str | None]
    facts: NotRequired[Mapping[str, str] | None]
    notes: NotRequired[str]
    statement: NotRequired[str]
    refused_to_sign: NotRequired[bool]
    notified_on: NotRequired[date | None]


async def record_occurrence(tx: Transaction, actor: Actor, **sent: Unpack[Sent]) -> UUID:
    """Record what was seen, and apply what the law draws where the inspector's own office may; answers the id.

    Raises:
        Conflict: The device sent it before with other content.
        Invalid: The law has no such infraction, or it is not said whose the fact is.
    """
    office = actor.must("record")
    told = {**sent, "facts": sent.get("facts") or {}, "infractions": tuple(dict.fromkeys(sent["infractions"]))}
    told["seen_at"] = sent["seen_at"].replace(tzinfo=ZoneInfo(tx.town.zone))
    seen = Seen(**told)  # type: ignore[arg-type]
    content = seen.hash(actor.subject)
    before = await store.sent_before(tx, seen.client_id, content)
    return before or await _record(tx, actor, office, seen, content)


async def _record(tx: Transaction, actor: Actor, office: str, seen: Seen, content: bytes) -> UUID:
    day = seen.seen_at.date()
    law = await tx.law(on=day)
    _check(tx, law, seen, day)
    offender = await offenders.found(tx, law, seen)
    about = [] if offender.permit_id is None else await penalties.subjects_of(tx, offender.permit_id)
    about += [("driver", offender.driver_id)] if offender.driver_id else []
    await deadlines.settle(tx, seen.notified_on or day, about)
    decision = await draw(tx, law, offender, seen.infractions, parsed(law, seen.facts, "facts"))
    id = await registry.new_id(tx)
    act = await acts.record(
        tx,
        actor,
        "occurrence.recorded",
        on=(NODE, id),
        decision=decision,
        office=office,
        legal_day=day,
        changes={"clientId": seen.client_id, "plate": seen.plate, "infractions": list(seen.infractions)},
    )
    row = _row(tx, actor, seen, offender, content, act)
    row.id, row.office, row.decision = id, office, decision.plain()
    row.facts = checked(law, seen.facts, "facts")
    await registry.add(tx, row)
    told = seen.notified_on is not None or not at_once(drawn(decision))
    if told and _may_apply(actor, decision):
        case = applying.Case(offender, decision, day, seen.notified_on, office, id)
        row.state = state_after(await applying.apply(tx, actor, case))
    row.number = await numbers.take(tx, NODE, day.year)
    await tx.session.flush()
    await queue_copy(tx, id, row.number, offender, decision, given=seen.notified_on is not None)
    return id


def _check(tx: Transaction, law: Law, seen: Seen, day: date) -> None:
    if day > tx.today:
        raise Invalid("seenAt", "future", "A data do fato está no futuro: acerte o relógio do aparelho.")
    if seen.notified_on is not None and not day <= seen.notified_on <= tx.today:
        raise Invalid("notifiedOn", "order", "A ciência não pode ser anterior ao fato, nem estar no futuro.")
    identity.device_name(seen.client_id, "clientId")
    if not seen.place.strip():
        raise Invalid("place", "missing", "Diga o lugar do fato.")
    if not seen.infractions:
        raise Invalid("infractions", "missing", "Informe ao menos uma infração.")
    unknown = [code for code in seen.infractions if law.get(Infraction, code) is None]
    if unknown:
        said = f"A lei não tem, em {day:%d/%m/%Y}, a infração {', '.join(unknown)}."
        raise Invalid("infractions", "unknown_code", said)


def _row(tx: Transaction, actor: Actor, seen: Seen, offender: Offender, content: bytes, act: Act) -> Occurrence:
    return Occurrence(
        tenant_id=tx.tenant_id,
        client_id=seen.client_id,
        content_hash=content,
        seen_at=seen.seen_at,
        seen_on=act.legal_day,
        received_at=tx.now,
        place=seen.place,
        plate=offender.plate,
        vehicle_id=offender.vehicle.id if offender.vehicle is not None else None,
        permit_id=offender.permit_id,
        holder_id=offender.holder_id,
        driver_id=offender.driver_id,
        offender_name=offender.name,
        category=offender.category,
        infractions=list(seen.infractions),
        notes=seen.notes,
        statement=seen.statement,
        refused_to_sign=seen.refused_to_sign,
        notified_on=seen.notified_on,
        inspector=actor.subject,
        office="",
        state=OPEN,
        decision={},
        act_id=act.id,
    )


def drawn(decision: Decision) -> Sequence[Penalty]:
    """What stands of the law's answer, be it that an office must still decide on it."""
    answered = decision.outcome in (Outcome.VALUE, Outcome.NEEDS_DECISION) and decision.value is not None
    return decision.value.kept if answered else ()


def at_once(kept: Sequence[Penalty]) -> list[Penalty]:
    """Those that need no process first."""
    return [penalty for penalty in kept if not penalty.after_process]


def _may_apply(actor: Actor, decision: Decision) -> bool:
    """Whether the inspector's own office applies all of it; what only waits for a process is noted by any."""
    kept = drawn(decision)
    own = at_once(kept)
    if not own:
        return bool(kept)
    competent = all(not penalty.by or set(penalty.by) & set(actor.offices) for penalty in own)
    return decision.permits and actor.may("fine") and competent


def state_after(made: Sequence[applying.Made]) -> str:
    """What of the record is still to be done."""
    waits = any(each.row.state == applying.TO_BE_TRIED for each in made)
    return applying.TO_BE_TRIED if waits else applying.APPLIED
