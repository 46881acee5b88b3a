"""Selection: calls, candidates, draws.

Revision ID: 0002
Revises: 0001
"""

from deploy.migrations.scripts import run_folder

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0002_selection")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
