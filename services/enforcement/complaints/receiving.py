"""A complaint of the public (reclamação): taken in without an account, followed with its number and its secret."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, numbers, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Reader, Transaction
from services.enforcement.complaints import store
from services.enforcement.occurrences.store import vehicle_by_plate
from services.enforcement.tables import Complaint
from services.errors import Conflict, Invalid, NotFound
from services.notices.composing import mailbox
from services.registry import identity
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import TermQuestion

NODE, RECEIVED = "complaint", "received"
SECRET_BYTES = 24  # law-free: what nobody guesses
TEXT_MOST = 10_000  # law-free: letters of a complaint
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the person keeps. The secret is told once; we know only its hash."""

    id: UUID
    number: str
    secret: str
    decision: Decision
    answer_until: date | None


def hash_of(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


async def file_complaint(
    tx: Transaction,
    actor: Actor,
    *,
    text: str,
    plate: str | None = None,
    happened_on: date | None = None,
    email: str | None = None,
) -> Receipt:
    """Take in a complaint from anybody. It is accepted also where the law sets no term for the answer.

    Args:
        email: To which the answer is sent; without it, it is read with number and secret.

    Raises:
        Invalid: It says nothing, or is of a day to come; the address is none.
        Conflict: The town receives more than it can at this moment.
    """
    await _may_come_in(tx, text, happened_on, email)
    known = identity.plate(plate) if plate else None
    vehicle = await vehicle_by_plate(tx, known, happened_on or tx.today) if known else None
    law, id = await tx.law(on=tx.today), await registry.new_id(tx)
    decision, running = answer_term(law, tx.today)
    act = await acts.record(tx, actor, "complaint.received", on=(NODE, id), decision=decision)
    deadline = await _open(tx, act, running, id)
    secret = secrets.token_urlsafe(SECRET_BYTES)
    row = Complaint(
        tenant_id=tx.tenant_id,
        id=id,
        secret_hash=hash_of(secret),
        received_at=tx.now,
        received_on=tx.today,
        text=text,
        plate=known,
        happened_on=happened_on,
        permit_id=vehicle.permit_id if vehicle is not None else None,
        deadline_id=deadline,
        decision=decision.plain(),
        email=email or None,
        act_id=act.id,
    )
    await registry.add(tx, row)
    row.number = await numbers.take(tx, NODE)
    await tx.session.flush()
    return Receipt(id, row.number, secret, decision, running.last_day if running else None)


async def _may_come_in(tx: Transaction, text: str, happened_on: date | None, email: str | None) -> None:
    if not text.strip() or len(text) > TEXT_MOST:
        raise Invalid("text", "length", f"Conte o que houve, em até {TEXT_MOST} letras.")
    if happened_on is not None and happened_on > tx.today:
        raise Invalid("happenedOn", "future", "O dia do fato ainda não chegou.")
    if email and mailbox(email) is None:
        raise Invalid("email", "address", "O endereço não é de e-mail.")
    if await store.received_since(tx, tx.now - HOUR) >= tx.settings.complaints_an_hour:
        raise Conflict(message="O município recebeu muitas reclamações nesta hora. Tente de novo mais tarde.")


def answer_term(law: Law, on: date) -> tuple[Decision, terms.Running | None]:
    """By when the authority must answer; without a term in the law, that it has none."""
    found = terms.started(law, facts(law), of=NODE, event=RECEIVED, on=on, keys={})
    if found:
        return found[0].decision, found[0]
    own = next((term for _, term in law.all(Term) if (term.of, term.starts) == (NODE, RECEIVED)), None)
    if own is not None:
        return decide(law, TermQuestion(code=own.code, start=on), facts(law)), None
    said = "A lei deste município não fixa prazo para responder a reclamações."
    ask = "Em que prazo a autoridade responde às reclamações dos usuários?"
    return Decision(Outcome.UNDETERMINED, said, missing=(Missing("rule", Term.kind, ask),)), None


async def _open(tx: Transaction, act: Act, running: terms.Running | None, id: UUID) -> UUID | None:
    """Where it binds the authority, its silence comes before another office, and nothing is decided by that."""
    if running is None:
        return None
    (made,) = await terms.open_started(tx, act, [running], subject=(NODE, id), on=act.legal_day)
    return made


async def follow(tx: Reader, *, number: str, secret: str) -> Row[Any]:
    """A complaint for who has its secret. Raises NotFound, for a wrong secret as for a number that never was."""
    found = await store.by_number(tx, number)
    given = hash_of(secret)
    if not hmac.compare_digest(bytes(found.secret_hash) if found is not None else given[::-1], given):
        raise NotFound(NODE, number)
    if found is None:
        raise NotFound(NODE, number)
    return found
