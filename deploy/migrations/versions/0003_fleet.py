"""Inspections, approvals, substitutes, transfers.

Revision ID: 0003
Revises: 0002
"""

from deploy.migrations.scripts import run_folder

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0003_fleet")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
