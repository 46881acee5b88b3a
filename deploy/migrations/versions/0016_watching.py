"""Runs and jobs that can be watched.

Revision ID: 0016
Revises: 0015
"""

from deploy.migrations.scripts import run_folder

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0016_watching")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
