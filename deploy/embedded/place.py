"""Where the embedded servers keep their data."""

import hashlib
import os
from pathlib import Path

from deploy.embedded.program import succeeds, unprivileged

ROOT = Path(__file__).resolve().parents[2]
PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "graphql")])  # `graphql/` is a source root: it holds `api`


def data_folder() -> Path:
    """`PRACA_DATA_DIR`, else `.data` in the checkout.

    For root in a checkout that PostgreSQL's unprivileged user cannot reach (under a closed home): a folder in /var/lib.
    """
    if chosen := os.environ.get("PRACA_DATA_DIR"):
        return Path(chosen).resolve()
    identity = unprivileged()
    if identity and not succeeds(["/usr/bin/test", "-x", ROOT], identity):
        return Path("/var/lib") / f"praca-{hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]}"
    return ROOT / ".data"


def make_data_folder() -> Path:
    """The folder, made and ours; others may pass through it (PostgreSQL may run as another user) but not look."""
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    if folder.stat().st_uid != os.geteuid():
        raise SystemExit(
            f"{folder} belongs to another user: run as that user, or set PRACA_DATA_DIR to another folder."
        )
    folder.chmod(0o711)
    return folder
