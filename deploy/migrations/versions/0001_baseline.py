"""The baseline: tables, constraints, functions, row-level security and grants, as `baseline/*.sql` say.

Revision ID: 0001
Revises:
"""

from deploy.migrations.scripts import run_folder

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("baseline")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
