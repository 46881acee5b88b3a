"""The records' SQL: one that was sent before, whose a plate is on a day, and lists."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.errors import Conflict, NotFound

if TYPE_CHECKING:
    from services.database import Reader, Transaction

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('occurrence ' || :client || CAST(:tenant AS uuid), 0))"
# The vehicle of a plate, and the permit that it serves on a day.
BY_PLATE = """
SELECT v.id, v.plate, v.holder_id, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats, v.fuel,
       v.attributes, pv.permit_id
FROM vehicle AS v
LEFT JOIN permit_vehicle AS pv
  ON pv.tenant_id = v.tenant_id AND pv.vehicle_id = v.id AND pv.during @> CAST(:day AS date)
WHERE v.tenant_id = :tenant AND v.plate = :plate
"""
OF_PERMIT = """
SELECT v.id, v.plate, v.holder_id, v.manufacture_year, v.model_year, v.first_registration, v.doors, v.seats, v.fuel,
       v.attributes, pv.permit_id
FROM permit_vehicle AS pv JOIN vehicle AS v ON v.tenant_id = pv.tenant_id AND v.id = pv.vehicle_id
WHERE pv.tenant_id = :tenant AND pv.permit_id = :permit AND pv.during @> CAST(:day AS date)
"""
OCCURRENCE = """
SELECT o.id, o.client_id, o.number, o.seen_at, o.seen_on, o.received_at, o.place, o.plate, o.vehicle_id, o.permit_id,
       o.holder_id, o.driver_id, o.person_id, o.offender_name, o.category, o.infractions, o.facts, o.notes, o.statement,
       o.refused_to_sign, o.notified_on, o.inspector, o.office, o.state, o.decision, o.act_id, o.version,
       p.number AS permit_number, coalesce(n.name, c.name) AS holder_name, m.name AS driver_name,
       coalesce(h.person_id, o.person_id) AS holder_person, h.company_id AS holder_company,
       d.person_id AS driver_person, coalesce(o.vehicle_id, w.id) AS known_vehicle, i.name AS person_name,
       k.id AS case_id, k.number AS case_number
FROM occurrence AS o
LEFT JOIN permit AS p ON p.tenant_id = o.tenant_id AND p.id = o.permit_id
LEFT JOIN holder AS h ON h.tenant_id = o.tenant_id AND h.id = o.holder_id
LEFT JOIN person AS n ON n.tenant_id = h.tenant_id AND n.id = h.person_id
LEFT JOIN company AS c ON c.tenant_id = h.tenant_id AND c.id = h.company_id
LEFT JOIN driver AS d ON d.tenant_id = o.tenant_id AND d.id = o.driver_id
LEFT JOIN person AS m ON m.tenant_id = d.tenant_id AND m.id = d.person_id
LEFT JOIN person AS i ON i.tenant_id = o.tenant_id AND i.id = o.person_id
LEFT JOIN vehicle AS w ON w.tenant_id = o.tenant_id AND w.plate = o.plate
LEFT JOIN proceeding AS k ON k.tenant_id = o.tenant_id AND k.source_kind = 'occurrence' AND k.source_id = o.id
WHERE o.tenant_id = :tenant
"""


async def sent_before(tx: "Transaction", client_id: str, content_hash: bytes) -> UUID | None:
    """The record that a device has sent already; one that sends it twice at once waits here for the first.

    Raises:
        Conflict: It was sent with other content.
    """
    await tx.rows(LOCK, client=client_id)
    found = await tx.row(
        "SELECT id, content_hash FROM occurrence WHERE tenant_id = :tenant AND client_id = :client", client=client_id
    )
    if found is None:
        return None
    if bytes(found.content_hash) != content_hash:
        raise Conflict(message="Este registro já foi enviado pelo aparelho com outro conteúdo.")
    return found.id  # type: ignore[no-any-return]


async def vehicle_by_plate(tx: "Reader", plate: str, day: date) -> Row[Any] | None:
    return await tx.row(BY_PLATE, plate=plate, day=day)


async def vehicle_of_permit(tx: "Reader", permit_id: UUID, day: date) -> Row[Any] | None:
    return await tx.row(OF_PERMIT, permit=permit_id, day=day)


async def is_driver_the_holder(tx: "Reader", driver_id: UUID | None, holder_id: UUID | None) -> bool:
    found = await tx.scalar(
        "SELECT EXISTS (SELECT FROM driver AS d JOIN holder AS h ON h.tenant_id = d.tenant_id "
        "AND h.person_id = d.person_id "
        "WHERE d.tenant_id = :tenant AND d.id = CAST(:driver AS uuid) AND h.id = CAST(:holder AS uuid))",
        driver=driver_id,
        holder=holder_id,
    )
    return bool(found)


async def vehicle_by_id(tx: "Reader", id: UUID) -> Row[Any] | None:
    return await tx.row("SELECT * FROM vehicle WHERE tenant_id = :tenant AND id = :id", id=id)


async def occurrence(tx: "Reader", id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{OCCURRENCE} AND o.id = :id", id=id)
    if found is None:
        raise NotFound("occurrence", id)
    return found


async def lock(tx: "Transaction", id: UUID, version: int | None) -> Row[Any]:
    """Raises NotFound; Conflict when it has changed since the caller saw it."""
    found = await tx.row("SELECT version FROM occurrence WHERE tenant_id = :tenant AND id = :id FOR UPDATE", id=id)
    if found is None:
        raise NotFound("occurrence", id)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    return await occurrence(tx, id)


async def close(tx: "Transaction", id: UUID, state: str, notified_on: date | None) -> None:
    await tx.rows(
        "UPDATE occurrence SET state = :state, notified_on = coalesce(notified_on, CAST(:told AS date)), "
        "version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=id,
        state=state,
        told=notified_on,
    )


IDENTIFY = """
UPDATE occurrence SET holder_id = coalesce(:holder, holder_id), driver_id = coalesce(:driver, driver_id),
    person_id = coalesce(:person, person_id), offender_name = coalesce(:name, offender_name), version = version + 1
WHERE tenant_id = :tenant AND id = :id
"""
IDENTIFY_PENALTIES = """
UPDATE penalty SET holder_id = coalesce(:holder, holder_id), driver_id = coalesce(:driver, driver_id),
    person_id = coalesce(:person, person_id), version = version + 1
WHERE tenant_id = :tenant AND occurrence_id = :id
"""


async def identify(
    tx: "Transaction", id: UUID, *, holder: UUID | None, driver: UUID | None, person: UUID | None, name: str | None
) -> None:
    """Who it was, of the record and of what it drew."""
    who = {"holder": holder, "driver": driver, "person": person}
    await tx.rows(_typed(IDENTIFY), id=id, name=name, **who)
    await tx.rows(_typed(IDENTIFY_PENALTIES), id=id, **who)


def _typed(sql: str) -> str:
    """Where nothing is given the driver cannot tell of what type that is."""
    for key, kind in (("holder", "uuid"), ("driver", "uuid"), ("person", "uuid"), ("name", "text")):
        sql = sql.replace(f"(:{key},", f"(CAST(:{key} AS {kind}),")
    return sql


CONDITIONS = {
    "state": "AND o.state = :state",
    "plate": "AND o.plate = :plate",
    "after": "AND o.id < :after",
}


async def page(tx: "Reader", limit: int, **only: Any) -> list[Row[Any]]:
    """Records, the newest first; ``only`` names conditions."""
    asked = {name: value for name, value in only.items() if value is not None}
    where = " ".join(CONDITIONS[name] for name in CONDITIONS if name in asked)
    return await tx.rows(f"{OCCURRENCE} {where} ORDER BY o.id DESC LIMIT :limit", limit=limit, **asked)


async def evidence_of(tx: "Reader", client_ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    """What shows each record, by the device's name for the record: one statement for all of them."""
    found: dict[str, list[Row[Any]]] = {}
    rows = await tx.rows(
        "SELECT id, client_id, media_type, size, sha256, received_at FROM evidence "
        "WHERE tenant_id = :tenant AND client_id = ANY(CAST(:clients AS text[])) AND state = 'stored' ORDER BY id",
        clients=list(client_ids),
    )
    for row in rows:
        found.setdefault(row.client_id, []).append(row)
    return found
