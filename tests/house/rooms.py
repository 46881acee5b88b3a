"""Who may do what in the code: one place commits, one reads the clock, one the environment, stores write SQL."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SQL = re.compile(r"^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\b", re.MULTILINE)
CLOCK_CALLS = {"now", "utcnow", "today", "fromtimestamp", "time", "time_ns"}
CLOCKS = {"datetime", "date", "time"}


def breaches(file: str, source: str) -> Iterator[str]:
    """What a file does that only another may."""
    tree = ast.parse(source)
    name = Path(file).name
    for node in ast.walk(tree):
        line = f"{file}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.Attribute(attr="commit" | "rollback") if file != "services/database.py":
                yield f"{line}: only services/database.py commits"
            case ast.Call(func=ast.Name(id="create_async_engine" | "AsyncSession")) if file != "services/database.py":
                yield f"{line}: only services/database.py opens sessions"
            case ast.Attribute(value=ast.Name(id="os"), attr="environ" | "getenv") if file != "services/settings.py":
                yield f"{line}: only services/settings.py reads the environment"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=call)):
                if owner in CLOCKS and call in CLOCK_CALLS and file != "services/clock.py":
                    yield f"{line}: only services/clock.py reads the time"
            case ast.Constant(value=str() as text):
                if SQL.search(text) and name != "store.py" and file != "services/database.py":
                    yield f"{line}: only a subject's store.py writes SQL"
            case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
                yield f"{line}: a stub"
            case ast.ExceptHandler(body=[ast.Pass()]):
                yield f"{line}: an exception is swallowed"
    for number, text in enumerate(source.splitlines(), start=1):
        if re.search(r"#.*\b(?:TODO|FIXME|XXX)\b", text):
            yield f"{file}:{number}: an unfinished mark"
