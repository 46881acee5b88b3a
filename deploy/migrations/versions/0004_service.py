"""Rosters and tariff reviews.

Revision ID: 0004
Revises: 0003
"""

from deploy.migrations.scripts import run_folder

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0004_service")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
