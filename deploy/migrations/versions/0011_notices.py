"""Notices: inbox, templates that a town edits, tasks for the clerk.

Revision ID: 0011
Revises: 0010
"""

from deploy.migrations.scripts import run_folder

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0011_notices")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
