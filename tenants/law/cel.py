"""Conditions of the law: CEL expressions over declared facts, checked when they are loaded.

The language is Google's; what it may say here is less. See ``_TYPES`` and ``_CALLS``.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from typing import Any, Self
from weakref import WeakKeyDictionary

from cel_expr_python import cel

from tenants.law import calendar
from tenants.law.cel_tree import Node, Tree, read_tree
from tenants.law.facts import LISTS, Facts, FactSpec, FactType, FactValue, Vocabulary

log = logging.getLogger(__name__)
Lists = Mapping[str, Collection[str]]


class ConditionError(ValueError):
    """A condition that the loader refuses; ``line`` and ``column`` count from 1 inside its source."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"{message} (line {line}, column {column})")
        self.message, self.line, self.column = message, line, column


@dataclass(frozen=True, slots=True)
class Holds:
    """The facts satisfy the condition, whatever is still unknown."""


@dataclass(frozen=True, slots=True)
class Fails:
    """The facts do not satisfy it, whatever is still unknown."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a condition that scores comes to."""

    value: int


@dataclass(frozen=True, slots=True)
class Unproven:
    """Undecided: these facts and parameters, all that the condition refers to and nobody supplied."""

    missing: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fault:
    """The condition itself failed: nothing follows from it."""

    message: str


Verdict = Holds | Fails | Score | Unproven | Fault


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _by_days(function: Callable[[date, int], date]) -> Callable[[datetime, int], datetime]:
    return lambda moment, number: _moment(function(moment.date(), number))


def _of_days(function: Callable[[date, date], int]) -> Callable[[datetime, datetime], int]:
    return lambda first, last: function(first.date(), last.date())


_BOOL, _INT, _TEXT, _DAY = cel.Type.BOOL, cel.Type.INT, cel.Type.STRING, cel.Type.TIMESTAMP
_CEL_TYPES: Mapping[FactType, cel.Type] = {
    "bool": _BOOL,
    "int": _INT,
    "text": _TEXT,
    "list": cel.Type.List(_TEXT),
    "day": _DAY,
}
_FUNCTIONS: Mapping[str, tuple[cel.Type, tuple[cel.Type, ...], Callable[..., Any]]] = {
    "day": (_DAY, (_TEXT,), lambda text: _moment(date.fromisoformat(text))),
    "add_days": (_DAY, (_DAY, _INT), _by_days(lambda day, days: day + timedelta(days=days))),
    "add_months": (_DAY, (_DAY, _INT), _by_days(calendar.add_months)),
    "years_between": (_INT, (_DAY, _DAY), _of_days(calendar.years_between)),
    "months_between": (_INT, (_DAY, _DAY), _of_days(calendar.months_between)),
    "ceil_div": (_INT, (_INT, _INT), lambda number, by: -(-number // by)),
}
_TYPES = frozenset(
    name for each in ("BOOL", "INT", "STRING", "TIMESTAMP") for name in (each, f"LIST<{each}>")
)  # no DOUBLE, DYN, map or list of structures: a fault or a rounding could hide in them
_COMPARING = frozenset({"_==_", "_!=_", "@in"})
_CALLS = (
    frozenset({"_&&_", "_||_", "!_", "_?_:_", "@not_strictly_false", "_<_", "_<=_", "_>_", "_>=_"})
    | frozenset({"_+_", "_-_", "_*_", "-_", "size", "startsWith", "endsWith", "contains"})
    | _COMPARING
    | _FUNCTIONS.keys()
)
_STRINGS = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
_UNDECLARED = re.compile(r"undeclared reference to '([^']+)'")
_COMPILE_ERROR = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
_NO_VALUE = "UNKNOWN: No value with name"
_environments: WeakKeyDictionary[Vocabulary, cel.Env] = WeakKeyDictionary()


def _environment(vocabulary: Vocabulary) -> cel.Env:
    if vocabulary not in _environments:
        variables = {code: _CEL_TYPES[spec.type] for code, spec in vocabulary.specs.items()} | {"on": _DAY}
        functions = [
            cel.FunctionDecl(name, [cel.Overload(id=name, return_type=result, parameters=list(params), impl=impl)])
            for name, (result, params, impl) in _FUNCTIONS.items()
        ]
        _environments[vocabulary] = cel.NewEnv(variables=variables, functions=functions)
    return _environments[vocabulary]


class Condition:
    """One compiled condition. Immutable, safe in threads; pickled by its source and compiled anew.

    ``facts`` are the codes of all facts and parameters that it refers to.
    """

    __slots__ = ("_lists", "_program", "_specs", "facts", "scores", "source", "vocabulary")

    def __init__(self, source: str, vocabulary: Vocabulary, lists: Lists, scores: bool) -> None:
        self.source, self.vocabulary, self.scores, self._lists = source, vocabulary, scores, lists
        try:
            self._program = _environment(vocabulary).compile(source)
        except RuntimeError as error:
            raise _compile_error(str(error), vocabulary) from error
        tree = read_tree(self._program.serialize())
        _Check(source, tree, vocabulary, lists).all()
        result = self._program.return_type()
        if result != _BOOL and not (scores and result == _INT):
            raise ConditionError(f"the result must be {'BOOL or INT' if scores else 'BOOL'}, not {result.name()}")
        self._specs: Mapping[str, FactSpec] = {
            name: vocabulary[name] for name in sorted(set(tree.names.values())) if name in vocabulary
        }
        self.facts = frozenset(self._specs)

    @classmethod
    def compile(cls, source: str, vocabulary: Vocabulary, lists: Lists, *, scores: bool = False) -> Self:
        """``lists``: the pack's code lists by name. ``scores``: an INT is taken, too. Raises ConditionError."""
        return cls(source, vocabulary, lists, scores)

    def evaluate(self, facts: Facts, on: date) -> Verdict:
        """Decide on a day. Raises FactError for a fact of the wrong type, before the expression sees it.

        A fact that is absent does not matter where the others decide (``a || b`` with a true ``b``).
        """
        if type(on) is not date:
            raise TypeError(f"a day is expected, not {on!r}")
        data: dict[str, object] = {
            code: _cel_value(spec.checked(facts[code])) for code, spec in self._specs.items() if code in facts
        }
        try:
            answer = self._program.eval(data=data | {"on": _moment(on)})
            kind, value = answer.type(), answer.plain_value()
        except Exception as error:  # the library promises no class: whatever it is, the rule is at fault
            return self._fault(str(error))
        if kind == _BOOL:
            return Holds() if value else Fails()
        if kind == _INT and isinstance(value, int):
            return Score(value)
        if kind == cel.Type.ERROR and str(value).startswith(_NO_VALUE):
            return Unproven(self.facts - data.keys())
        return self._fault(str(value))

    def _fault(self, why: str) -> Fault:
        log.error("condition %r fails to evaluate: %s", self.source, why)
        return Fault(f"{self.source}: {why}")

    def __repr__(self) -> str:
        return f"Condition({self.source!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and (self.source, self.scores) == (other.source, other.scores)

    def __hash__(self) -> int:
        return hash(self.source)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        lists = {name: tuple(codes) for name, codes in self._lists.items()}
        return type(self), (self.source, self.vocabulary, lists, self.scores)


def _cel_value(fact: FactValue) -> object:
    if isinstance(fact, date):
        return _moment(fact)
    return list(fact) if isinstance(fact, tuple) else fact


def _compile_error(text: str, vocabulary: Vocabulary) -> ConditionError:
    found = _COMPILE_ERROR.search(text)
    if found is None:
        return ConditionError(text)
    line, column, message = found.groups()
    line, column, message = int(line), int(column), message.replace(" (in container '')", "")
    if undeclared := _UNDECLARED.search(message):
        near = get_close_matches(undeclared[1], [*vocabulary, *_FUNCTIONS], n=1)
        message = f"unknown name {undeclared[1]!r}" + (f": did you mean {near[0]!r}?" if near else "")
    return ConditionError(message, line, column)


@dataclass(frozen=True, slots=True)
class _Check:
    """What the compiler takes and we do not."""

    source: str
    tree: Tree
    vocabulary: Vocabulary
    lists: Lists

    def all(self) -> None:
        if has := re.search(r"\bhas\s*\(", _STRINGS.sub(lambda text: " " * len(text[0]), self.source)):
            raise self._error("has() is not used: what is not known is asked for", has.start())
        for node in self.tree.root.walk():
            kind = self.tree.types.get(node.id, "BOOL")
            if kind not in _TYPES:
                raise self._error(f"{kind} may not occur in a condition", node)
            if node.kind == "call" and node.word not in _CALLS:
                raise self._error(f"{node.word.strip('_')} may not be used: there is {', '.join(_FUNCTIONS)}", node)
            if node.kind == "call" and node.word == "day":
                self._day(node.args[0])
        self._codes(self.tree.root, {})

    def _day(self, node: Node) -> None:
        try:
            date.fromisoformat(node.word)
        except ValueError:
            raise self._error('day() takes a day as it is written: day("2026-12-31")', node) from None

    def _codes(self, node: Node, scope: Mapping[str, str]) -> None:
        """Compare literals with the code list of what they are compared with; ``scope``: the lists of variables."""
        if node.kind == "comprehension":
            self._codes(node.args[0], scope)
            found = self._list_of(node.args[0], scope)
            scope = {**scope, node.word: found} if found else {k: v for k, v in scope.items() if k != node.word}
            for arg in node.args[1:]:
                self._codes(arg, scope)
            return
        if node.kind == "call" and node.word in _COMPARING:
            name = next((found for arg in node.args if (found := self._list_of(arg, scope))), None)
            for literal in _literals(node) if name else ():
                self._known(name or "", literal)
        for arg in node.args:
            self._codes(arg, scope)

    def _known(self, name: str, literal: Node) -> None:
        codes = self.lists.get(name, LISTS.get(name))
        if codes is None:
            raise self._error(f"the list {name!r} of what {literal.word!r} is compared with is not declared", literal)
        if literal.word not in codes:
            near = get_close_matches(literal.word, codes, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(codes)) or 'no code'}"
            raise self._error(f"{literal.word!r} is no code of the list {name!r}: {hint}", literal)

    def _list_of(self, node: Node, scope: Mapping[str, str]) -> str | None:
        """The code list that the value of ``node`` is taken from, if any."""
        if node.kind in ("ident", "select"):
            name = self.tree.names.get(node.id, node.word)
            spec = self.vocabulary.get(name)
            return spec.list if spec else scope.get(name)
        inner = node.args[:1] if node.kind == "comprehension" else node.args
        if node.kind == "call" and node.word not in ("_?_:_", "_+_"):
            return None
        return next((found for arg in inner if (found := self._list_of(arg, scope))), None)

    def _error(self, message: str, where: Node | int) -> ConditionError:
        offset = where if isinstance(where, int) else self.tree.offsets.get(where.id, 0)
        before = self.source[:offset]
        return ConditionError(message, before.count("\n") + 1, offset - before.rfind("\n"))


def _literals(node: Node) -> Iterator[Node]:
    """The text literals that a comparison compares: in its arguments, in lists, in the branches of a choice."""
    for arg in node.args:
        if arg.text:
            yield arg
        elif arg.kind == "list" or (arg.kind == "call" and arg.word in ("_?_:_", "_+_")):
            yield from _literals(arg)
