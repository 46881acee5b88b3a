"""TOML text to a pack, with the line and column of whatever is wrong in it. Files and GraphQL share this path."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import tree_sitter
import tree_sitter_toml

from tenants.law.kinds.basis import Municipality
from tenants.law.pack import Pack, Path, Problem, RawItem, plain_toml, raw_items, typed
from tenants.law.rule import Item

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))


class PackRefused(Exception):
    """The text is no law pack; ``problems`` says where and why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def load(text: str) -> Pack:
    """Read a whole pack.

    Raises:
        PackRefused: The text is not TOML, or an item is not of its kind.
    """
    raws, items = read(text)
    if sum(isinstance(item, Municipality) for item in items) != 1:
        raise PackRefused([Problem("error", "a pack has exactly one [municipality]", "add the table", (), 1, 1)])
    return Pack(tuple(raws), tuple(items))


def read(text: str, *, base: Iterable[Item] = (), norm: str | None = None) -> tuple[list[RawItem], list[Item]]:
    """Read the items of a text; ``base`` is the law that an amendment changes, ``norm`` what a bare citation means.

    Raises:
        PackRefused: As for ``load``.
    """
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise PackRefused([_not_toml(error)]) from error
    raws, problems = raw_items(plain_toml(document))
    found, more = typed(raws, base=base, norm=norm)
    problems += more + _twice(raws)
    if problems:
        raise PackRefused(located(text, problems))
    return [raw for raw, _ in found], [item for _, item in found]


def located(text: str, problems: Iterable[Problem]) -> list[Problem]:
    """Give each problem the line and column of the nearest written thing on its path, in order of the text."""
    places = positions(text)
    placed = [_placed(problem, places) for problem in problems]
    return sorted(placed, key=lambda p: (p.line or 0, p.column or 0))


def _placed(problem: Problem, places: dict[Path, tuple[int, int]]) -> Problem:
    path: Path = ()
    best = places.get((), (1, 1))
    for part in problem.path:
        if (*path, part) in places:
            path = (*path, part)
            best = places[path]
    return replace(problem, line=best[0], column=best[1])


def _twice(raws: Sequence[RawItem]) -> list[Problem]:
    """Two items of one kind and code need different periods; the linter compares those."""
    seen: dict[tuple[str, str, str, str], RawItem] = {}
    problems = []
    for raw in raws:
        key = (raw.kind, raw.code, str(raw.payload.get("from")), str(raw.payload.get("published")))
        if key in seen:
            hint = "give each its own code, or its own period with from/until"
            problems.append(Problem("error", f"{raw.kind} {raw.code!r} stands twice", hint, raw.path))
        seen[key] = raw
    return problems


def _not_toml(error: tomllib.TOMLDecodeError) -> Problem:
    message = str(error)
    line, column = 1, 1
    if "(at line " in message:
        message, place = message.rsplit(" (at line ", 1)
        line, column = (int(part) for part in place.rstrip(")").split(", column "))
    return Problem("error", f"not TOML: {message}", "see the TOML reference for the form of a table", (), line, column)


def positions(text: str) -> dict[Path, tuple[int, int]]:
    """Line and column (from 1) of every table, row and key of a TOML text, by its path."""
    tree = _PARSER.parse(text.encode())
    places: dict[Path, tuple[int, int]] = {(): (1, 1)}
    counts: dict[Path, int] = {}
    for node in tree.root_node.named_children:
        if node.type in ("table", "table_array_element"):
            keys = _keys(node.named_children[0])
            if node.type == "table_array_element":
                counts[keys] = counts.get(keys, -1) + 1
                path: Path = (*keys, counts[keys])
                places.setdefault(keys, _at(node.named_children[0]))
            else:
                path = keys
            places[path] = _at(node.named_children[0])
            for pair in node.named_children[1:]:
                _pair(pair, path, places)
        else:
            _pair(node, (), places)
    return places


def _pair(node: Any, path: Path, places: dict[Path, tuple[int, int]]) -> None:
    if node.type != "pair":
        return
    key, value = node.named_children[0], node.named_children[-1]
    here = (*path, *_keys(key))
    places[here] = _at(value)
    _value(value, here, places)


def _value(node: Any, path: Path, places: dict[Path, tuple[int, int]]) -> None:
    if node.type == "inline_table":
        for pair in node.named_children:
            _pair(pair, path, places)
    elif node.type == "array":
        elements = [child for child in node.named_children if child.type != "comment"]
        for index, child in enumerate(elements):
            places[(*path, index)] = _at(child)
            _value(child, (*path, index), places)


def _keys(node: Any) -> Path:
    if node.type == "dotted_key":
        return tuple(part for child in node.named_children for part in _keys(child))
    return (node.text.decode().strip("\"'"),)


def _at(node: Any) -> tuple[int, int]:
    return node.start_point[0] + 1, node.start_point[1] + 1
