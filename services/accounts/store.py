"""Accounts and appointments."""

from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction


async def account(tx: "Reader", subject: str, day: date) -> Row[Any] | None:
    """The account with its offices of the day, and whether its person or company holds or drives."""
    return await tx.row(
        """
        SELECT a.id, a.version, a.person_id, a.company_id,
               ARRAY(
                   SELECT p.office FROM appointment AS p
                   WHERE p.tenant_id = a.tenant_id AND p.account_id = a.id AND p.during @> CAST(:day AS date)
                   ORDER BY p.office
               ) AS offices,
               EXISTS (
                   SELECT FROM holder AS h
                   WHERE h.tenant_id = a.tenant_id AND (h.person_id = a.person_id OR h.company_id = a.company_id)
               ) AS holds,
               EXISTS (SELECT FROM driver AS d WHERE d.tenant_id = a.tenant_id AND d.person_id = a.person_id) AS drives
        FROM account AS a WHERE a.tenant_id = :tenant AND a.subject = :subject
        """,
        subject=subject,
        day=day,
    )


async def ensure(
    tx: "Transaction",
    subject: str,
    *,
    name: str = "",
    email: str | None = None,
    person_id: UUID | None = None,
    company_id: UUID | None = None,
) -> UUID:
    """The account of a token's subject, made when it is not there; what is given replaces what was."""
    made = await tx.one(
        """
        INSERT INTO account (tenant_id, subject, name, email, person_id, company_id)
        VALUES (:tenant, :subject, :name, nullif(:email, ''), :person, :company)
        ON CONFLICT (tenant_id, subject) DO UPDATE SET
            name = coalesce(nullif(excluded.name, ''), account.name),
            email = coalesce(excluded.email, account.email),
            person_id = coalesce(excluded.person_id, account.person_id),
            company_id = coalesce(excluded.company_id, account.company_id),
            version = account.version + 1
        RETURNING id
        """,
        subject=subject,
        name=name,
        email=email,
        person=person_id,
        company=company_id,
    )
    found: UUID = made.id
    return found


async def appoint(
    tx: "Transaction", account_id: UUID, office: str, since: date, act_id: UUID, id: UUID | None = None
) -> UUID:
    """``id``: where its act names it already. Raises Conflict when the account holds it on one of those days."""
    made = await tx.one(
        """
        INSERT INTO appointment (tenant_id, id, account_id, office, during, appointed_act)
        VALUES (:tenant, coalesce(CAST(:id AS uuid), uuidv7()), :account, :office, daterange(:since, NULL), :act)
        RETURNING id
        """,
        id=id,
        account=account_id,
        office=office,
        since=since,
        act=act_id,
    )
    found: UUID = made.id
    return found


async def appointment(tx: "Reader", id: UUID) -> Row[Any]:
    """Whose it is, and of which office. Raises NotFound."""
    found = await tx.row(
        "SELECT a.subject, p.office FROM appointment AS p "
        "JOIN account AS a ON a.tenant_id = p.tenant_id AND a.id = p.account_id "
        "WHERE p.tenant_id = :tenant AND p.id = :id",
        id=id,
    )
    if found is None:
        raise NotFound("appointment", id)
    return found


async def holding(tx: "Transaction", account_id: UUID, office: str, day: date) -> Row[Any] | None:
    return await tx.row(
        """
        SELECT id, version FROM appointment
        WHERE tenant_id = :tenant AND account_id = :account AND office = :office
          AND during @> CAST(:day AS date) AND lower(during) < :day
        FOR UPDATE
        """,
        account=account_id,
        office=office,
        day=day,
    )


async def end(tx: "Transaction", appointment_id: UUID, on: date, act_id: UUID) -> None:
    """The first day on which the office is no longer held."""
    await tx.rows(
        """
        UPDATE appointment SET during = daterange(lower(during), :on), removed_act = :act, version = version + 1
        WHERE tenant_id = :tenant AND id = :id
        """,
        id=appointment_id,
        on=on,
        act=act_id,
    )


async def appointments(tx: "Reader", day: date) -> list[Row[Any]]:
    """Who holds which office on a day."""
    return await tx.rows(
        """
        SELECT p.id, p.office, a.subject, a.name, lower(p.during) AS since, p.appointed_act
        FROM appointment AS p JOIN account AS a ON a.tenant_id = p.tenant_id AND a.id = p.account_id
        WHERE p.tenant_id = :tenant AND p.during @> CAST(:day AS date)
        ORDER BY p.office, a.subject
        """,
        day=day,
    )
