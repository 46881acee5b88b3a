"""Acts and seals: rows that are only ever added."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row

from services.acts.body import canonical

if TYPE_CHECKING:
    from services.acts.record import NewAct
    from services.database import Directory, Reader, Transaction
    from services.settings import Settings

COLUMNS = (
    "id, verb, actor, office, at, local_day, legal_day, subject_kind, subject_id, request_id, result, body, salt, hash"
)

# Is a table still as small as when a session may have planned for it? Checks of foreign keys keep their plans too, and
# one made for an almost empty table reads all of it ever after, until the table is analysed or plans are forgotten.
YOUNG = """
SELECT bool_or(reltuples < :grown) FROM pg_class
WHERE oid = ANY(CAST(ARRAY['act', 'deadline', 'notice', 'permit', 'holder', 'person'] AS regclass[]))
"""
GROWN = 1_000  # law-free: rows from which on every plan takes the index


@dataclass(frozen=True, slots=True)
class ActRow:
    new: "NewAct"
    body: str
    salt: bytes
    hash: bytes


async def add(tx: "Transaction", rows: Sequence[ActRow]) -> list[Row[Any]]:
    """The ids given, each with its subject's."""
    return await tx.rows(
        """
        INSERT INTO act (tenant_id, verb, actor, office, at, local_day, legal_day, subject_kind, subject_id,
                         request_id, request_hash, result, body, salt, hash)
        SELECT :tenant, verb, actor, office, at, local_day, legal_day, subject_kind, subject_id,
               request_id, request_hash, CAST(result AS jsonb), body, salt, hash
        FROM unnest(
            CAST(:verbs AS text[]), CAST(:actors AS text[]), CAST(:offices AS text[]), CAST(:ats AS timestamptz[]),
            CAST(:local_days AS date[]), CAST(:legal_days AS date[]), CAST(:kinds AS text[]), CAST(:ids AS uuid[]),
            CAST(:requests AS text[]), CAST(:request_hashes AS bytea[]), CAST(:results AS text[]),
            CAST(:bodies AS text[]), CAST(:salts AS bytea[]), CAST(:hashes AS bytea[])
        ) AS made (verb, actor, office, at, local_day, legal_day, subject_kind, subject_id,
                   request_id, request_hash, result, body, salt, hash)
        RETURNING id, subject_id
        """,
        verbs=[row.new.verb for row in rows],
        actors=[row.new.actor for row in rows],
        offices=[row.new.office for row in rows],
        ats=[row.new.at for row in rows],
        local_days=[row.new.local_day for row in rows],
        legal_days=[row.new.legal_day for row in rows],
        kinds=[row.new.subject_kind for row in rows],
        ids=[row.new.subject_id for row in rows],
        requests=[row.new.request_id for row in rows],
        request_hashes=[row.new.request_hash for row in rows],
        results=[None if row.new.result is None else canonical(row.new.result) for row in rows],
        bodies=[row.body for row in rows],
        salts=[row.salt for row in rows],
        hashes=[row.hash for row in rows],
    )


async def forget_plans(directory: "Directory") -> None:
    """Before much is written: what the session planned for tables that were almost empty is not kept."""
    if await directory.scalar(YOUNG, grown=GROWN):
        await directory.rows("DISCARD PLANS")


LOCK_REQUEST = "SELECT pg_advisory_xact_lock(hashtextextended('request ' || :request || CAST(:tenant AS uuid), 0))"


async def by_request(tx: "Transaction", request_id: str) -> Row[Any] | None:
    """The act that a request came to. Whoever repeats it waits until the first is done: first lock, then look."""
    await tx.rows(LOCK_REQUEST, request=request_id)
    return await tx.row(
        "SELECT id, verb, subject_kind, subject_id, request_hash, result FROM act "
        "WHERE tenant_id = :tenant AND request_id = :request",
        request=request_id,
    )


async def of_subject(tx: "Reader", kind: str, subject_id: UUID) -> list[Row[Any]]:
    """What was done to something, oldest first."""
    return await tx.rows(
        f"SELECT {COLUMNS} FROM act WHERE tenant_id = :tenant AND subject_kind = :kind AND subject_id = :id "  # noqa: S608
        "ORDER BY id",
        kind=kind,
        id=subject_id,
    )


async def set_seal(tx: "Transaction", most: int) -> int:
    """Seal the oldest committed acts that no seal holds, after whoever seals in the town: how many."""
    sealed: int = await tx.scalar("SELECT set_seal(:tenant, :now, :most)", now=tx.now, most=most)
    return sealed


async def set_seals(directory: "Directory", towns: Sequence[UUID], settings: "Settings") -> list[Row[Any]]:
    """A seal in each of many towns; `sealed` is none where that failed, with its `error`."""
    limit = str(settings.night_statement_timeout_ms)
    await directory.rows("SELECT set_config('statement_timeout', :limit, true)", limit=limit)
    await forget_plans(directory)
    return await directory.rows(
        "SELECT * FROM set_seals(CAST(:towns AS uuid[]), :now, :most, :patience)",
        towns=sorted(towns),
        now=directory.now,
        most=settings.seal_most_acts,
        patience=settings.night_patience_ms,
    )


async def seals(tx: "Reader") -> list[Row[Any]]:
    return await tx.rows("SELECT seq, at, body, previous, hash FROM seal WHERE tenant_id = :tenant ORDER BY seq")


async def acts_by_id(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(
        f"SELECT {COLUMNS} FROM act WHERE tenant_id = :tenant AND id = ANY(CAST(:ids AS uuid[]))",  # noqa: S608
        ids=list(ids),
    )


async def all_ids(tx: "Reader") -> set[UUID]:
    return {row.id for row in await tx.rows("SELECT id FROM act WHERE tenant_id = :tenant")}


async def waiting_ids(tx: "Reader") -> set[UUID]:
    return {row.act_id for row in await tx.rows("SELECT act_id FROM act_unsealed WHERE tenant_id = :tenant")}
