"""The cases' SQL: the case and its charges as they are now, its parties, services and pieces, and its terms."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from sqlalchemy import Row
from sqlmodel import select

from services.errors import Conflict, NotFound
from services.proceedings.tables import Charge, Proceeding, Service
from services.schema import TownRow

if TYPE_CHECKING:
    from services.transactions import Reader, Transaction

T = TypeVar("T", bound=TownRow)
CASE = "SELECT c.*, state(c, CAST(:day AS date)) AS state FROM proceeding AS c WHERE c.tenant_id = :tenant"
PARTIES = """
SELECT p.*, coalesce(p.name, n.name, o.name) AS shown,
       n.id AS of_person, o.id AS of_company
FROM proceeding_party AS p
LEFT JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
LEFT JOIN driver AS d ON d.tenant_id = p.tenant_id AND d.id = p.driver_id
LEFT JOIN person AS n ON n.tenant_id = p.tenant_id AND n.id = coalesce(p.person_id, h.person_id, d.person_id)
LEFT JOIN company AS o ON o.tenant_id = p.tenant_id AND o.id = h.company_id
WHERE p.tenant_id = :tenant
"""
PIECES = """
SELECT p.*, e.media_type, e.size, e.sha256 AS evidence_sha256, e.state AS evidence_state, a.legal_day AS disposed_on
FROM proceeding_piece AS p LEFT JOIN evidence AS e ON e.tenant_id = p.tenant_id AND e.id = p.evidence_id
LEFT JOIN act AS a ON a.tenant_id = p.tenant_id AND a.id = p.disposed_act
WHERE p.tenant_id = :tenant
"""
IN_ORDER = f"{PIECES} AND p.proceeding_id = :case ORDER BY p.seq"
# Of what infraction a fine is, whatever it is reported as.
FINES = """
SELECT f.id, coalesce(p.infraction, f.infraction) AS infraction FROM fine AS f
LEFT JOIN penalty AS p ON p.tenant_id = f.tenant_id AND p.fine_id = f.id
WHERE f.tenant_id = :tenant AND f.id = ANY(CAST(:ids AS uuid[]))
"""


async def lock_case(tx: "Transaction", id: UUID, version: int | None = None) -> Proceeding:
    """The case as it is now; nobody else changes it, or what belongs to it, until the transaction ends.

    Raises:
        NotFound: There is no such case, or it is another town's.
        Conflict: It is of another version by now.
    """
    asked = select(Proceeding).where(Proceeding.tenant_id == tx.tenant_id, Proceeding.id == id)
    found = (await tx.session.exec(asked.with_for_update().execution_options(populate_existing=True))).one_or_none()
    if found is None:
        raise NotFound("case", id)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    return found


async def case(tx: "Reader", id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{CASE} AND c.id = :id", id=id, day=tx.today)
    if found is None:
        raise NotFound("case", id)
    return found


async def case_by_number(tx: "Reader", number: str) -> Row[Any] | None:
    return await tx.row(f"{CASE} AND c.number = :number", number=number, day=tx.today)


async def page(tx: "Reader", limit: int, after: UUID | None, state: str | None) -> list[Row[Any]]:
    """Cases, the newest first; ``state``: of today."""
    older = "AND c.id < :after" if after else ""
    only = "AND state(c, CAST(:day AS date)) = :state" if state else ""
    given = ({"after": after} if after else {}) | ({"state": state} if state else {})
    return await tx.rows(f"{CASE} {older} {only} ORDER BY c.id DESC LIMIT :limit", day=tx.today, limit=limit, **given)


async def charges(tx: "Reader", case_id: UUID) -> list[Charge]:
    """The charges as they are now, in the order of the opening."""
    return await _of_case(tx, Charge, Charge.proceeding_id, case_id)


async def services(tx: "Reader", case_id: UUID) -> list[Service]:
    return await _of_case(tx, Service, Service.proceeding_id, case_id)


async def _of_case(tx: "Reader", kind: type[T], column: Any, case_id: UUID) -> list[T]:
    asked = select(kind).where(kind.tenant_id == tx.tenant_id, column == case_id)
    ordered = asked.order_by(kind.id).execution_options(populate_existing=True)  # type: ignore[arg-type]
    return list(await tx.session.exec(ordered))


BY_ID = {
    "party": f"{PARTIES} AND p.id = :id",
    "piece": f"{PIECES} AND p.id = :id",
    "charge": "SELECT * FROM proceeding_charge WHERE tenant_id = :tenant AND id = :id",
}


async def part(tx: "Reader", kind: str, id: UUID) -> Row[Any]:
    """A party, piece or charge of whichever case. Raises NotFound, also for another town's."""
    found = await tx.row(BY_ID[kind], id=id)
    if found is None:
        raise NotFound(kind, id)
    return found


async def parties(tx: "Reader", case_id: UUID) -> list[Row[Any]]:
    """Respondents and who acts for them, with the person or company that each is."""
    return await tx.rows(f"{PARTIES} AND p.proceeding_id = :case ORDER BY p.id", case=case_id)


async def pieces(tx: "Reader", case_id: UUID) -> list[Row[Any]]:
    return await tx.rows(IN_ORDER, case=case_id)


async def last_piece(tx: "Reader", case_id: UUID) -> Row[Any] | None:
    return await tx.row(f"{IN_ORDER} DESC LIMIT 1", case=case_id)


async def filed(tx: "Reader", case_id: UUID, kind: str) -> dict[UUID, date]:
    """Who has filed a piece of this kind in time, and on what day first."""
    rows = await tx.rows(
        "SELECT party_id, min(filed_on) AS on_day FROM proceeding_piece WHERE tenant_id = :tenant "
        "AND proceeding_id = :case AND kind = :kind AND party_id IS NOT NULL AND NOT late GROUP BY party_id",
        case=case_id,
        kind=kind,
    )
    return {row.party_id: row.on_day for row in rows}


async def terms(tx: "Reader", case_id: UUID, kind: str) -> list[Row[Any]]:
    """The deadlines of one step of a case, whoever's, the first first."""
    return await tx.rows(
        "SELECT d.*, d.inputs ->> 'party' AS party FROM deadline AS d WHERE tenant_id = :tenant "
        "AND subject_kind = 'case' AND subject_id = :case AND kind = :kind ORDER BY id",
        case=case_id,
        kind=kind,
    )


async def running_of(tx: "Reader", subject: tuple[str, UUID], states: Sequence[str]) -> list[Row[Any]]:
    """The deadlines of a subject that are in one of these states."""
    return await tx.rows(
        "SELECT * FROM deadline WHERE tenant_id = :tenant AND subject_kind = :kind AND subject_id = :id "
        "AND state = ANY(CAST(:states AS text[])) ORDER BY id",
        kind=subject[0],
        id=subject[1],
        states=list(states),
    )


async def fines(tx: "Reader", ids: Sequence[UUID]) -> list[Row[Any]]:
    return await tx.rows(FINES, ids=list(ids))


async def applied(tx: "Reader", kind: str | None, id: UUID | None) -> set[str]:
    """The infractions of a record of which something was applied on the spot."""
    if kind != "occurrence" or id is None:
        return set()
    rows = await tx.rows(
        "SELECT infraction FROM penalty WHERE tenant_id = :tenant AND occurrence_id = :id AND state = 'applied'", id=id
    )
    return {row.infraction for row in rows}


async def due_by(tx: "Transaction", fine_id: UUID, deadline_id: UUID) -> None:
    """The fine is to be paid by another deadline."""
    await tx.rows(
        "UPDATE fine SET due_deadline_id = :deadline, version = version + 1 WHERE tenant_id = :tenant AND id = :id",
        id=fine_id,
        deadline=deadline_id,
    )


async def replace_expired(tx: "Transaction", deadline_id: UUID, successor: UUID) -> None:
    """A term that was found to be over is not: another stands in its place. When it was closed, and by what, stays."""
    await tx.rows(
        "UPDATE deadline SET state = 'replaced', replaced_by = :successor, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id AND state = 'expired'",
        id=deadline_id,
        successor=successor,
    )


async def case_of(tx: "Reader", *, proposal_id: UUID) -> Row[Any] | None:
    """The charge of a case that a proposal waits for."""
    return await tx.row(
        "SELECT ch.*, c.number FROM proceeding_charge AS ch JOIN proceeding AS c ON c.tenant_id = ch.tenant_id "
        "AND c.id = ch.proceeding_id WHERE ch.tenant_id = :tenant AND ch.proposal_id = :proposal",
        proposal=proposal_id,
    )


async def from_source(tx: "Reader", kind: str, id: UUID) -> UUID | None:
    """The case that was opened from something."""
    found: UUID | None = await tx.scalar(
        "SELECT id FROM proceeding WHERE tenant_id = :tenant AND source_kind = :kind AND source_id = :id",
        kind=kind,
        id=id,
    )
    return found


async def is_piece(tx: "Reader", case_id: UUID, evidence_id: UUID) -> bool:
    found: Any = await tx.scalar(
        "SELECT 1 FROM proceeding_piece WHERE tenant_id = :tenant AND proceeding_id = :case AND evidence_id = :id",
        case=case_id,
        id=evidence_id,
    )
    return found is not None


async def case_of_evidence(tx: "Reader", evidence_id: UUID) -> Row[Any] | None:
    """The case of the record that a piece of evidence shows, and the record's number."""
    return await tx.row(
        "SELECT c.id, o.number AS record FROM evidence AS e "
        "JOIN occurrence AS o ON o.tenant_id = e.tenant_id AND o.client_id = e.client_id "
        "JOIN proceeding AS c ON c.tenant_id = o.tenant_id AND c.source_kind = 'occurrence' AND c.source_id = o.id "
        "WHERE e.tenant_id = :tenant AND e.id = :id",
        id=evidence_id,
    )


async def dispose(tx: "Transaction", case_id: UUID, act_id: UUID) -> int:
    """The content of every piece goes; hashes and order stay. How many it were."""
    gone = await tx.rows(
        "UPDATE proceeding_piece SET content = NULL, disposed_act = :act "
        "WHERE tenant_id = :tenant AND proceeding_id = :case AND content IS NOT NULL RETURNING id",
        case=case_id,
        act=act_id,
    )
    return len(gone)


async def party(tx: "Reader", case_id: UUID, party_id: UUID) -> Row[Any]:
    """Raises NotFound, also for one of another case."""
    found = await tx.row(f"{PARTIES} AND p.proceeding_id = :case AND p.id = :party", case=case_id, party=party_id)
    if found is None:
        raise NotFound("party", party_id)
    return found


async def end_party(tx: "Transaction", id: UUID, on: date, act_id: UUID) -> None:
    await tx.rows(
        "UPDATE proceeding_party SET ended_on = :on, ended_act = :act, version = version + 1 "
        "WHERE tenant_id = :tenant AND id = :id",
        id=id,
        on=on,
        act=act_id,
    )


async def name_parties(
    tx: "Transaction", case_id: UUID, *, holder: UUID | None, driver: UUID | None, person: UUID | None, name: str | None
) -> list[Row[Any]]:
    """Respondents that were in no register are by now: which they are."""
    return await tx.rows(
        "UPDATE proceeding_party SET holder_id = CAST(:holder AS uuid), driver_id = CAST(:driver AS uuid), "
        "person_id = CAST(:person AS uuid), name = CAST(:name AS text), version = version + 1 "
        "WHERE tenant_id = :tenant AND proceeding_id = :case AND role = 'respondent' "
        "AND num_nonnulls(holder_id, driver_id, person_id) = 0 RETURNING id",
        case=case_id,
        holder=holder,
        driver=driver,
        person=person,
        name=name,
    )
