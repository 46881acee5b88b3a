"""The syntax tree of a compiled condition, read from the form in which the CEL library serializes it.

That form is the public ``cel.expr.CheckedExpr`` of the CEL specification, in protocol buffers' wire format; the field
numbers below are its own. The library itself shows neither the tree nor the types.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

_ANY_VALUE = 2
_REFERENCES, _TYPES, _EXPR, _SOURCE = 2, 3, 4, 5  # law-free: fields of CheckedExpr
_POSITIONS = 4  # law-free: a field of SourceInfo
_PRIMITIVES = ("?", "BOOL", "INT", "UINT", "DOUBLE", "STRING", "BYTES")
_WELL_KNOWN = ("?", "ANY", "TIMESTAMP", "DURATION")
_TYPE_KINDS = {
    1: "DYN",
    2: "NULL",
    7: "MAP",
    8: "FUNCTION",
    9: "MESSAGE",
    11: "TYPE",
    12: "ERROR",
}  # law-free: CEL's own numbers
_PRIMITIVE, _WELL_KNOWN_TYPE, _LIST = 3, 5, 6  # law-free: fields of Type
_STRING_CONST = 6  # law-free: a field of Constant
_KINDS: Mapping[int, Literal["const", "ident", "select", "call", "list", "struct", "comprehension"]] = {
    3: "const",  # law-free: fields of Expr
    4: "ident",  # law-free: fields of Expr
    5: "select",  # law-free: fields of Expr
    6: "call",  # law-free: fields of Expr
    7: "list",  # law-free: fields of Expr
    8: "struct",  # law-free: fields of Expr
    9: "comprehension",  # law-free: fields of Expr
}
# Of each kind: the field of its word (a name, a function, a variable) and those of the expressions inside it, in order.
_SHAPES: Mapping[str, tuple[int, tuple[int, ...]]] = {
    "const": (_STRING_CONST, ()),
    "ident": (1, ()),
    "select": (2, (1,)),
    "call": (2, (1, 3)),  # law-free: fields of Expr.Call; a method's target counts as its first argument
    "list": (0, (1,)),
    "struct": (1, ()),
    "comprehension": (1, (2, 4, 5, 6, 7)),  # law-free: fields of Expr.Comprehension
}
_VARINT_BITS, _VARINT_MORE, _WIRE_BITS = 7, 0x80, 3  # law-free: the wire format
_FIXED = {1: 8, 5: 4}  # law-free: the wire format


@dataclass(frozen=True, slots=True)
class Node:
    """``word``: the text of a constant ("" if it is no text), a name, a function, or a comprehension's variable."""

    id: int
    kind: Literal["const", "ident", "select", "call", "list", "struct", "comprehension"]
    word: str
    text: bool
    args: tuple["Node", ...]

    def walk(self) -> Iterator["Node"]:
        yield self
        for arg in self.args:
            yield from arg.walk()


@dataclass(frozen=True, slots=True)
class Tree:
    """Keyed by node: the fact or variable it refers to, its type (``LIST<STRING>``), its offset in the source."""

    root: Node
    names: Mapping[int, str]
    types: Mapping[int, str]
    offsets: Mapping[int, int]


def read_tree(serialized: bytes) -> Tree:
    checked = _fields(_one(_fields(serialized)[_ANY_VALUE]))
    names = {key: _text(_fields(value)[1]) for key, value in _map(checked[_REFERENCES])}
    types = {key: _type(value) for key, value in _map(checked[_TYPES])}
    positions = _fields(_one(checked[_SOURCE]))[_POSITIONS]
    offsets = {_number(_fields(_one([entry]))[1]): _number(_fields(_one([entry]))[2]) for entry in positions}
    return Tree(_node(_one(checked[_EXPR])), names, types, offsets)


def _node(data: bytes) -> Node:
    fields = _fields(data)
    number = next(number for number in _KINDS if fields[number])
    kind, inner = _KINDS[number], _fields(_one(fields[number]))
    word, args = _SHAPES[kind]
    return Node(
        id=_number(fields[2]),
        kind=kind,
        word=_text(inner[word]),
        text=kind == "const" and bool(inner[word]),
        args=tuple(_node(_one([each])) for field in args for each in inner[field]),
    )


def _type(data: bytes) -> str:
    fields = _fields(data)
    if fields[_PRIMITIVE]:
        return _PRIMITIVES[_number(fields[_PRIMITIVE])]
    if fields[_WELL_KNOWN_TYPE]:
        return _WELL_KNOWN[_number(fields[_WELL_KNOWN_TYPE])]
    if fields[_LIST]:
        return f"LIST<{_type(_one(_fields(_one(fields[_LIST]))[1]))}>"
    return next((name for number, name in _TYPE_KINDS.items() if fields[number]), "?")


def _fields(data: bytes) -> defaultdict[int, list[int | bytes]]:
    found: defaultdict[int, list[int | bytes]] = defaultdict(list)
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & ((1 << _WIRE_BITS) - 1)
        if wire == 0:
            value, at = _varint(data, at)
            found[key >> _WIRE_BITS].append(value)
            continue
        size, at = (_FIXED[wire], at) if wire in _FIXED else _varint(data, at)
        found[key >> _WIRE_BITS].append(data[at : at + size])
        at += size
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & (_VARINT_MORE - 1)) << shift
        at, shift = at + 1, shift + _VARINT_BITS
        if byte < _VARINT_MORE:
            return value, at


def _map(entries: list[int | bytes]) -> Iterator[tuple[int, bytes]]:
    for entry in entries:
        fields = _fields(_one([entry]))
        yield _number(fields[1]), _one(fields[2])


def _one(values: list[int | bytes]) -> bytes:
    return next((value for value in values if isinstance(value, bytes)), b"")


def _number(values: list[int | bytes]) -> int:
    return next((value for value in values if isinstance(value, int)), 0)


def _text(values: list[int | bytes]) -> str:
    return _one(values).decode()
