"""The SQL of those who drive in a holder's stead."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

SUBSTITUTE = """
SELECT s.id, s.permit_id, s.driver_id, s.rule, s.role, s.during, lower(s.during) AS since, upper(s.during) - 1 AS until,
       s.version, p.name, state(s, CAST(:day AS date)) AS state
FROM substitute AS s
JOIN driver AS d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
JOIN person AS p ON p.tenant_id = d.tenant_id AND p.id = d.person_id
WHERE s.tenant_id = :tenant
"""


async def substitute(tx: "Reader", id: UUID, day: date, *, lock: bool = False) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{SUBSTITUTE} AND s.id = :id" + (" FOR UPDATE OF s" if lock else ""), id=id, day=day)
    if found is None:
        raise NotFound("substitute", id)
    return found


async def of_permit(tx: "Reader", permit_id: UUID, day: date) -> list[Row[Any]]:
    """Everybody who has driven, or will, in the stead of a permit's holder, the first first."""
    return await tx.rows(f"{SUBSTITUTE} AND s.permit_id = :permit ORDER BY s.id", permit=permit_id, day=day)


async def count_in_role(tx: "Reader", permit_id: UUID, role: str, day: date) -> int:
    return int(
        await tx.scalar(
            "SELECT count(*) FROM substitute WHERE tenant_id = :tenant AND permit_id = :permit AND role = :role "
            "AND during @> CAST(:day AS date)",
            permit=permit_id,
            role=role,
            day=day,
        )
    )


async def leave(tx: "Transaction", id: UUID, day: date, act_id: UUID) -> None:
    """``day`` is the first without them."""
    await tx.rows(
        "UPDATE substitute SET during = during * daterange(NULL, :day), ended_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        day=day,
        act=act_id,
    )


async def are_over(tx: "Transaction", ids: Sequence[UUID], acts: Sequence[UUID]) -> None:
    """Those whose last day has passed: which act says so. The range has ended by itself."""
    await tx.rows(
        """
        UPDATE substitute AS s SET ended_act = over.act, version = s.version + 1
        FROM unnest(CAST(:ids AS uuid[]), CAST(:acts AS uuid[])) AS over (id, act)
        WHERE s.tenant_id = :tenant AND s.id = over.id AND s.ended_act IS NULL
        """,
        ids=list(ids),
        acts=list(acts),
    )


CERTIFICATE = """
SELECT id, issued_on, valid_until FROM paper
WHERE tenant_id = :tenant AND subject_kind = 'holder' AND subject_id = :holder AND code = :code
ORDER BY valid_until DESC NULLS LAST, issued_on DESC NULLS LAST, id DESC LIMIT 1
"""


async def certificate(tx: "Reader", holder_id: UUID, code: str) -> Row[Any] | None:
    """The holder's paper of a code that lasts longest."""
    return await tx.row(CERTIFICATE, holder=holder_id, code=code)
