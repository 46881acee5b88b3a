"""The night for many towns at once.

Revision ID: 0012
Revises: 0011
"""

from deploy.migrations.scripts import run_folder

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0012_nights")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
