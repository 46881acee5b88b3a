"""Jobs, their progress, dead letters.

Revision ID: 0009
Revises: 0007
"""

from deploy.migrations.scripts import run_folder

revision = "0009"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0009_jobs")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
