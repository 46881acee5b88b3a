"""The SQL of renewals: what was asked for, extensions, and the fines that lateness has drawn."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader, Transaction
from services.errors import NotFound

REQUEST = """
SELECT id, permit_id, licence_id, requested_on, complete, decision FROM renewal_request WHERE tenant_id = :tenant
"""


async def request(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{REQUEST} AND id = :id", id=id)
    if found is None:
        raise NotFound("renewal_request", id)
    return found


async def requests_of(tx: Reader, permit_id: UUID) -> list[Row[Any]]:
    """What has been asked for a permit, the first first."""
    return await tx.rows(f"{REQUEST} AND permit_id = :permit ORDER BY requested_on, id", permit=permit_id)


async def asked_in_full(tx: Reader, licence_id: UUID) -> bool:
    """Has this licence's renewal been asked for with all that it needs?"""
    found: bool = await tx.scalar(
        "SELECT EXISTS (SELECT FROM renewal_request WHERE tenant_id = :tenant AND licence_id = :licence AND complete)",
        licence=licence_id,
    )
    return found


EXTENSION = "SELECT id, lower(during) AS since, upper(during) - 1 AS until FROM extension WHERE tenant_id = :tenant"


async def extension(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{EXTENSION} AND id = :id", id=id)
    if found is None:
        raise NotFound("extension", id)
    return found


async def extensions_of(tx: Reader, permit_id: UUID) -> list[Row[Any]]:
    return await tx.rows(f"{EXTENSION} AND permit_id = :permit ORDER BY id", permit=permit_id)


STRETCH = """
WITH vehicle AS (
    UPDATE permit_vehicle SET during = daterange(lower(during), :upper), version = version + 1
    WHERE tenant_id = :tenant AND permit_id = :id AND upper(during) = :old AND NOT isempty(during)
), stand AS (
    UPDATE stand_assignment SET during = daterange(lower(during), :upper), version = version + 1
    WHERE tenant_id = :tenant AND permit_id = :id AND upper(during) = :old AND NOT isempty(during)
)
UPDATE permit SET during = daterange(lower(during), :upper), version = version + 1
WHERE tenant_id = :tenant AND id = :id
"""


async def stretch(tx: Transaction, permit_id: UUID, old: date, upper: date) -> None:
    """The permit goes on, and so do its vehicle and its place: ``upper`` is the first day without it."""
    await tx.rows(STRETCH, id=permit_id, old=old, upper=upper)


async def fined(tx: Reader, permit_id: UUID, infractions: Sequence[str], seen_on: date) -> bool:
    """Has this permit been fined for one of these on that day of the fact?"""
    found: bool = await tx.scalar(
        "SELECT EXISTS (SELECT FROM fine WHERE tenant_id = :tenant AND permit_id = :permit AND seen_on = :seen "
        "AND infraction = ANY(CAST(:infractions AS text[])))",
        permit=permit_id,
        seen=seen_on,
        infractions=list(infractions),
    )
    return found


LICENCES = """
SELECT id, number, during, lower(during) AS since, upper(during) - 1 AS until
FROM licence WHERE tenant_id = :tenant AND permit_id = :permit AND NOT isempty(during) ORDER BY lower(during)
"""


async def licences(tx: Reader, permit_id: UUID) -> list[Row[Any]]:
    """Every licence that a permit has had, the first first."""
    return await tx.rows(LICENCES, permit=permit_id)
