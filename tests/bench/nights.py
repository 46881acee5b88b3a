"""Towns with as many permits as asked, each with its open deadline, of which some are over: made by set."""

import re
from datetime import date, timedelta

import asyncpg

from services.database import Database
from services.nights.deriving import night_law
from tests.support.register import found

TODAY = date(2026, 3, 10)
YESTERDAY = TODAY - timedelta(days=1)
ONE_OVER_IN = 50
FOUNDED = """
INSERT INTO municipality (slug, name, uf, ibge, zone, hosts, fictitious, created_at)
SELECT 'town-' || n, 'Town ' || n, uf, lpad((1000000 + n)::text, 7, '0'), zone, ARRAY['town-' || n || '.test'], true,
       created_at
FROM municipality CROSS JOIN generate_series(2, TOWNS) AS n WHERE slug = 'town-1'
"""
# Every town has the acts and the law of the first, and what was derived of it.
COPIED = {
    "act": "id, verb, actor, at, local_day, legal_day, subject_kind, subject_id, body, salt, hash",
    "publication": "id, seq, official_on, recorded_at, norm, cause, act_id",
    "law_item": "id, publication_id, position, kind, code, payload",
    "night_law": "first_day, last_day, publication_id, reminders, offices",
}
# The permits of a town go on end to end; one in fifty was over yesterday, the others end on the days of a year.
PERMITS = """
CREATE TEMPORARY TABLE p AS
SELECT m.id AS town, n, uuidv7() AS person, uuidv7() AS holder, uuidv7() AS permit, uuidv7() AS deadline,
       uuidv7() AS act,
       CASE WHEN (n + m.nr) % EVERY = 0 THEN date 'TODAY' - 1
            ELSE date 'TODAY' + (hashint8(m.nr * 100000 + n) & 65535) % 365 END AS last_day
FROM (SELECT id, row_number() OVER (ORDER BY id) AS nr FROM municipality) AS m
CROSS JOIN generate_series(1, A_TOWN) AS n
"""
FILLED = (
    "INSERT INTO act (tenant_id, id, verb, actor, at, local_day, legal_day, subject_kind, subject_id, body, salt, "
    "hash) SELECT town, p.act, 'permit.granted', a.actor, a.at, a.local_day, '2020-01-01', 'permit', permit, a.body, "
    "a.salt, a.hash FROM p CROSS JOIN (SELECT * FROM act LIMIT 1) AS a",
    "INSERT INTO person (tenant_id, id, cpf, name, email) "
    "SELECT town, person, lpad(n::text, 11, '0'), 'Pessoa ' || n, 'p' || n || '@example.org' FROM p",
    "INSERT INTO holder (tenant_id, id, kind, person_id) SELECT town, holder, 'autonomo', person FROM p",
    "INSERT INTO permit (tenant_id, id, number, category, instrument, holder_id, granted_on, during, granted_act) "
    "SELECT town, permit, n::text, 'taxi', 'permissao', holder, '2020-01-01', '[2020-01-01,)', act FROM p",
    "INSERT INTO deadline (tenant_id, id, kind, rule, subject_kind, subject_id, opened_on, last_day, article, "
    "opened_act, follows) SELECT town, deadline, 'alvara', 'alvara', 'permit', permit, last_day - 365, last_day, "
    """'Lei 1/2000, art. 3', act, '[{"do": "notify", "template": "term_expired"}]' FROM p""",
    # What nights before have told of: all that was within a lead yesterday.
    "INSERT INTO notice (tenant_id, key, template, subject_kind, subject_id, deadline_id, holds_while, lead, "
    "person_id, address, message_id, state, created_at, sent_at) "
    "SELECT town, 'reminder:' || deadline || ':' || lead, 'vence', 'permit', permit, deadline, 'open', lead, person, "
    "'p' || n || '@example.org', '<' || uuidv7() || '@praca.example>', 'sent', now(), now() "
    "FROM p JOIN (VALUES ('30 days', 30), ('7 days', 7)) AS l (lead, days) ON last_day < date 'TODAY' + days",
)
# The same writes by the shortest way: one statement over all towns, past row-level security.
BARE = """
WITH over AS MATERIALIZED (
    SELECT d.*, h.person_id, n.email, uuidv7() AS made, uuid_send(gen_random_uuid()) AS salt,
        '{"actor":"system","at":"' || $1::text || '","changes":{"article":' || to_json(d.article) || ',"kind":'
        || to_json(d.kind) || ',"lastDay":"' || d.last_day || '","of":{"id":"' || d.subject_id || '","kind":'
        || to_json(d.subject_kind) || '},"openedOn":"' || d.opened_on || '","rule":' || to_json(d.rule)
        || ',"state":"expired"},"decision":null,"legalDay":"' || d.last_day || '","localDay":"TODAY",'
        || '"office":null,"on":{"id":"' || d.id || '","kind":"deadline"},"request":null,"result":null,'
        || '"verb":"deadline.expired","why":null}' AS body
    FROM deadline AS d
    JOIN permit AS p ON p.tenant_id = d.tenant_id AND p.id = d.subject_id
    JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
    JOIN person AS n ON n.tenant_id = h.tenant_id AND n.id = h.person_id
    WHERE d.state = 'open' AND d.last_day < 'TODAY'
), acts AS (
    INSERT INTO act (tenant_id, id, verb, actor, at, local_day, legal_day, subject_kind, subject_id, body, salt, hash)
    SELECT tenant_id, made, 'deadline.expired', 'system', $1::text::timestamptz, 'TODAY', last_day, 'deadline', id,
           body, salt, sha256(salt || convert_to(body, 'UTF8')) FROM over
), closed AS (
    UPDATE deadline AS d SET state = 'expired', closed_on = d.last_day, closed_act = o.made, version = d.version + 1
    FROM over AS o WHERE d.tenant_id = o.tenant_id AND d.id = o.id
), soon AS (
    SELECT d.tenant_id, d.id, d.subject_kind, d.subject_id, h.person_id, n.email, l.lead
    FROM (VALUES ('30 days', 30), ('7 days', 7)) AS l (lead, days)
    JOIN deadline AS d ON d.state = 'open' AND d.last_day = date 'TODAY' + l.days
    JOIN permit AS p ON p.tenant_id = d.tenant_id AND p.id = d.subject_id
    JOIN holder AS h ON h.tenant_id = p.tenant_id AND h.id = p.holder_id
    JOIN person AS n ON n.tenant_id = h.tenant_id AND n.id = h.person_id
)
INSERT INTO notice (tenant_id, key, template, subject_kind, subject_id, deadline_id, holds_while, lead,
                    person_id, address, message_id, created_at)
SELECT tenant_id, 'expired:' || id, 'term_expired', subject_kind, subject_id, id, 'expired', NULL,
       person_id, email, '<' || uuidv7() || '@praca.example>', $1::text::timestamptz FROM over
UNION ALL
SELECT tenant_id, 'reminder:' || id || ':' || lead, 'vence', subject_kind, subject_id, id, 'open', lead,
       person_id, email, '<' || uuidv7() || '@praca.example>', $1::text::timestamptz FROM soon
"""


async def fill(database: Database, server: asyncpg.Connection, towns: int, permits: int) -> None:
    """So many permits, the same number in every town."""
    first = await found(database, "town-1")
    async with database.transaction(first) as tx:
        await night_law(tx, tx.today)
    await server.execute("SET session_replication_role = replica")
    await server.execute(of(FOUNDED, TOWNS=towns))
    for table, columns in COPIED.items():
        source = re.sub(r"\bid\b", "t.id", columns).replace("subject_id", "m.id")
        await server.execute(
            f"INSERT INTO {table} (tenant_id, {columns}) SELECT m.id, {source} FROM {table} AS t "  # noqa: S608
            f"CROSS JOIN municipality AS m WHERE t.tenant_id = '{first}' AND m.id <> t.tenant_id"
        )
    await server.execute(of(PERMITS, EVERY=ONE_OVER_IN, A_TOWN=permits // towns))
    for statement in FILLED:
        await server.execute(of(statement))
    await server.execute("DROP TABLE p")
    await server.execute("VACUUM (ANALYZE)")


def of(sql: str, **words: int) -> str:
    """A statement with our own numbers in it."""
    for word, number in {**words, "TODAY": TODAY}.items():
        sql = sql.replace(word, str(number))
    return sql
