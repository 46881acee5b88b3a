"""Who answers without a permit or a card is told.

Revision ID: 0018
Revises: 0017
"""

from deploy.migrations.scripts import run_folder

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_folder("0018_answering")


def downgrade() -> None:
    raise RuntimeError("There is no way back: restore a backup.")
