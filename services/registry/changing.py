"""What the register knows of a person, company or holder changes (atualização do cadastro): nobody's change is lost."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.registry import identity, store
from services.registry.attributes import checked
from services.registry.tables import Company, Holder, Person

UNTOLD: Mapping[str, str] = {}


async def update_person(
    tx: Transaction,
    actor: Actor,
    *,
    person_id: UUID,
    version: int,
    attributes: Mapping[str, str] | None = None,
    why: str | None = None,
    **changes: Any,
) -> UUID:
    """Change what is known of a natural person; answers their id. The CPF stays: it is who they are.

    Args:
        version: The person as the caller saw them.
        attributes: Facts that the law declares; those not named stay.
        changes: Name, e-mail and day of birth; one that is not named stays.

    Raises:
        Conflict: The person has changed since.
    """
    born = changes.get("birth_on")
    if isinstance(born, date) and born > tx.today:
        raise Invalid("birthOn", "future", "A data de nascimento está no futuro.")
    return await _update(tx, actor, Person, person_id, version, changes, attributes or UNTOLD, why)


async def update_company(
    tx: Transaction,
    actor: Actor,
    *,
    company_id: UUID,
    version: int,
    attributes: Mapping[str, str] | None = None,
    why: str | None = None,
    **changes: Any,
) -> UUID:
    """Change what is known of a legal person; answers its id. The CNPJ stays. Raises as ``update_person``."""
    return await _update(tx, actor, Company, company_id, version, changes, attributes or UNTOLD, why)


async def update_holder(
    tx: Transaction,
    actor: Actor,
    *,
    holder_id: UUID,
    version: int,
    attributes: Mapping[str, str],
    why: str | None = None,
) -> UUID:
    """Change the facts told of a holder; answers their id. Raises as ``update_person``."""
    return await _update(tx, actor, Holder, holder_id, version, {}, attributes, why)


async def _update(
    tx: Transaction,
    actor: Actor,
    table: type[Person] | type[Company] | type[Holder],
    id: UUID,
    version: int,
    changes: Mapping[str, Any],
    attributes: Mapping[str, str],
    why: str | None,
) -> UUID:
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    kind = str(table.__tablename__)
    await store.lock(tx, kind, id)
    await deadlines.settle(tx, tx.today, (kind, id))
    row = await store.loaded(tx, table, id)
    values = dict(changes)
    if "name" in values:
        named = identity.person_name if table is Person else identity.name
        values["name"] = named(values["name"] or "")
    if "email" in values:
        values["email"] = identity.email(values["email"])
    if attributes:
        values["attributes"] = {**row.attributes, **checked(law, attributes)}
    changed = await store.change(tx, row, version, values)
    await acts.record(tx, actor, f"{kind}.changed", on=(kind, id), office=office, changes=changed, why=why)
    return id
