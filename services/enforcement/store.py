"""The enforcement's SQL: fines, penalties, and the past that repetition looks at."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.database import Reader
from services.errors import NotFound
from tenants.law.questions import Event

# A penalty is final when its case says so; unchallenged, on the day after the last one for a defence; at once where
# the law has no process. One that its case has dismissed never was.
PENALTIES = """
SELECT p.id, p.occurrence_id, p.permit_id, p.holder_id, p.driver_id, p.category, p.plate, p.infraction,
       p.infraction_group,
       p.reported_as, p.what, p.nth, p.points, p.seen_on, p.notified_on, p.state, p.may_open, p.fine_id, p.effect,
       p.act_id, p.version, f.number, f.units, f.unit, f.rate, f.brl,
       due.last_day AS due_on, d.last_day AS defence_until,
       CASE WHEN c.id IS NOT NULL THEN c.final_on
            WHEN d.state IN ('open', 'expired') THEN d.last_day + 1 ELSE p.final_on END AS final_on,
       coalesce(c.outcome, '') = 'dismissed' AS dismissed, c.suspended_on,
       (SELECT sum(m.brl) FROM payment AS m WHERE m.tenant_id = f.tenant_id AND m.fine_id = f.id) >= f.brl AS paid
FROM penalty AS p
LEFT JOIN fine AS f ON f.tenant_id = p.tenant_id AND f.id = p.fine_id
LEFT JOIN deadline AS due ON due.tenant_id = f.tenant_id AND due.id = f.due_deadline_id
LEFT JOIN deadline AS d ON d.tenant_id = p.tenant_id AND d.id = p.defence_id
LEFT JOIN LATERAL (
    SELECT g.id, g.final_on, g.outcome, g.suspended_on FROM proceeding_charge AS g
    WHERE g.tenant_id = p.tenant_id AND g.fine_id = p.fine_id AND g.infraction = p.infraction
    UNION ALL
    SELECT g.id, g.final_on, g.outcome, g.suspended_on FROM proceeding AS o
    JOIN proceeding_charge AS g ON g.tenant_id = o.tenant_id AND g.proceeding_id = o.id
    WHERE o.tenant_id = p.tenant_id AND o.source_kind = 'occurrence' AND o.source_id = p.occurrence_id
      AND g.infraction = p.infraction
    LIMIT 1
) AS c ON true
WHERE p.tenant_id = :tenant
"""
OF_OFFENDER = (
    "AND (p.holder_id = CAST(:holder AS uuid) OR p.driver_id = CAST(:driver AS uuid) "
    "OR p.person_id = CAST(:person AS uuid) OR p.plate = CAST(:plate AS text)) AND p.seen_on <= :day"
)
# Suspensions and endings take effect by a decision of their own.
DECIDED = """
SELECT r.id, r.ground AS infraction, r.effect, p.category, coalesce(lower(s.during), r.closed_on) AS since,
       upper(s.during) - 1 AS until, upper(s.during) - lower(s.during) AS days, p.id AS permit_id, p.holder_id,
       coalesce(s.act_id, r.closed_act) AS act_id
FROM proposal AS r
JOIN permit AS p ON p.tenant_id = r.tenant_id AND p.id = r.permit_id
LEFT JOIN suspension AS s ON s.tenant_id = r.tenant_id AND s.proposal_id = r.id
WHERE r.tenant_id = :tenant AND r.state = 'applied' AND p.holder_id = ANY(CAST(:holders AS uuid[]))
  AND coalesce(lower(s.during), r.closed_on) <= :day
ORDER BY since, r.id
"""
WHOSE = ("holder_id", "driver_id", "plate")
WORDS = {"end": "ending", "suspend": "suspension"}


SUBJECTS = """
SELECT 'permit' AS kind, id FROM permit WHERE tenant_id = :tenant AND id = :permit
UNION ALL
SELECT 'licence', id FROM licence WHERE tenant_id = :tenant AND permit_id = :permit
UNION ALL
SELECT 'fine', id FROM fine WHERE tenant_id = :tenant AND permit_id = :permit
UNION ALL
SELECT 'penalty', id FROM penalty WHERE tenant_id = :tenant AND permit_id = :permit
UNION ALL
SELECT 'occurrence', id FROM occurrence WHERE tenant_id = :tenant AND permit_id = :permit
"""


async def subjects_of(tx: Reader, permit_id: UUID) -> list[tuple[str, UUID]]:
    """Whatever of a permit has terms that bear on what is done to it next."""
    return [(row.kind, row.id) for row in await tx.rows(SUBJECTS, permit=permit_id)]


async def penalties_of(
    tx: Reader,
    holder_id: UUID | None,
    day: date,
    *,
    driver_id: UUID | None = None,
    person_id: UUID | None = None,
    plate: str | None = None,
) -> list[Row[Any]]:
    """Whatever was applied to them or to a vehicle up to a day, or waits for its process; oldest first."""
    sql = f"{PENALTIES} {OF_OFFENDER} ORDER BY p.seen_on, p.id"
    return await tx.rows(sql, holder=holder_id, driver=driver_id, person=person_id, plate=plate, day=day)


async def decided_of(tx: Reader, holder_id: UUID | None, day: date) -> list[Row[Any]]:
    """The suspensions and endings of a holder's permits that took effect up to a day, oldest first."""
    return [] if holder_id is None else await tx.rows(DECIDED, holders=[holder_id], day=day)


async def events(
    tx: Reader, holder_id: UUID | None, day: date, *, driver_id: UUID | None = None, plate: str | None = None
) -> tuple[Event, ...]:
    """The past that repetition counts, before a day, oldest first."""
    applied = await penalties_of(tx, holder_id, day, driver_id=driver_id, plate=plate)
    decided = await decided_of(tx, holder_id, day)
    return events_of([row for row in applied if row.seen_on < day], [row for row in decided if row.since < day])


OF_ANY = (
    "AND (p.holder_id = ANY(CAST(:holders AS uuid[])) OR p.driver_id = ANY(CAST(:drivers AS uuid[])) "
    "OR p.plate = ANY(CAST(:plates AS text[]))) AND p.seen_on < :day"
)


async def events_of_each(tx: Reader, facts: Sequence[Row[Any]]) -> list[tuple[Event, ...]]:
    """The same before each of several facts (`holder_id`, `driver_id`, `plate`, `seen_on`): two statements for all."""
    day = max(fact.seen_on for fact in facts)
    holders = list({fact.holder_id for fact in facts if fact.holder_id})
    drivers = list({fact.driver_id for fact in facts if fact.driver_id})
    plates = list({fact.plate for fact in facts if fact.plate})
    sql = f"{PENALTIES} {OF_ANY} ORDER BY p.seen_on, p.id"
    applied = await tx.rows(sql, holders=holders, drivers=drivers, plates=plates, day=day)
    decided = await tx.rows(DECIDED, holders=holders, day=day)
    of = _Index(applied, decided)
    return [events_of(of.applied(fact), of.decided(fact)) for fact in facts]


class _Index:
    """Penalties and decisions by whose they are."""

    def __init__(self, applied: Sequence[Row[Any]], decided: Sequence[Row[Any]]) -> None:
        self._applied: dict[tuple[str, Any], list[Row[Any]]] = {}
        self._decided: dict[Any, list[Row[Any]]] = {}
        for row in applied:
            for column in WHOSE:
                self._applied.setdefault((column, getattr(row, column)), []).append(row)
        for row in decided:
            self._decided.setdefault(row.holder_id, []).append(row)

    def applied(self, fact: Row[Any]) -> list[Row[Any]]:
        known = ((column, value) for column in WHOSE if (value := getattr(fact, column)) is not None)
        found = {row.id: row for key in known for row in self._applied.get(key, ()) if row.seen_on < fact.seen_on}
        return sorted(found.values(), key=lambda row: (row.seen_on, row.id))

    def decided(self, fact: Row[Any]) -> list[Row[Any]]:
        return [row for row in self._decided.get(fact.holder_id, ()) if row.since < fact.seen_on]


def events_of(applied: Sequence[Row[Any]], decided: Sequence[Row[Any]]) -> tuple[Event, ...]:
    """As the law looks at them: what waits, was withdrawn or dismissed, or is challenged and stands still is none."""
    found = [
        Event(
            row.seen_on,
            _keys(row),
            penalty=row.what,
            final_on=row.final_on,
            paid=bool(row.paid) if row.fine_id else None,
            points=row.points,
        )
        for row in applied
        if row.state == "applied" and not row.dismissed and row.suspended_on is None
    ]
    found += [
        Event(
            row.since,
            {"holder": str(row.holder_id), "infraction": row.infraction, "category": row.category},
            penalty=WORDS[row.effect],
            final_on=row.since,
            days=row.days,
        )
        for row in decided
    ]
    return tuple(sorted(found, key=lambda event: event.on))


def _keys(row: Row[Any]) -> dict[str, str]:
    own = {"holder": row.holder_id, "driver": row.driver_id, "vehicle": row.plate, "category": row.category}
    own |= {"infraction": row.infraction}
    found = {key: str(value) for key, value in own.items() if value is not None}
    return found | ({"group": row.infraction_group} if row.infraction_group else {})


# Final: upheld by its case; where there is none, when the term to defend oneself is over, or at once without any.
FINAL_FINES = """
SELECT f.id FROM fine AS f
LEFT JOIN penalty AS p ON p.tenant_id = f.tenant_id AND p.fine_id = f.id
LEFT JOIN deadline AS d ON d.tenant_id = p.tenant_id AND d.id = p.defence_id
LEFT JOIN proceeding_charge AS c ON c.tenant_id = f.tenant_id AND c.fine_id = f.id
WHERE f.tenant_id = :tenant AND f.permit_id = :permit
  AND CASE WHEN c.id IS NOT NULL THEN c.outcome = 'upheld' AND c.final_on <= :day
           WHEN p.id IS NOT NULL THEN coalesce(d.last_day + 1, p.final_on) <= :day ELSE true END
ORDER BY f.id
"""


async def final_fines_of(tx: Reader, permit_id: UUID, day: date) -> list[UUID]:
    """The fines of a permit that nobody can challenge any more on a day."""
    return [row.id for row in await tx.rows(FINAL_FINES, permit=permit_id, day=day)]


async def penalties_of_occurrences(tx: Reader, ids: Sequence[UUID]) -> dict[UUID, list[Row[Any]]]:
    """What each record drew, in the order of the law's answer: one statement for all of them."""
    found: dict[UUID, list[Row[Any]]] = {}
    for row in await tx.rows(
        f"{PENALTIES} AND p.occurrence_id = ANY(CAST(:ids AS uuid[])) ORDER BY p.id", ids=list(ids)
    ):
        found.setdefault(row.occurrence_id, []).append(row)
    return found


async def penalty(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's."""
    found = await tx.row(f"{PENALTIES} AND p.id = :id", id=id)
    if found is None:
        raise NotFound("penalty", id)
    return found


FINES_OF = """
SELECT f.* FROM unnest(CAST(:ids AS uuid[])) AS asked (id)
CROSS JOIN LATERAL (
    SELECT permit_id, id, number, infraction, seen_on, units, unit, rate, brl
    FROM fine WHERE tenant_id = :tenant AND permit_id = asked.id ORDER BY seen_on DESC, id DESC LIMIT :most
) AS f
"""


async def fines_of(tx: Reader, ids: Sequence[UUID], *, most: int) -> dict[UUID, list[Row[Any]]]:
    """At most so many fines of each permit, the latest first: one statement for all of them."""
    found: dict[UUID, list[Row[Any]]] = {}
    for row in await tx.rows(FINES_OF, ids=list(ids), most=most):
        found.setdefault(row.permit_id, []).append(row)
    return found


async def fine(tx: Reader, id: UUID) -> Row[Any]:
    """Raises NotFound, also for another town's fine."""
    found = await tx.row(
        "SELECT id, permit_id, number, infraction, seen_on, units, unit, rate, brl, decision "
        "FROM fine WHERE tenant_id = :tenant AND id = :id",
        id=id,
    )
    if found is None:
        raise NotFound("fine", id)
    return found
