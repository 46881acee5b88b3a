"""Inbox, templates, tasks of the clerk.

Revision ID: 0008
Revises: 0007
"""

from deploy.migrations.scripts import run_folder

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0008_notices")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
