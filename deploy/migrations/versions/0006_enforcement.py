"""Occurrence records, evidence, complaints.

Revision ID: 0006
Revises: 0005
"""

from deploy.migrations.scripts import run_folder

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0006_enforcement")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
