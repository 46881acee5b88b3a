"""Whom a token's subject means in the register: a person or a company, who then sees what is theirs."""

from typing import TYPE_CHECKING
from uuid import UUID

from services import acts
from services.accounts import store
from services.errors import Invalid
from services.registry import store as registry

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction


async def link_account(
    tx: "Transaction",
    actor: "Actor",
    *,
    subject: str,
    name: str = "",
    person_id: UUID | None = None,
    company_id: UUID | None = None,
) -> UUID:
    """Say which person or company of the register a token's subject is.

    Raises:
        Forbidden: The actor may not register.
        NotFound: The town has no such person or company.
    """
    office = actor.must("register")
    if (person_id is None) == (company_id is None):
        raise Invalid("personId", "one_of", "Informe uma pessoa ou uma empresa.")
    await registry.must_exist(tx, "person" if person_id else "company", person_id or company_id)
    account_id = await store.ensure(tx, subject, name=name, person_id=person_id, company_id=company_id)
    await acts.record(
        tx,
        actor,
        "account.linked",
        on=("account", account_id),
        office=office,
        changes={"person": person_id, "company": company_id},
    )
    return account_id
