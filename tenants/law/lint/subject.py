"""What the linter looks through: the items, where each stands in the text, and what else the law has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from tenants.law.kinds.basis import CodeList, NormItem, Reading
from tenants.law.pack import Path, Problem, RawItem
from tenants.law.rule import Item
from tenants.law.values import Const, Value, Word

T = TypeVar("T", bound=Item)


@dataclass(frozen=True, slots=True)
class Found:
    """A value inside an item: where, in which model, as which of its fields."""

    path: Path
    owner: BaseModel
    name: str
    value: Any


@dataclass(frozen=True)
class Subject:
    """The items to look through, beside the law that they change."""

    items: tuple[Item, ...]
    raws: tuple[RawItem, ...]
    base: tuple[Item, ...] = ()

    @cached_property
    def all(self) -> tuple[Item, ...]:
        return (*self.base, *self.items)

    @cached_property
    def codes(self) -> Mapping[str, frozenset[str]]:
        """The codes of each kind."""
        kinds: dict[str, set[str]] = {}
        for item in self.all:
            kinds.setdefault(item.kind, set()).add(item.code)
        return {kind: frozenset(codes) for kind, codes in kinds.items()}

    @cached_property
    def lists(self) -> Mapping[str, Mapping[str, str]]:
        merged: dict[str, dict[str, str]] = {}
        for item in self.of_kind(CodeList):
            merged.setdefault(item.code, {}).update(item.codes)
        return merged

    def of_kind(self, cls: type[T]) -> Iterator[T]:
        """The law's items of a kind, the base's first."""
        return (item for item in self.all if isinstance(item, cls))

    def own(self, cls: type[T]) -> Iterator[tuple[T, Path]]:
        """The items to look through of a kind, each with its path."""
        return ((item, raw.path) for item, raw in zip(self.items, self.raws, strict=True) if isinstance(item, cls))

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """Every value inside the items to look through."""
        pairs = zip(self.items, self.raws, strict=True)
        return tuple(each for item, raw in pairs for each in inside(item, raw.path))

    @cached_property
    def everything(self) -> tuple[Found, ...]:
        """Every value of the whole law: what counts as use."""
        return (*self.found, *(each for item in self.base for each in inside(item, ())))

    def option(self, reading: str) -> str:
        """The option of a reading that counts unless the town chooses another."""
        return next((item.default or "" for item in self.of_kind(Reading) if item.code == reading), "")

    def word(self, word: Word) -> str:
        """A word as it stands, or as the default of its reading has it."""
        return word.word if word.reading is None else word.options.get(self.option(word.reading), "")

    def first_day(self, item: Item) -> date | None:
        """The day from which an item counts, where it is a day: its own, else its norm's."""
        if item.since is not None:
            return literal_day(item.since)
        norms = {norm.label: norm for norm in self.of_kind(NormItem)}
        norm = norms.get(item.cite[0].norm) if item.cite else None
        starts = [status.from_ for status in norm.status if status.is_ == "in_force"] if norm else []
        return starts[0] if starts and isinstance(starts[0], date) else None


def literal_day(value: Value | None) -> date | None:
    """A day written as such; None for a parameter's, which nobody knows here."""
    return value.literal if isinstance(value, Const) and isinstance(value.literal, date) else None


def inside(thing: BaseModel, path: Path) -> Iterator[Found]:
    """Every value inside a model, depth first, under the keys that a pack writes."""
    for name, field in type(thing).model_fields.items():
        key = field.alias or name
        yield from _at(getattr(thing, name), (*path, key), thing, name)


def _at(value: Any, path: Path, owner: BaseModel, name: str) -> Iterator[Found]:
    yield Found(path, owner, name, value)
    if isinstance(value, BaseModel):
        yield from inside(value, path)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _at(inner, (*path, str(key)), owner, name)
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        for index, inner in enumerate(value):
            yield from _at(inner, (*path, index), owner, name)


def error(message: str, hint: str, path: Path) -> Problem:
    return Problem("error", message, hint, path)


def warning(message: str, hint: str, path: Path) -> Problem:
    return Problem("warning", message, hint, path)


def called(item: Item) -> str:
    return f"{item.kind} {item.code!r}"


def near(code: str, known: Iterable[str]) -> str:
    """What is known, for a hint; the closest first where one is close."""
    names = sorted(known)
    close = get_close_matches(code, names, n=1)
    if close:
        return f"is {close[0]!r} meant?"
    return "known are: " + ", ".join(names) if names else "none is declared"
