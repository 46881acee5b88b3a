"""Dead letters.

Revision ID: 0013
Revises: 0012
"""

from deploy.migrations.scripts import run_folder

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0013_dead_letters")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
