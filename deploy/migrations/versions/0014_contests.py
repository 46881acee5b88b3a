"""Calls that are revoked, areas and promised vacancies.

Revision ID: 0014
Revises: 0013
"""

from deploy.migrations.scripts import run_folder

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0014_contests")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
