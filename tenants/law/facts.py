"""Facts: what may be known of a case, in which exact type, and how one asks for it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator

from tenants.law.register import LISTS, ROWS

__all__ = ["LISTS", "REGISTER", "FactError", "FactSpec", "FactType", "FactValue", "Facts", "Vocabulary", "parse_fact"]

FactValue = bool | int | str | tuple[str, ...] | date
FactType = Literal["bool", "int", "text", "list", "day"]
Proof = Literal["register", "declaration", "paper", "office"]
SUBJECTS = frozenset(row[0].partition(".")[0] for row in ROWS)
_PACKS_OWN = ("local.", "param.")
_WORD_BITS = 64  # law-free: the width of a CEL integer, with its sign
_CODE = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+")
_RESERVED = frozenset(
    {"as", "break", "const", "continue", "dyn", "else", "false", "for", "function", "if", "import", "in", "let"}
    | {"loop", "namespace", "null", "package", "return", "true", "var", "void", "while"}
)


class FactError(TypeError):
    """A fact of the wrong type, or one that the vocabulary does not have; ``code`` names it."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"fact {code}: {why}")
        self.code = code


class FactSpec(BaseModel):
    """A fact that may be known: its type and unit, whose it is, the question that a form asks, and who proves it.

    ``list`` names the code list that a text, or each element of a list, is taken from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str
    type: FactType
    unit: str | None = None
    of: str
    ask: str = Field(min_length=1)
    list: str | None = None
    proof: Proof = "declaration"
    meaning: str = ""

    @field_validator("code")
    @classmethod
    def _can_stand_in_a_condition(cls, code: str) -> str:
        if not _CODE.fullmatch(code):
            raise ValueError(f"{code!r} is no dotted name of lower-case letters, digits and _")
        if reserved := _RESERVED & set(code.split(".")):
            raise ValueError(f"{code!r}: {min(reserved)!r} is a reserved word of conditions")
        return code

    @field_validator("of")
    @classmethod
    def _is_of_a_known_subject(cls, of: str) -> str:
        if of not in SUBJECTS:
            raise ValueError(f"a fact is of one of {', '.join(sorted(SUBJECTS))}, not of {of!r}")
        return of

    def checked(self, value: object) -> FactValue:
        """``value`` itself, lists as tuples. Raises FactError: bool is not int, a moment is not a day."""
        match self.type:
            case "bool" if type(value) is bool:
                return value
            case "int" if type(value) is int:
                if value.bit_length() >= _WORD_BITS:
                    raise FactError(self.code, f"{value} is too large")
                return value
            case "text" if type(value) is str:
                return value
            case "day" if type(value) is date:
                return value
            case "list" if isinstance(value, list | tuple) and all(type(each) is str for each in value):
                return tuple(value)
        raise FactError(self.code, f"must be of type {self.type}, not {type(value).__name__} {value!r}")


def _spec(code: str, kind: str, unit: str, proof: str, meaning: str, ask: str) -> FactSpec:
    codes = unit.removeprefix("#") if unit.startswith("#") else None
    return FactSpec(
        code=code,
        type=cast(FactType, kind),
        unit=None if codes else unit or None,
        of=code.partition(".")[0],
        ask=ask,
        list=codes,
        proof=cast(Proof, proof),
        meaning=meaning,
    )


REGISTER: tuple[FactSpec, ...] = tuple(_spec(*row) for row in ROWS)


class Vocabulary:
    """Every fact that conditions may name: the register's, a pack's own, and those that follow from a pack.

    Args:
        specs: What a pack declares (``local.…``) and its parameters (``param.…``), nothing else.
        derived: What the loader makes of a pack's papers (``<paper>.until``) or series (``town.<series>``).

    Raises:
        ValueError: A code stands twice, begins another one, or is not the pack's to declare.
    """

    def __init__(self, specs: Iterable[FactSpec] = (), derived: Iterable[FactSpec] = ()) -> None:
        own = tuple(specs)
        for spec in own:
            if not spec.code.startswith(_PACKS_OWN):
                raise ValueError(f"a pack declares facts under local. only, not {spec.code}")
        found: dict[str, FactSpec] = {}
        for spec in (*REGISTER, *derived, *own):
            if spec.code in found:
                raise ValueError(f"the fact {spec.code} is declared twice")
            found[spec.code] = spec
        for code in found:
            stem = code.rpartition(".")[0]
            while stem:
                if stem in found:
                    raise ValueError(f"the fact {code} would stand inside the fact {stem}")
                stem = stem.rpartition(".")[0]
        self.specs: Mapping[str, FactSpec] = MappingProxyType(found)

    def __getitem__(self, code: str) -> FactSpec:
        return self.specs[code]

    def __contains__(self, code: object) -> bool:
        return code in self.specs

    def __iter__(self) -> Iterator[str]:
        return iter(self.specs)

    def __len__(self) -> int:
        return len(self.specs)

    def get(self, code: str) -> FactSpec | None:
        return self.specs.get(code)

    def __reduce__(self) -> tuple[Any, ...]:
        beyond = [spec for spec in self.specs.values() if spec not in _REGISTERED]
        own = [spec for spec in beyond if spec.code.startswith(_PACKS_OWN)]
        return Vocabulary, (own, [spec for spec in beyond if spec not in own])


_REGISTERED = frozenset(REGISTER)


class Facts(Mapping[str, FactValue]):
    """What is known of a case: immutable, each fact of its exact type."""

    __slots__ = ("_values", "vocabulary")

    def __init__(self, values: Mapping[str, FactValue], vocabulary: Vocabulary) -> None:
        self._values, self.vocabulary = values, vocabulary

    @classmethod
    def of(cls, values: Mapping[str, object], vocabulary: Vocabulary) -> Self:
        """Raises FactError, which is a TypeError, naming the fact."""
        return cls(dict(_checked(values, vocabulary)), vocabulary)

    def with_(self, more: Mapping[str, object]) -> Self:
        """These facts and ``more``, which win. Raises FactError."""
        return type(self)({**self._values, **dict(_checked(more, self.vocabulary))}, self.vocabulary)

    def __getitem__(self, code: str) -> FactValue:
        return self._values[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Facts({dict(self._values)!r})"


def _checked(values: Mapping[str, object], vocabulary: Vocabulary) -> Iterator[tuple[str, FactValue]]:
    for code, value in values.items():
        spec = vocabulary.get(code)
        if spec is None:
            raise FactError(code, "is not in the vocabulary")
        yield code, spec.checked(value)


_BOOLEANS = {"true": True, "sim": True, "false": False, "não": False, "nao": False}
_DAY = re.compile(r"(?P<d>\d\d)/(?P<m>\d\d)/(?P<y>\d{4})")


def parse_fact(spec: FactSpec, text: str) -> FactValue:
    """A fact from what a form sends: ``sim``, ``4``, ``2026-12-31`` or ``31/12/2026``, ``B, D``.

    Raises:
        ValueError: The text is of another type; the message names the fact.
    """
    text = text.strip()
    try:
        match spec.type:
            case "bool":
                return _BOOLEANS[text.lower()]
            case "int":
                return cast(int, spec.checked(int(text)))
            case "day":
                brazilian = _DAY.fullmatch(text)
                return date.fromisoformat("{y}-{m}-{d}".format_map(brazilian.groupdict()) if brazilian else text)
            case "list":
                return tuple(each for each in map(str.strip, text.split(",")) if each)
            case "text" if text:
                return text
    except (KeyError, ValueError, FactError) as error:
        raise ValueError(f"fact {spec.code}: {text!r} is no {spec.type}") from error
    raise ValueError(f"fact {spec.code}: {text!r} is no {spec.type}")
