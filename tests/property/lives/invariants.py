"""What holds of every register, whatever its law and whoever did what: each query finds the rows that break it.

`t` stands for the town and `d` for its day; the numbers of the law stand as `numbers_of` names them.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from services.database import Reader

# --- how many, and who with whom ---------------------------------------------------------------------------------

PERMITS = {
    "an active permit has a vehicle": """
        SELECT p.id FROM permit AS p WHERE p.tenant_id = t.id AND p.during @> d.today AND NOT EXISTS (
            SELECT FROM permit_vehicle AS v WHERE v.tenant_id = t.id AND v.permit_id = p.id AND v.during @> d.today)""",
    "never above the quota": """
        SELECT p.id FROM permit AS p
        WHERE p.tenant_id = t.id AND p.category = ANY(law.counted) AND NOT isempty(p.during) AND law.quota < (
            SELECT count(*) FROM permit AS q
            WHERE q.tenant_id = t.id AND q.category = ANY(law.counted) AND q.during @> lower(p.during))""",
    "never above a stand's slots": """
        SELECT s.id FROM stand_assignment AS s
        JOIN unnest(law.stands, law.slots) AS has (stand, slots) ON has.stand = s.stand
        WHERE s.tenant_id = t.id AND NOT isempty(s.during) AND has.slots < (
            SELECT count(*) FROM stand_assignment AS o
            WHERE o.tenant_id = t.id AND o.stand = s.stand AND o.during @> lower(s.during))""",
}
SERVING = ("permit_vehicle", "stand_assignment", "licence", "substitute", "suspension", "absence")
WITHIN = {
    f"no {table} outlasts its permit": f"""
        SELECT r.id FROM {table} AS r JOIN permit AS p ON p.tenant_id = t.id AND p.id = r.permit_id
        WHERE r.tenant_id = t.id AND upper(p.during) <= d.today AND NOT r.during <@ daterange(NULL, upper(p.during))
        """  # noqa: S608 - our own names
    for table in SERVING
}
ONE = (
    ("permit_vehicle", "vehicle_id"),
    ("permit_vehicle", "permit_id"),
    ("stand_assignment", "permit_id"),
    ("licence", "permit_id"),
    ("extension", "permit_id"),
    ("suspension", "permit_id"),
    ("absence", "permit_id"),
)
ONE_AT_A_TIME = {
    f"no two rows of {table} overlap for one {column}": f"""
        SELECT a.id FROM {table} AS a JOIN {table} AS b
          ON b.tenant_id = t.id AND b.{column} = a.{column} AND b.id > a.id AND b.during && a.during
        WHERE a.tenant_id = t.id"""  # noqa: S608 - our own names
    for table, column in ONE
}

# --- chains of terms: each link from what it was counted to its last day -----------------------------------------

CHAINS = {
    "a permit is granted, and prolonged, for exactly the term": """
        SELECT link.id FROM (
            SELECT e.id, lower(e.during) - 1 AS since, upper(e.during) - 1 AS until
            FROM extension AS e WHERE e.tenant_id = t.id
            UNION ALL
            SELECT p.id, p.granted_on, coalesce(min(lower(e.during)), upper(p.during)) - 1
            FROM permit AS p LEFT JOIN extension AS e ON e.tenant_id = t.id AND e.permit_id = p.id
            WHERE p.tenant_id = t.id AND NOT EXISTS (
                SELECT FROM transfer AS c WHERE c.tenant_id = t.id AND c.to_permit = p.id AND c.remaining = 'rest')
            GROUP BY p.tenant_id, p.id HAVING p.ended_on IS NULL OR count(e.id) > 0
        ) AS link
        WHERE link.until IS DISTINCT FROM CAST(link.since + make_interval(months => law.permit_months) AS date)""",
    "an extension ends with its permit, or where the next begins": """
        SELECT e.id FROM extension AS e JOIN permit AS p ON p.tenant_id = t.id AND p.id = e.permit_id
        WHERE e.tenant_id = t.id AND p.ended_on IS NULL AND upper(e.during) <> upper(p.during) AND NOT EXISTS (
            SELECT FROM extension AS n
            WHERE n.tenant_id = t.id AND n.permit_id = e.permit_id AND lower(n.during) = upper(e.during))""",
    "what is passed on lasts as long as it would have": """
        SELECT c.id FROM transfer AS c JOIN permit AS n ON n.tenant_id = t.id AND n.id = c.to_permit
        WHERE c.tenant_id = t.id AND c.remaining = 'rest' AND n.ended_on IS NULL
          AND NOT EXISTS (SELECT FROM extension AS e WHERE e.tenant_id = t.id AND e.permit_id = n.id)
          AND upper(n.during) - 1 <> (
              SELECT max(o.last_day) FROM deadline AS o WHERE o.tenant_id = t.id AND o.kind = law.permit_term
                AND o.subject_kind = 'permit' AND o.subject_id = c.from_permit)""",
    "a licence lasts exactly the term, from its issue or from the end of the one before": """
        SELECT link.id FROM (
            SELECT l.id, upper(l.during) - 1 AS until,
                   CASE WHEN lower(l.during) = a.legal_day THEN a.legal_day ELSE lower(l.during) - 1 END AS since
            FROM licence AS l JOIN act AS a ON a.tenant_id = t.id AND a.id = l.act_id
            JOIN permit AS p ON p.tenant_id = t.id AND p.id = l.permit_id
            WHERE l.tenant_id = t.id AND p.ended_on IS NULL AND a.verb = 'licence.issued'
        ) AS link
        WHERE link.until <> CAST(link.since + make_interval(months => law.licence_months) AS date)
           OR to_char(link.until, 'MM-DD') <> law.licence_day
           OR link.until NOT BETWEEN link.since + 1 AND link.since + make_interval(months => law.licence_most)""",
    "a licence begins when it is issued, or on the day after the one before": """
        SELECT l.id FROM licence AS l JOIN act AS a ON a.tenant_id = t.id AND a.id = l.act_id
        WHERE l.tenant_id = t.id AND NOT isempty(l.during) AND a.verb = 'licence.issued'
          AND lower(l.during) <> a.legal_day AND NOT EXISTS (
              SELECT FROM licence AS b
              WHERE b.tenant_id = t.id AND b.permit_id = l.permit_id AND upper(b.during) = lower(l.during))""",
}

# --- acts --------------------------------------------------------------------------------------------------------

# Each state, the column that names its act, the words that such an act may have, and when the state is there.
STATES = (
    ("permit", "granted_act", "permit.granted permit.transferred", "true"),
    ("permit", "ended_act", "permit.ended", "s.ended_on IS NOT NULL"),
    ("permit_vehicle", "act_id", "permit.granted permit.transferred vehicle.swapped", "true"),
    ("stand_assignment", "act_id", "permit.granted permit.transferred stand.assigned", "true"),
    ("licence", "act_id", "licence.issued substitute.admitted", "true"),
    ("extension", "act_id", "permit.extended", "true"),
    ("renewal_request", "act_id", "renewal.requested", "true"),
    ("substitute", "act_id", "substitute.admitted", "true"),
    ("absence", "act_id", "permit.absence_started", "true"),
    ("proposal", "act_id", "ending.proposed suspension.proposed", "true"),
    ("proposal", "closed_act", "permit.ended permit.suspended proposal.dismissed", "s.state <> 'open'"),
    ("suspension", "act_id", "permit.suspended", "true"),
    ("transfer", "act_id", "permit.ended", "true"),
    ("fine", "act_id", "fine.issued", "true"),
)
OVER = (
    ("permit", "ended_act", "permit.ended", "upper(s.during) <= d.today"),
    ("substitute", "ended_act", "substitute.ended permit.ended", "upper(s.during) <= d.today"),
)


def _of_acts(states: Sequence[tuple[str, str, str, str]]) -> dict[str, str]:
    return {
        f"{table}.{column} is the act that made it ({when})": f"""
            SELECT s.id FROM {table} AS s LEFT JOIN act AS a ON a.tenant_id = t.id AND a.id = s.{column}
            WHERE s.tenant_id = t.id AND ({when})
              AND (a.id IS NULL OR a.verb <> ALL(string_to_array('{verbs}', ' ')))"""  # noqa: S608 - our own names
        for table, column, verbs, when in states
    }


CLOSED = {
    "a deadline is closed by an act, and open without one": """
        SELECT x.id FROM deadline AS x
        WHERE x.tenant_id = t.id AND (x.state IN ('open', 'suspended')) <> (x.closed_act IS NULL)""",
}

# --- what the night records: whatever was back-dated since waits for the next one --------------------------------

DEADLINES = {
    "what is over is recorded": """
        SELECT x.id FROM deadline AS x WHERE x.tenant_id = t.id AND x.state = 'open' AND x.last_day < d.today""",
    "an open deadline is of what can still expire": """
        SELECT x.id FROM deadline AS x
        LEFT JOIN licence AS l ON l.tenant_id = t.id AND x.subject_kind = 'licence' AND l.id = x.subject_id
        LEFT JOIN substitute AS s ON s.tenant_id = t.id AND x.subject_kind = 'substitute' AND s.id = x.subject_id
        LEFT JOIN permit AS p ON p.tenant_id = t.id
          AND p.id = coalesce(l.permit_id, s.permit_id, CASE x.subject_kind WHEN 'permit' THEN x.subject_id END)
        WHERE x.tenant_id = t.id AND x.state = 'open' AND x.subject_kind IN ('permit', 'licence', 'substitute')
          AND (p.id IS NULL OR p.ended_on IS NOT NULL OR upper(p.during) <= d.today OR upper(s.during) <= d.today)""",
    "what runs for a vehicle ends with its service": """
        SELECT x.id FROM deadline AS x
        WHERE x.tenant_id = t.id AND x.state = 'open' AND x.subject_kind = 'vehicle' AND NOT EXISTS (
            SELECT FROM permit_vehicle AS v
            WHERE v.tenant_id = t.id AND v.vehicle_id = x.subject_id AND upper(v.during) > d.today)""",
    "a permit's own term runs until its last day": """
        SELECT p.id FROM permit AS p
        WHERE p.tenant_id = t.id AND p.during @> d.today AND upper(p.during) - 1 IS DISTINCT FROM (
            SELECT max(x.last_day) FROM deadline AS x WHERE x.tenant_id = t.id AND x.subject_kind = 'permit'
              AND x.subject_id = p.id AND x.kind = law.permit_term AND x.state = 'open')""",
}
ALWAYS: Mapping[str, str] = {**PERMITS, **WITHIN, **ONE_AT_A_TIME, **CHAINS, **_of_acts(STATES), **CLOSED}
AFTER_THE_NIGHT: Mapping[str, str] = {**ALWAYS, **_of_acts(OVER), **DEADLINES}
GIVEN = """
WITH t AS (SELECT CAST(:tenant AS uuid) AS id), d AS (SELECT CAST(:today AS date) AS today), law AS (
    SELECT CAST(:counted AS text[]) AS counted, CAST(:quota AS integer) AS quota, CAST(:stands AS text[]) AS stands,
           CAST(:slots AS integer[]) AS slots, CAST(:permit_term AS text) AS permit_term,
           CAST(:permit_months AS integer) AS permit_months, CAST(:licence_months AS integer) AS licence_months,
           CAST(:licence_day AS text) AS licence_day, CAST(:licence_most AS integer) AS licence_most
)
"""


def _broken(invariants: Mapping[str, str]) -> str:
    each = (
        f"SELECT $${name}$$ AS invariant, broken.id FROM t, d, law, LATERAL ({sql}) AS broken"  # noqa: S608 - our own
        for name, sql in invariants.items()
    )
    return GIVEN + "\nUNION ALL\n".join(each)


BROKEN = {False: _broken(ALWAYS), True: _broken(AFTER_THE_NIGHT)}


async def broken(tx: Reader, *, after_the_night: bool, **law: Any) -> list[tuple[str, UUID]]:
    """What does not hold on the town's day. ``law``: the numbers of its law."""
    return [(row.invariant, row.id) for row in await tx.rows(BROKEN[after_the_night], today=tx.today, **law)]
