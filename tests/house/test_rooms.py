"""Each room keeps to itself."""

import ast
from pathlib import Path

import pytest

from tests.house.rooms import breaches

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(p for room in ("services", "tenants", "workers", "graphql/api") for p in (ROOT / room).rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 320, 45


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_does_only_what_is_its_to_do(path: Path) -> None:
    found = list(breaches(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")))

    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_is_one_subject_and_a_function_one_thought(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [f.name for f in functions if (f.end_lineno or f.lineno) - f.lineno >= LONGEST_FUNCTION]

    assert len(source.splitlines()) <= LONGEST_FILE
    assert not long


def test_the_source_root_of_the_api_is_no_package() -> None:
    """An __init__.py there would hide graphql-core."""
    assert not (ROOT / "graphql/__init__.py").exists()


PLANTED = {
    "a commit": "async def f(tx):\n    await tx.session.commit()",
    "a session": "s = AsyncSession(engine)",
    "the environment": "import os\nx = os.environ['A']",
    "the time": "from datetime import date\nx = date.today()",
    "SQL": "x = 'SELECT 1 FROM permit'",
    "a stub": "def f():\n    raise NotImplementedError",
    "a swallowed exception": "try:\n    f()\nexcept ValueError:\n    pass",
    "an unfinished mark": "x = 1  # TO" + "DO later",
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_breach_is_caught(planted: str) -> None:
    assert list(breaches("services/planted.py", planted))
