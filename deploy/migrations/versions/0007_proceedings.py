"""Administrative cases, pieces, services of process.

Revision ID: 0007
Revises: 0006
"""

from deploy.migrations.scripts import run_folder

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0007_proceedings")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
