"""Models as tables of a document: each key, what it takes, what counts where it is absent, what a comment says."""

import ast
import inspect
import io
import textwrap
import tokenize
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, Discriminator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from tenants.law import loading
from tenants.law.cel import Condition
from tenants.law.citation import Citation
from tenants.law.device import Device
from tenants.law.quantity import MonthDay, Rounding
from tenants.law.values import Word


class Key(NamedTuple):
    """A key of a table, as a pack writes it."""

    name: str
    takes: str
    absent: str
    note: str


def keys_of(model: type[BaseModel], inherited: Sequence[type[BaseModel]] = ()) -> list[Key]:
    """The keys of a model beside those of its bases that are told elsewhere."""
    known = {name for base in inherited for name in base.model_fields}
    notes = comments_of(model)
    return [
        Key(field.alias or name, takes(field), absent(field), notes.get(name, ""))
        for name, field in model.model_fields.items()
        if name not in known
    ]


def comments_of(model: type[BaseModel]) -> dict[str, str]:
    """What a comment at the end of a field's line says of it, also of the fields of bases."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if not issubclass(cls, BaseModel) or cls is BaseModel:
            continue
        source = textwrap.dedent(inspect.getsource(cls))
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        said = {t.start[0]: t.string.lstrip("# ").strip() for t in tokens if t.type == tokenize.COMMENT}
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                comment = next((said[line] for line in lines if line in said), "")
                found[node.target.id] = "" if "noqa" in comment else comment
    return found


def absent(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    default = field.default if field.default is not PydanticUndefined else None
    match default:
        case Word(word=word):
            return f"`{word}`"
        case bool():
            return f"`{str(default).lower()}`"
        case str() | int() if default != "":
            return f"`{default}`"
    return ""


def takes(field: FieldInfo) -> str:
    """What may be written, in the reference's words."""
    return _marked(field.metadata) or said(field.annotation)


def said(annotation: Any) -> str:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _marked(args[1:]) or said(args[0])
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(said(arg) for arg in args if arg is not type(None)))
    if origin is Literal:
        return " · ".join(f"`{word}`" for word in args)
    if origin is tuple and args[-1] is ...:
        inner = said(args[0])
        return {"citation": "articles", "text": "codes"}.get(inner, f"list of {inner}")
    if origin is tuple:
        return f"{len(args)} × {said(args[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"table: {said(args[0])} → {said(args[1])}"
    return _plain(annotation)


def _marked(metadata: Sequence[Any]) -> str | None:
    """What a type is known by: pydantic keeps the marks of an annotation apart from its plain type."""
    if any(isinstance(mark, Discriminator) for mark in metadata):
        return "value"
    functions = [getattr(mark, "func", None) for mark in metadata]
    return next((name for function, name in MARKED if function in functions), None)


MARKED = ((loading._score, "condition or score"), (loading._rounding, "rounding"), (loading._declared, "fact"))
NAMES: Mapping[Any, str] = {
    str: "text",
    int: "whole number",
    bool: "true · false",
    float: "number",
    Word: "word",
    Condition: "condition",
    Citation: "citation",
    Device: "article",
    Rounding: "rounding",
    MonthDay: "yearly day",
    Any: "literal",
}


def _plain(annotation: Any) -> str:
    if annotation in NAMES:
        return NAMES[annotation]
    name: str = getattr(annotation, "__name__", str(annotation))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"[{name}](#{name.lower()})"
    return {"date": "day", "Decimal": "number", "NoneType": "nothing"}.get(name, name)


def table(keys: Sequence[Key]) -> str:
    if not keys:
        return "It has no key of its own.\n"
    rows = [f"| `{k.name}` | {k.takes} | {k.absent} | {escaped(k.note)} |" for k in keys]
    return "\n".join(["| key | takes | absent | |", "|---|---|---|---|", *rows]) + "\n"


def escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("``", "`")


def doc(thing: Any) -> str:
    """A docstring as a paragraph, or several."""
    return escaped(inspect.cleandoc(thing.__doc__ or "")).replace("\\|", "|")
