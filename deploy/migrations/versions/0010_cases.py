"""What cases were still without.

Revision ID: 0010
Revises: 0009
"""

from deploy.migrations.scripts import run_folder

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0010_cases")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
