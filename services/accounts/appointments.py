"""Who holds which office (nomeação, exoneração)."""

from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from services import acts
from services.accounts import store
from services.errors import Invalid, NotFound
from services.notices.composing import mailbox
from services.registry.store import new_id
from tenants.law.kinds.basis import Office

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction


async def appoint(
    tx: "Transaction",
    actor: "Actor",
    *,
    subject: str,
    office: str,
    since: date,
    name: str = "",
    email: str | None = None,
    person_id: UUID | None = None,
    company_id: UUID | None = None,
) -> UUID:
    """Appoint someone to an office of the law, from a day on.

    Args:
        email: Where notices to their offices go; without it, to their address in the register.

    Raises:
        Forbidden: The actor may not appoint.
        Invalid: The law of that day knows no such office; the address is none.
        Conflict: The office is already theirs.
    """
    acting = actor.must("appoint")
    law = await tx.law(on=since)
    if law.get(Office, office) is None:
        raise Invalid("office", "unknown", f"A lei não tem o órgão “{office}” em {since:%d/%m/%Y}.")
    if email and mailbox(email) is None:
        raise Invalid("email", "address", "O endereço não é de e-mail.")
    account_id = await store.ensure(tx, subject, name=name, email=email, person_id=person_id, company_id=company_id)
    id = await new_id(tx)
    act = await acts.record(
        tx,
        actor,
        "office.appointed",
        on=("account", account_id),
        office=acting,
        legal_day=since,
        changes={"office": office, "since": since},
        result={"id": id},
    )
    return await store.appoint(tx, account_id, office, since, act.id, id)


async def remove(
    tx: "Transaction", actor: "Actor", *, subject: str, office: str, on: date, why: str | None = None
) -> UUID:
    """End an appointment: `on` is the first day without it. Raises Forbidden; NotFound when it is not held before."""
    acting = actor.must("appoint")
    account = await store.account(tx, subject, tx.today)
    held = await store.holding(tx, account.id, office, on) if account else None
    if account is None or held is None:
        raise NotFound("appointment", subject)
    act = await acts.record(
        tx,
        actor,
        "office.removed",
        on=("account", account.id),
        office=acting,
        legal_day=on,
        changes={"office": office, "until": on},
        why=why,
        result={"id": held.id},
    )
    await store.end(tx, held.id, on, act.id)
    removed: UUID = held.id
    return removed
