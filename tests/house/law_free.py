"""Finds law in code: numbers, offsets, articles, names of towns, units and infractions that belong in a law pack.

The visible escape is a comment at the end of the line, or of the assignment or call that spans several:
``# law-free: why this number is no law's``.
"""

import ast
import io
import re
import tokenize
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ALLOWED = {-1, 0, 1, 2}
ESCAPE = re.compile(r"law-free: \S+ \S+")
OFFSETS = {"days", "weeks", "months", "years", "day", "month", "year"}
CITATION = re.compile(r"\bart(?:igo)?s?\.?\s*\d|§\s*(?:\d|un)|\binciso\s+[ivx]+|\blei\s+(?:n\S*\s*)?\d", re.IGNORECASE)
SQL = re.compile(r"\b(?:select|insert|update|delete|create|where|interval)\b", re.IGNORECASE)
SQL_NUMBER = re.compile(r"(?<![\w.:$'-])-?\d+(?:\.\d+)?(?![\w.'])")
SQL_INTERVAL = re.compile(r"\binterval\s+'", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def bare(text: str) -> str:
    """Lower case, accents off."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def words_of(packs: Iterable[Path]) -> set[str]:
    """What only a town may say: its names, its units, its infractions' codes and its norms, read from the packs."""
    words: set[str] = set()
    for pack in packs:
        document = tomllib.loads(pack.read_text(encoding="utf-8"))
        town = document["municipality"]
        words |= {town["name"], town["slug"], town["ibge"], *town.get("hosts", [])}
        for kind in ("unit", "infraction", "norm"):
            for row in _rows(document.get(kind, [])):
                words |= {str(row.get("code", row.get("label", "")))} | set(row.get("alias", []))
    return {bare(word) for word in words if len(word) > 2}


def _rows(tables: Any) -> Iterator[dict[str, Any]]:
    for table in tables if isinstance(tables, list) else [tables]:
        yield from table.get("rows", [table])


def findings(file: str, source: str, words: set[str]) -> list[Finding]:
    """All law found in a Python source."""
    tree = ast.parse(source)
    escaped = _escaped(source, tree)
    docstrings = {id(node) for node in _docstrings(tree)}
    found = [
        Finding(file, line, what)
        for node in ast.walk(tree)
        if id(node) not in docstrings
        for line, what in _of_node(node, words)
        if line not in escaped
    ]
    return sorted(set(found), key=lambda f: (f.line, f.what))


def sql_findings(file: str, script: str, words: set[str]) -> list[Finding]:
    """All law found in a script of SQL."""
    found = []
    for number, line in enumerate(script.splitlines(), start=1):
        code, _, comment = line.partition("--")
        if not ESCAPE.search(comment):
            found += [Finding(file, number, what) for what in (*_in_sql(code), *_in_text(code, words))]
    return found


def _escaped(source: str, tree: ast.AST) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {t.start[0] for t in tokens if t.type == tokenize.COMMENT and ESCAPE.search(t.string)}
    spans = [
        n for n in ast.walk(tree) if isinstance(n, ast.Assign | ast.AnnAssign | ast.Call) and n.end_lineno in lines
    ]
    return lines | {line for n in spans for line in range(n.lineno, (n.end_lineno or n.lineno) + 1)}


def _docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            yield from (s.value for s in body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))


def _of_node(node: ast.AST, words: set[str]) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Constant(value=bool()):
            return
        case ast.Constant(value=int() | float() as number) if number not in ALLOWED:
            yield node.lineno, f"the number {number}"
        case ast.Constant(value=str() as text):
            for what in _in_text(text, words):
                yield node.lineno, what
            if SQL.search(text):
                for what in _in_sql(text):
                    yield node.lineno, what
        case ast.keyword(arg=str() as name, value=ast.Constant(value=int() as number)) if name in OFFSETS:
            if number > 1 and not isinstance(number, bool):
                yield node.value.lineno, f"an offset of {number} {name}"
        case ast.Call(func=ast.Name(id="Decimal"), args=[ast.Constant(value=str() as text)]):
            if re.fullmatch(r"-?\d+(\.\d+)?", text) and float(text) not in ALLOWED:
                yield node.lineno, f"the number {text}"


def _in_text(text: str, words: set[str]) -> Iterator[str]:
    plain = bare(text)
    if CITATION.search(plain):
        yield f"a citation: {text[:60]!r}"
    for word in words:
        if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain):
            yield f"a town's own word: {word}"
    if re.search(r"(?<!\w)\d+ (?:days?|weeks?|months?|years?|dias?|meses|anos?)\b", plain):
        yield f"a length of time: {text[:60]!r}"


def _in_sql(text: str) -> Iterator[str]:
    if SQL_INTERVAL.search(text):
        yield "an interval written in SQL"
    for number in SQL_NUMBER.findall(text):
        if float(number) not in ALLOWED:
            yield f"the number {number} in SQL"
