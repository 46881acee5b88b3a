"""Re-computation after a change of law.

Revision ID: 0017
Revises: 0016
"""

from deploy.migrations.scripts import run_folder

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0017_recomputing")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
