"""`./praca check`: every rule of the house that a machine can keep. All steps run; each that fails is shown."""

import argparse
import subprocess
import sys
import time
from pathlib import Path

TOOLS = Path(sys.executable).parent
STEPS: dict[str, list[str | Path]] = {
    "format": [TOOLS / "ruff", "format", "--check", "."],
    "lint": [TOOLS / "ruff", "check", "."],
    "types": [TOOLS / "mypy"],
    "import contracts": [TOOLS / "lint-imports"],
    "schema drift": [sys.executable, "-m", "deploy.cli", "schema", "--check"],
    "house rules": [sys.executable, "-m", "pytest", "-q", "tests/house"],
}


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    failed = [name for name, command in STEPS.items() if not passes(name, command)]
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything holds.")
    return 1 if failed else 0


def passes(name: str, command: list[str | Path]) -> bool:
    begin = time.monotonic()
    print(f"{name:<18}", end="", flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{'FAILED' if done.returncode else 'ok':<8}{time.monotonic() - begin:5.1f} s", flush=True)
    if done.returncode:
        print(done.stdout)
    return done.returncode == 0
