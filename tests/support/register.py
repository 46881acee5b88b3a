"""A small town with a law, and people and permits in it, for tests that need rows more than rules."""

import uuid
from datetime import date
from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy.dialects.postgresql import Range

from services import acts, deadlines
from services.access import operator
from services.database import Database, NewTown, Transaction
from services.municipalities import store
from services.tables import Holder, Licence, Permit, Person
from tenants.law.loader import load
from tests.support.law import TOWN

CLERK = operator("clerk")
REMINDERS = """
[[office]]
rows = [{ code = "financas", title = "Finanças", may = ["license", "fine"], cite = "art. 2" }]
[[term]]
code = "alvara"
title = "Alvará de licença"
cite = "art. 3"
of = "licence"
starts = "issued"
length = "1 year"
[[notice]]
rows = [{ code = "alvara_vence", on = "alvara", lead = ["30 days", "7 days"], to = "holder", template = "vence" }]
[[template]]
code = "vence"
subject = "{{ title }} {{ number }}"
body = "{{ name }}: vence em {{ last_day }} ({{ article }})."
"""


async def found(
    database: Database, slug: str = "vila-nova", *, zone: str = "America/Cuiaba", law: str = REMINDERS
) -> UUID:
    """A town of the directory with a published law."""
    ibge = f"{uuid.uuid4().int % 10**7:07d}"
    town = NewTown(
        slug=slug, name=slug.title(), uf="MT", ibge=ibge, zone=zone, hosts=(f"{slug}.test",), fictitious=True
    )
    async with database.founding(town) as tx:
        await publish(tx, law)
        return tx.tenant_id


async def publish(tx: Transaction, law: str = REMINDERS, *, official_on: date | None = None) -> store.Head:
    act = await acts.record(tx, CLERK, "law.onboarded", on=("municipality", tx.tenant_id))
    raws = load(TOWN + law).raws
    return await store.publish(tx, raws, official_on=official_on, norm="Lei 1/2000", cause="onboarded", act_id=act.id)


async def make_permit(tx: Transaction, *, email: str | None = "ana@example.org", name: str = "Ana Souza") -> Permit:
    cpf = f"{uuid.uuid4().int % 10**11:011d}"
    person = Person(tenant_id=tx.tenant_id, cpf=cpf, name=name, email=email)
    tx.session.add(person)
    await tx.session.flush()
    holder = Holder(tenant_id=tx.tenant_id, kind="autonomo", person_id=person.id)
    tx.session.add(holder)
    await tx.session.flush()
    granted = date(2020, 1, 1)
    act = await acts.record(tx, CLERK, "permit.granted", on=("holder", holder.id), legal_day=granted)
    permit = Permit(
        tenant_id=tx.tenant_id,
        number=f"P-{uuid.uuid4().hex[:8]}",
        category="taxi",
        instrument="permissao",
        holder_id=holder.id,
        granted_on=granted,
        during=Range(granted, None),
        granted_act=act.id,
    )
    tx.session.add(permit)
    await tx.session.flush()
    return permit


async def make_licence(tx: Transaction, *, until: date, permit: Permit | None = None) -> Licence:
    """A licence whose last day is `until`."""
    permit = permit or await make_permit(tx)
    act = await acts.record(tx, CLERK, "licence.issued", on=("permit", permit.id))
    licence = Licence(
        tenant_id=tx.tenant_id,
        permit_id=permit.id,
        number=f"A-{uuid.uuid4().hex[:8]}",
        during=Range(date(until.year - 1, 1, 1), date.fromordinal(until.toordinal() + 1)),
        act_id=act.id,
    )
    tx.session.add(licence)
    await tx.session.flush()
    return licence


async def make_deadline(
    tx: Transaction,
    *,
    until: date,
    subject: tuple[str, UUID] | None = None,
    rule: str = "alvara",
    follows: list[dict[str, Any]] | None = None,
) -> UUID:
    """An open deadline of a licence of its own, whose last day is `until`."""
    if subject is None:
        subject = ("licence", (await make_licence(tx, until=until)).id)
    act = await acts.record(tx, CLERK, "licence.issued", on=subject)
    return await deadlines.open_(
        tx,
        kind="licence",
        rule=rule,
        subject=subject,
        opened_on=date(2020, 1, 1),
        last_day=until,
        article="Lei 1/2000, art. 3",
        act_id=act.id,
        follows=follows or [],
    )


async def make_many(tx: Transaction, how_many: int, *, until: date) -> list[UUID]:
    """Open deadlines of one permit, all with the same last day."""
    permit = await make_permit(tx)
    act = await acts.record(tx, CLERK, "permit.charged", on=("permit", permit.id))
    new = deadlines.NewDeadline(
        kind="licence",
        rule="alvara",
        subject_kind="permit",
        subject_id=permit.id,
        opened_on=date(2020, 1, 1),
        last_day=until,
        article="Lei 1/2000, art. 3",
        opened_act=act.id,
    )
    return await deadlines.open_each(tx, [new] * how_many)


def name_of(database: Database) -> str:
    return (database.settings.database_url.path or "").removeprefix("/")


async def as_superuser(superuser_url: str, database: Database) -> asyncpg.Connection:
    """A connection past every policy: what somebody with the server itself could do."""
    return await asyncpg.connect(superuser_url.rpartition("/")[0] + "/" + name_of(database))
