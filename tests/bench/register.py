"""A town with as many permits as asked, each with everything: made by set, for measurements."""

from uuid import UUID

from services import acts
from services.database import Database
from tests.support.register import CLERK, REMINDERS, found

STANDS = """
[[stand]]
rows = [{ number = 1, place = "Praça da Matriz", slots = 500, cite = "art. 5" }]
"""
COUNTER = '{ code = "balcao", title = "Balcão", may = ["read"], cite = "art. 4" }'
LAW = REMINDERS.replace("rows = [{", f"rows = [{COUNTER}, {{", 1)
FILL = (
    """
    INSERT INTO person (tenant_id, cpf, name, email)
    SELECT :tenant, lpad(n::text, 11, '0'), 'Pessoa número ' || n, 'p' || n || '@example.org'
    FROM generate_series(1, :permits) AS n
    """,
    """
    INSERT INTO holder (tenant_id, kind, person_id)
    SELECT tenant_id, 'autonomo', id FROM person WHERE tenant_id = :tenant
    """,
    """
    INSERT INTO vehicle (tenant_id, plate, holder_id, manufacture_year, model_year, doors, seats, fuel)
    SELECT h.tenant_id, 'ABC' || lpad((row_number() OVER ())::text, 4, '0'), h.id, 2020, 2021, 4, 5, 'flex'
    FROM holder AS h WHERE h.tenant_id = :tenant
    """,
    """
    INSERT INTO permit (tenant_id, number, category, instrument, holder_id, granted_on, during, granted_act)
    SELECT h.tenant_id, lpad((row_number() OVER ())::text, 4, '0'), 'taxi', 'permissao', h.id, date '2020-01-01',
           daterange('2020-01-01', NULL), :act
    FROM holder AS h WHERE h.tenant_id = :tenant
    """,
    """
    INSERT INTO permit_vehicle (tenant_id, permit_id, vehicle_id, during, act_id)
    SELECT p.tenant_id, p.id, v.id, p.during, :act
    FROM permit AS p JOIN vehicle AS v ON v.tenant_id = p.tenant_id AND v.holder_id = p.holder_id
    WHERE p.tenant_id = :tenant
    """,
    """
    INSERT INTO stand_assignment (tenant_id, permit_id, stand, during, act_id)
    SELECT tenant_id, id, '1', during, :act FROM permit WHERE tenant_id = :tenant
    """,
    """
    INSERT INTO fine (tenant_id, number, permit_id, infraction, seen_on, units, unit, rate, brl, decision, act_id)
    SELECT p.tenant_id, p.number || '-' || n, p.id, 'I-' || n, date '2025-01-01' + n, 20, 'UFM', 32.5, 650, '{}', :act
    FROM permit AS p CROSS JOIN generate_series(1, 5) AS n WHERE p.tenant_id = :tenant
    """,
)


async def full_town(database: Database, permits: int, slug: str = "vila-nova") -> UUID:
    """A town of so many permits with holder, vehicle, stand and five fines each; `bia` may read them."""
    town = await found(database, slug, law=LAW + STANDS)
    async with database.transaction(town) as tx:
        act = await acts.record(tx, CLERK, "permit.granted", on=("municipality", town))
        for statement in FILL:
            names = {"permits": permits} if ":permits" in statement else {"act": act.id} if ":act" in statement else {}
            await tx.rows(statement, **names)
        await tx.rows(
            """
            WITH who AS (INSERT INTO account (tenant_id, subject) VALUES (:tenant, 'bia') RETURNING id)
            INSERT INTO appointment (tenant_id, account_id, office, during, appointed_act)
            SELECT :tenant, id, 'balcao', daterange('2020-01-01', NULL), :act FROM who
            """,
            act=act.id,
        )
    return town
