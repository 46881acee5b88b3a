"""A program that has the database has every table: the first row it writes may refer to any other."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ALONE = """
import {program}
from sqlmodel import SQLModel
keys = [key for table in SQLModel.metadata.tables.values() for key in table.foreign_keys]
assert len({{key.column for key in keys}}) > 10, "a key whose other table is not there raises"
"""


@pytest.mark.parametrize("program", ["services.database", "api.app", "workers.loop"])
def test_a_program_that_imports_nothing_else_knows_what_each_table_refers_to(program: str) -> None:
    """In a process of its own: the tests themselves import all of them."""
    run = subprocess.run(
        [sys.executable, "-c", ALONE.format(program=program)],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'graphql'}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr
