"""People, companies, holders and drivers enter the register, and change there."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from services import acts, terms
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.registry import identity, store
from services.registry.attributes import checked
from services.registry.facts import facts
from services.registry.tables import Company, Driver, Holder, Person


async def register_person(
    tx: Transaction,
    actor: Actor,
    *,
    cpf: str,
    name: str,
    email: str | None = None,
    birth_on: date | None = None,
    attributes: Mapping[str, str] | None = None,
) -> Person:
    """Register a natural person (pessoa física).

    Raises:
        Invalid: A number fails its check, or the CPF is registered already.
    """
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    if birth_on is not None and birth_on > tx.today:
        raise Invalid("birthOn", "future", "A data de nascimento está no futuro.")
    person = Person(
        tenant_id=tx.tenant_id,
        cpf=identity.cpf(cpf),
        name=identity.person_name(name),
        email=identity.email(email),
        birth_on=birth_on,
        attributes=checked(law, attributes or {}),
    )
    await store.add_once(tx, person, field="cpf", message="Este CPF já está cadastrado.")
    await acts.record(
        tx, actor, "person.registered", on=("person", person.id), office=office, changes={"name": person.name}
    )
    return person


async def register_company(
    tx: Transaction,
    actor: Actor,
    *,
    cnpj: str,
    name: str,
    email: str | None = None,
    attributes: Mapping[str, str] | None = None,
) -> Company:
    """Register a legal person (pessoa jurídica)."""
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    company = Company(
        tenant_id=tx.tenant_id,
        cnpj=identity.cnpj(cnpj),
        name=identity.name(name),
        email=identity.email(email),
        attributes=checked(law, attributes or {}),
    )
    await store.add_once(tx, company, field="cnpj", message="Este CNPJ já está cadastrado.")
    await acts.record(
        tx, actor, "company.registered", on=("company", company.id), office=office, changes={"name": company.name}
    )
    return company


async def register_holder(
    tx: Transaction,
    actor: Actor,
    *,
    kind: str,
    person_id: UUID | None = None,
    company_id: UUID | None = None,
    attributes: Mapping[str, str] | None = None,
) -> Holder:
    """Register who asks for a permit (candidato, depois permissionário): of a kind that the town's law knows."""
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    kinds = law.list("holder")
    if kind not in kinds:
        raise Invalid("kind", "unknown_code", f"A lei do município conhece: {', '.join(kinds) or 'nenhum tipo'}.")
    if (person_id is None) == (company_id is None):
        raise Invalid("personId", "one_of", "Informe uma pessoa ou uma empresa.")
    await store.must_exist(tx, "person" if person_id else "company", person_id or company_id)
    holder = Holder(
        tenant_id=tx.tenant_id,
        kind=kind,
        person_id=person_id,
        company_id=company_id,
        attributes=checked(law, attributes or {}),
    )
    await store.add(tx, holder)
    await acts.record(tx, actor, "holder.registered", on=("holder", holder.id), office=office, changes={"kind": kind})
    return holder


async def register_driver(
    tx: Transaction,
    actor: Actor,
    *,
    person_id: UUID,
    cnh_number: str,
    cnh_categories: Sequence[str] = (),
    cnh_ear: bool | None = None,
    cnh_first_on: date | None = None,
    cnh_until: date | None = None,
    attributes: Mapping[str, str] | None = None,
) -> Driver:
    """Register a driver (condutor). A number whose check digits fail is kept, and marked for review."""
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    await store.must_exist(tx, "person", person_id)
    if cnh_first_on and cnh_until and cnh_until < cnh_first_on:
        raise Invalid("cnhUntil", "order", "A CNH vence antes da primeira habilitação.")
    number, review = identity.cnh(cnh_number)
    driver = Driver(
        tenant_id=tx.tenant_id,
        person_id=person_id,
        cnh_number=number,
        cnh_categories=letters_of(cnh_categories),
        cnh_ear=cnh_ear,
        cnh_first_on=cnh_first_on,
        cnh_until=cnh_until,
        attributes=checked(law, attributes or {}),
        review=review,
    )
    await store.add_once(tx, driver, field="personId", message="Esta pessoa já está cadastrada como condutor.")
    act = await acts.record(
        tx, actor, "driver.registered", on=("driver", driver.id), office=office, changes={"review": review}
    )
    known = facts(law, {"driver.cnh.until": cnh_until})
    running = terms.started(law, known, of="driver", event="filed", on=tx.today, keys={})
    await terms.open_started(tx, act, running, subject=("driver", driver.id), on=tx.today)
    return driver


def letters_of(categories: Sequence[str]) -> list[str]:
    """Categories of a licence to drive, each by its letter: `AB` is A and B."""
    return sorted({letter for category in categories for letter in category.upper()})
