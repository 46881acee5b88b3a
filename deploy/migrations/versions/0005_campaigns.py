"""Re-registration campaigns and imports.

Revision ID: 0005
Revises: 0004
"""

from deploy.migrations.scripts import run_folder

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0005_campaigns")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
