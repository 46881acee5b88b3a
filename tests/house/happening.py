"""Which events of the register the use cases let happen: read from the code that opens and meets terms by them."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SPEAKERS = {"started": "of", "meet": "subject"}  # what sets terms running by an event, or meets them
PASSING = {"happened"}  # what is told of an event and tells those


def happening() -> set[tuple[str, str]]:
    """Kinds of subject with an event: some module speaks of both to those functions, or to one that does."""
    trees = dict(modules())
    names = {name: vars(import_module(name)) for name in trees}
    speaking = {name: set(spoken_of(tree, names[name])) for name, tree in trees.items()}
    found: set[tuple[str, str]] = set()
    for name, tree in trees.items():
        subjects = speaking[name] | {of for there in passed_on(tree, names[name]) for of in speaking.get(there, ())}
        if subjects:
            words = {each for node in ast.walk(tree) for each in strings(node, names[name])}
            found |= {(subject, word) for subject in subjects for word in words}
    return found


def modules() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted((ROOT / "services").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield name.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def passed_on(tree: ast.AST, names: dict[str, Any]) -> Iterator[str]:
    """The modules whose functions of an event this one calls (`happened`), or of terms that it opens."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                function = names.get(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                function = getattr(names.get(owner), name, None)
            case _:
                continue
        if name in PASSING and hasattr(function, "__module__"):
            yield function.__module__


def called(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def spoken_of(tree: ast.AST, names: dict[str, Any]) -> Iterator[str]:
    """The kinds of subject for which a module opens or meets terms."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=ast.Attribute(attr="of"), comparators=[other]):
                yield from strings(other, names)
        if not isinstance(node, ast.Call) or called(node) not in SPEAKERS:
            continue
        for keyword in node.keywords:
            if keyword.arg == SPEAKERS[called(node)]:
                first = keyword.value.elts[0] if isinstance(keyword.value, ast.Tuple) else keyword.value
                yield from strings(first, names)
                yield from local(tree, first, names)


def local(tree: ast.AST, name: ast.AST, names: dict[str, Any]) -> Iterator[str]:
    """A subject that a local variable holds: whatever is assigned to that name in the module."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = list(zip(targets, values, strict=False))
            case ast.Assign(targets=[target], value=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if isinstance(target, ast.Name) and isinstance(name, ast.Name) and target.id == name.id:
                first = value.elts[0] if isinstance(value, ast.Tuple) else value
                yield from strings(first, names)


def strings(node: ast.AST, names: dict[str, Any]) -> Iterator[str]:
    """The words that a constant, or a name of the module, stands for."""
    value: Any = node.value if isinstance(node, ast.Constant) else None
    if isinstance(node, ast.Name):
        value = names.get(node.id)
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, frozenset, set)):
        yield from (each for each in value if isinstance(each, str))
