"""The baseline: tables, constraints, functions, row-level security and grants, as the SQL files in `baseline/` say.

Revision ID: 0001
Revises:
"""

from pathlib import Path
from typing import Any

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

FOLDER = Path(__file__).resolve().parents[1] / "baseline"


def upgrade() -> None:
    for script in sorted(FOLDER.glob("*.sql")):
        run(script.read_text(encoding="utf-8"))


def downgrade() -> None:
    raise NotImplementedError("There is nothing before the baseline: restore a backup, or drop the database.")


def run(script: str) -> None:
    """A whole script at once, which SQLAlchemy's layer cannot: in the migration's transaction, on its connection."""
    connection = op.get_bind()
    connection.exec_driver_sql("SELECT 1")  # the driver begins its transaction with the first statement
    dbapi: Any = connection.connection.dbapi_connection
    dbapi.run_async(lambda driver: driver.execute(script))
