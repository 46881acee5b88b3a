"""What the register was still without.

Revision ID: 0015
Revises: 0014
"""

from deploy.migrations.scripts import run_folder

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0015_register")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
