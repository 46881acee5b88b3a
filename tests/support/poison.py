"""A town of which nothing can be recorded: the database itself refuses, and quotes somebody's CPF."""

from uuid import UUID

from services.database import Database
from tests.support.register import as_superuser
from tests.support.servers import Servers

CPF = "111.444.777-35"
POISON = """
CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.tenant_id = '{town}' THEN RAISE EXCEPTION 'cpf {cpf}'; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER poison BEFORE INSERT ON act FOR EACH ROW EXECUTE FUNCTION poison();
"""  # what a database says of a row holds the row
CURE = "DROP TRIGGER poison ON act; DROP FUNCTION poison()"


async def poisoned(servers: Servers, database: Database, town: UUID) -> None:
    await _commanded(servers, database, POISON.format(town=town, cpf=CPF))


async def cured(servers: Servers, database: Database) -> None:
    await _commanded(servers, database, CURE)


async def _commanded(servers: Servers, database: Database, sql: str) -> None:
    connection = await as_superuser(servers.superuser, database)
    await connection.execute(sql)
    await connection.close()
