"""Migrations are SQL: each revision runs the scripts of its folder, in the order of their names."""

from pathlib import Path
from typing import Any

from alembic import op


def run_folder(name: str) -> None:
    """Every script of a folder beside this file."""
    for script in sorted((Path(__file__).parent / name).glob("*.sql")):
        run(script.read_text(encoding="utf-8"))


def run(script: str) -> None:
    """A whole script at once, which SQLAlchemy's layer cannot: in the migration's transaction, on its connection."""
    connection = op.get_bind()
    connection.exec_driver_sql("SELECT 1")  # the driver begins its transaction with the first statement
    dbapi: Any = connection.connection.dbapi_connection
    dbapi.run_async(lambda driver: driver.execute(script))
