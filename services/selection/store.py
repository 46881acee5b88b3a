"""The selection's SQL: calls, candidates, lists, judgements, objections."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row
from sqlmodel import select

from services.errors import Conflict, NotFound
from services.selection.tables import SelectionCall, SelectionCandidate, SelectionObjection

if TYPE_CHECKING:
    from services.transactions import Reader, Transaction

CALL = "SELECT c.*, state(c, CAST(:day AS date)) AS state FROM selection_call AS c WHERE c.tenant_id = :tenant"
# Vacancies of calls that still run and that no permit has taken yet; of these, those that somebody was awarded.
PROMISED = """
SELECT c.area, sum(c.vacancies - taken.signed) AS promised, sum(taken.awarded) AS awarded
FROM selection_call AS c, LATERAL (
    SELECT count(*) FILTER (WHERE s.signed_on IS NOT NULL) AS signed,
           count(*) FILTER (WHERE s.awarded_on IS NOT NULL AND s.lost_on IS NULL AND s.signed_on IS NULL) AS awarded
    FROM selection_candidate AS s WHERE s.tenant_id = c.tenant_id AND s.call_id = c.id
) AS taken
WHERE c.tenant_id = :tenant AND c.ended_on IS NULL AND c.category = ANY(CAST(:categories AS text[]))
GROUP BY c.area
"""
CANDIDATES = """
SELECT s.*, state(s, CAST(:day AS date)) AS state, coalesce(p.name, o.name) AS name, v.plate
FROM selection_candidate AS s
JOIN holder AS h ON h.tenant_id = s.tenant_id AND h.id = s.holder_id
JOIN vehicle AS v ON v.tenant_id = s.tenant_id AND v.id = s.vehicle_id
LEFT JOIN person AS p ON p.tenant_id = h.tenant_id AND p.id = h.person_id
LEFT JOIN company AS o ON o.tenant_id = h.tenant_id AND o.id = h.company_id
WHERE s.tenant_id = :tenant
"""
CANDIDATE_ORDER = "ORDER BY nullif(s.place, 0) NULLS LAST, s.id"
LISTS = """
SELECT l.call_id, l.revision, l.text, l.sha256, l.published_on, l.act_id, encode(a.hash, 'hex') AS act_hash
FROM selection_list AS l JOIN act AS a ON a.tenant_id = l.tenant_id AND a.id = l.act_id
WHERE l.tenant_id = :tenant AND l.call_id = ANY(CAST(:calls AS uuid[])) ORDER BY l.call_id, l.revision
"""
JUDGEMENTS = "SELECT step, places, office FROM selection_judgement WHERE tenant_id = :tenant AND call_id = :call"
OBJECTIONS = "SELECT * FROM selection_objection WHERE tenant_id = :tenant"
WHOSE = """
SELECT h.person_id, h.company_id FROM selection_candidate AS s
JOIN holder AS h ON h.tenant_id = s.tenant_id AND h.id = s.holder_id
WHERE s.tenant_id = :tenant AND s.id = :id
"""


ENROLLED = """
SELECT EXISTS (
    SELECT FROM selection_candidate AS s
    JOIN holder AS h ON h.tenant_id = s.tenant_id AND h.id = s.holder_id
    JOIN holder AS asked ON asked.tenant_id = h.tenant_id
      AND (asked.person_id = h.person_id OR asked.company_id = h.company_id)
    WHERE s.tenant_id = :tenant AND s.call_id = :call AND asked.id = :holder
)
"""


async def enrolled(tx: "Reader", call_id: UUID, holder_id: UUID) -> bool:
    """Has the same person or company answered a call, under whichever holder?"""
    found: bool = await tx.scalar(ENROLLED, call=call_id, holder=holder_id)
    return found


async def lock_call(tx: "Transaction", id: UUID, version: int | None = None) -> SelectionCall:
    """The call as it is now; nobody else changes it, or what belongs to it, until the transaction ends.

    Raises:
        NotFound: There is no such call, or it is another town's.
        Conflict: It is of another version by now.
    """
    asked = select(SelectionCall).where(SelectionCall.tenant_id == tx.tenant_id, SelectionCall.id == id)
    found = (await tx.session.exec(asked.with_for_update().execution_options(populate_existing=True))).one_or_none()
    if found is None:
        raise NotFound("call", id)
    if version is not None and found.version != version:
        raise Conflict(version, found.version)
    return found


async def call_of(tx: "Reader", candidate_id: UUID) -> UUID:
    """Whose call a candidate answers. Raises NotFound."""
    found: UUID | None = await tx.scalar(
        "SELECT call_id FROM selection_candidate WHERE tenant_id = :tenant AND id = :id", id=candidate_id
    )
    if found is None:
        raise NotFound("candidate", candidate_id)
    return found


async def members(tx: "Transaction", call_id: UUID) -> list[SelectionCandidate]:
    """The candidates of a call that has been locked, in the order in which they enrolled."""
    asked = select(SelectionCandidate).where(
        SelectionCandidate.tenant_id == tx.tenant_id, SelectionCandidate.call_id == call_id
    )
    found = await tx.session.exec(asked.execution_options(populate_existing=True))
    return sorted(found, key=lambda each: each.id)


async def subjects(tx: "Reader", call_id: UUID) -> list[tuple[str, UUID]]:
    """Whatever has terms of its own in a call: the call, and who answers it."""
    rows = await tx.rows(
        "SELECT id FROM selection_candidate WHERE tenant_id = :tenant AND call_id = :call", call=call_id
    )
    return [("selection", call_id), *(("candidate", row.id) for row in rows)]


async def running(tx: "Reader", categories: Iterable[str]) -> list[tuple[str, UUID]]:
    """The same of every call that has promised vacancies of these categories."""
    rows = await tx.rows(
        "SELECT s.id FROM selection_call AS c "
        "JOIN selection_candidate AS s ON s.tenant_id = c.tenant_id AND s.call_id = c.id "
        "WHERE c.tenant_id = :tenant AND c.ended_on IS NULL AND c.category = ANY(CAST(:categories AS text[])) "
        "AND s.awarded_on IS NOT NULL",
        categories=sorted(categories),
    )
    return [("candidate", row.id) for row in rows]


async def member(tx: "Transaction", id: UUID) -> SelectionCandidate:
    """One candidate of a call that has been locked. Raises NotFound."""
    asked = select(SelectionCandidate).where(SelectionCandidate.tenant_id == tx.tenant_id, SelectionCandidate.id == id)
    found = (await tx.session.exec(asked.execution_options(populate_existing=True))).one_or_none()
    if found is None:
        raise NotFound("candidate", id)
    return found


async def objection(tx: "Transaction", id: UUID) -> SelectionObjection:
    """Raises NotFound."""
    asked = select(SelectionObjection).where(SelectionObjection.tenant_id == tx.tenant_id, SelectionObjection.id == id)
    found = (await tx.session.exec(asked.execution_options(populate_existing=True))).one_or_none()
    if found is None:
        raise NotFound("objection", id)
    return found


async def undecided(tx: "Reader", call_id: UUID) -> int:
    """Objections that nobody has decided."""
    return int(
        await tx.scalar(
            "SELECT count(*) FROM selection_objection "
            "WHERE tenant_id = :tenant AND call_id = :call AND decided_on IS NULL",
            call=call_id,
        )
    )


async def upheld(tx: "Reader", call_id: UUID) -> int:
    """Objections that were found to be right."""
    return int(
        await tx.scalar(
            "SELECT count(*) FROM selection_objection WHERE tenant_id = :tenant AND call_id = :call AND upheld",
            call=call_id,
        )
    )


async def promised(tx: "Reader", categories: Iterable[str]) -> dict[str | None, int]:
    """Vacancies that running calls of these categories have promised, by the area that they are of.

    Whoever acts on it has locked the category.
    """
    rows = await tx.rows(PROMISED, categories=sorted(categories))
    return {row.area: int(row.promised) for row in rows}


async def awarded(tx: "Reader", categories: Iterable[str]) -> dict[str | None, int]:
    """Of these, those that somebody may take up."""
    return {row.area: int(row.awarded) for row in await tx.rows(PROMISED, categories=sorted(categories))}


async def judgements(tx: "Reader", call_id: UUID) -> list[Row[Any]]:
    """In the order in which they were recorded: of one step, the later one counts."""
    return await tx.rows(f"{JUDGEMENTS} ORDER BY id", call=call_id)


async def lists(tx: "Reader", calls: Sequence[UUID]) -> dict[UUID, list[Row[Any]]]:
    """What was published of each call, the first first."""
    found: dict[UUID, list[Row[Any]]] = {}
    for row in await tx.rows(LISTS, calls=list(calls)):
        found.setdefault(row.call_id, []).append(row)
    return found


async def page(tx: "Reader", day: date, limit: int, after: UUID | None = None) -> list[Row[Any]]:
    """Calls, the latest first; ``after``: the id of the row before."""
    earlier = "AND c.id < :after" if after else ""
    params = {"after": after} if after else {}
    return await tx.rows(f"{CALL} {earlier} ORDER BY c.id DESC LIMIT :limit", day=day, limit=limit, **params)


async def call(tx: "Reader", id: UUID, day: date) -> Row[Any]:
    """Raises NotFound, also for another town's call."""
    found = await tx.row(f"{CALL} AND c.id = :id", id=id, day=day)
    if found is None:
        raise NotFound("call", id)
    return found


async def by_number(tx: "Reader", number: str, day: date) -> Row[Any] | None:
    return await tx.row(f"{CALL} AND c.number = :number", number=number, day=day)


async def candidates(tx: "Reader", calls: Sequence[UUID], day: date) -> dict[UUID, list[Row[Any]]]:
    """The candidates of each call with name and plate, in the published order where there is one."""
    found: dict[UUID, list[Row[Any]]] = {}
    sql = f"{CANDIDATES} AND s.call_id = ANY(CAST(:calls AS uuid[])) {CANDIDATE_ORDER}"
    for row in await tx.rows(sql, calls=list(calls), day=day):
        found.setdefault(row.call_id, []).append(row)
    return found


async def mine(tx: "Reader", day: date, *, person: UUID | None, company: UUID | None) -> list[Row[Any]]:
    """As whom a person or a company has answered calls, the latest call first; as `candidates` has them."""
    sql = f"{CANDIDATES} AND (h.person_id = :person OR h.company_id = :company) ORDER BY s.call_id DESC, s.id"
    return await tx.rows(sql, person=person, company=company, day=day)


async def calls(tx: "Reader", ids: Sequence[UUID], day: date) -> dict[UUID, Row[Any]]:
    rows = await tx.rows(f"{CALL} AND c.id = ANY(CAST(:calls AS uuid[]))", calls=list(ids), day=day)
    return {row.id: row for row in rows}


async def candidate(tx: "Reader", id: UUID, day: date) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{CANDIDATES} AND s.id = :id", id=id, day=day)
    if found is None:
        raise NotFound("candidate", id)
    return found


async def objections(tx: "Reader", calls: Sequence[UUID]) -> dict[UUID, list[Row[Any]]]:
    found: dict[UUID, list[Row[Any]]] = {}
    for row in await tx.rows(f"{OBJECTIONS} AND call_id = ANY(CAST(:calls AS uuid[])) ORDER BY id", calls=list(calls)):
        found.setdefault(row.call_id, []).append(row)
    return found


async def objection_row(tx: "Reader", id: UUID) -> Row[Any]:
    """Raises NotFound."""
    found = await tx.row(f"{OBJECTIONS} AND id = :id", id=id)
    if found is None:
        raise NotFound("objection", id)
    return found


async def whose(tx: "Reader", candidate_id: UUID) -> Row[Any]:
    """The person or company that a candidate is. Raises NotFound."""
    found = await tx.row(WHOSE, id=candidate_id)
    if found is None:
        raise NotFound("candidate", candidate_id)
    return found
