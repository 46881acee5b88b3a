"""The devices of a norm's text (artigo, parágrafo, inciso …), each in one canonical form.

They follow the federal law on the drafting of laws; fragments follow LexML Brasil.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema


class CitationError(ValueError):
    """A citation that the grammar refuses; ``position`` is the offset, from 0, of what was not understood."""

    def __init__(self, why: str, text: str, position: int) -> None:
        super().__init__(f"{why} at character {position + 1} of {text!r}")
        self.position = position


_ROMAN = (
    *(("M", 1000), ("CM", 900), ("D", 500), ("CD", 400)),  # law-free: how roman numerals are written
    *(("C", 100), ("XC", 90), ("L", 50), ("XL", 40)),  # law-free: how roman numerals are written
    *(("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)),  # law-free: how roman numerals are written
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _roman(number: int) -> str:
    out = ""
    for numeral, worth in _ROMAN:
        out += numeral * (number // worth)
        number %= worth
    return out


def _from_roman(text: str) -> int:
    """The number that ``text`` writes; 0 if it is no canonical roman numeral."""
    number, rest = 0, text
    for numeral, worth in _ROMAN:
        while rest.startswith(numeral):
            number, rest = number + worth, rest[len(numeral) :]
    return number if not rest and _roman(number) == text else 0


def _from_letters(text: str) -> int:
    number = 0
    for letter in text:
        number = number * len(_LETTERS) + _LETTERS.index(letter) + 1
    return number


def _letters(number: int) -> str:
    out = ""
    while number:
        number, rest = divmod(number - 1, len(_LETTERS))
        out = _LETTERS[rest] + out
    return out


class Part(NamedTuple):
    """One step into a text. ``number`` 0 stands for a sole one (parágrafo único, the only anexo, the caput)."""

    level: int
    kind: str
    number: int
    suffix: str = ""  # of a device inserted later: art. 12-A
    occurrence: int = 1  # a text may number two devices alike

    def __str__(self) -> str:
        shape = _FORMS[self.kind]
        sole = shape.sole if self.number == 0 else shape.write.format(shape.numeral(self.number))
        suffix = f"-{self.suffix}" if self.suffix else ""
        return sole + suffix + (f" [{self.occurrence}]" if self.occurrence > 1 else "")

    @property
    def fragment(self) -> str:
        form = _FORMS[self.kind]
        number = form.sole_fragment if self.number == 0 else str(self.number)
        suffix = f"-{_from_letters(self.suffix.lower())}" if self.suffix else ""
        return form.fragment + number + suffix + (f"~{self.occurrence}" if self.occurrence > 1 else "")


class _Form(NamedTuple):
    pattern: str
    fragment: str
    write: str = "{}"
    sole: str = ""
    sole_fragment: str = ""
    numerals: Literal["arabic", "roman", "letters"] = "arabic"

    def numeral(self, number: int) -> str:
        if self.numerals == "arabic":
            return str(number)
        return _roman(number) if self.numerals == "roman" else _letters(number)

    def number(self, text: str) -> int:
        if self.numerals == "letters":
            return _from_letters(text)
        return int(text) if text.isdecimal() else _from_roman(text)


_N = r"(?P<number>[1-9]\d*)(?:\s?[º°o](?![a-z]))?"
_ANY = r"(?P<number>[1-9]\d*|[IVXLCDM]+)"
_SOLE = r"(?:ún\.|único\b|única\b)"
_FORMS: Mapping[str, _Form] = {
    "anexo": _Form(rf"anexo(?:\s+(?:{_SOLE}|{_ANY}))?(?!\w)", "anx", "anexo {}", "anexo", "1", "roman"),
    "título": _Form(rf"(?:título|tít\.)\s*{_ANY}", "tit", "título {}", numerals="roman"),
    "capítulo": _Form(rf"(?:capítulo|cap\.)\s*{_ANY}", "cap", "capítulo {}", numerals="roman"),
    "seção": _Form(rf"(?:seção|seç\.)\s*{_ANY}", "sec", "seção {}", numerals="roman"),
    "grupo": _Form(rf"grupo\s+{_ANY}", "grp", "grupo {}", numerals="roman"),
    "tabela": _Form(rf"tabela\s+{_ANY}", "tab", "tabela {}", numerals="roman"),
    "artigo": _Form(rf"(?:art\.?|artigo)\s*{_N}", "art", "art. {}"),
    "caput": _Form(r"caput\b", "cpt", sole="caput"),
    "parágrafo": _Form(
        rf"(?:§|parágrafo)\s*(?:{_SOLE}|{_N})", "par", "§ {}", "§ ún.", "1u"
    ),  # law-free: the form of a citation
    "inciso": _Form(r"(?:inciso\s+|inc\.\s*)?(?P<number>[IVXLCDM]+)(?![a-z])", "inc", numerals="roman"),
    "alínea": _Form(r"(?:alínea\s+)?[\"“'‘]?(?P<number>[a-z]{1,2})(?![\wà-ü])[\"”'’]?", "ali", numerals="letters"),
    "item": _Form(rf"item\s+{_N}", "ite", "item {}"),
}
# From the larger to the smaller: each part of a device must be deeper than the one before.
_DEPTHS = (
    ("anexo", "título"),
    ("capítulo",),
    ("seção", "grupo", "tabela"),
    ("artigo",),
    ("caput", "parágrafo"),
    ("inciso",),
    ("alínea",),
    ("item",),
)
_LEVELS = {kind: level for level, kinds in enumerate(_DEPTHS) for kind in kinds}
_PARTS = {
    kind: re.compile(form.pattern + r"(?:\s?-\s?(?P<suffix>[A-Z]{1,2})\b)?(?:\s*[\[(](?P<times>[1-9]\d*)[\])])?")
    for kind, form in _FORMS.items()
}
_STARTS = ("artigo", "anexo", "título", "capítulo", "seção")
START = re.compile(
    r"(?:^|,)\s*(?=(?:art\b|artigo\b|anexo\b|título\b|tít\.|capítulo\b|cap\.|seção\b|seç\.|§|parágrafo\b))"
)
EXPECTED = (
    "art. N, anexo, § N, § ún., caput, an inciso (I, II …), "
    "an alínea (a, b …), item N or grupo N"
)  # law-free: the forms of a citation


def _read_part(text: str, at: int) -> tuple[Part, int]:
    understood = at
    for kind, pattern in _PARTS.items():
        found = pattern.match(text, at)
        if found is None or text[found.end() :].lstrip()[:1] not in ("", ","):
            understood = max(understood, found.end() if found else at)
            continue
        groups = found.groupdict()
        number = _FORMS[kind].number(groups["number"]) if groups.get("number") else 0
        if groups.get("number") and not number:
            raise CitationError(f"{groups['number']} is no roman numeral", text, at)
        times = int(groups["times"] or 1)
        return Part(_LEVELS[kind], kind, number, groups["suffix"] or "", times), found.end()
    raise CitationError(f"not a part of a legal text: expected {EXPECTED}", text, understood)


def _read(text: str) -> Iterator[Part]:
    at, level = 0, -1
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        part, end = _read_part(text, at)
        if level == -1 and part.kind not in _STARTS:
            raise CitationError(f"a device begins with {', '.join(_STARTS)}, not with {part.kind}", text, at)
        if part.level <= level:
            raise CitationError(
                f"{part} ({part.kind}) cannot stand here: write from the larger to the smaller", text, at
            )
        yield part
        level, at = part.level, end + len(text[end:]) - len(text[end:].lstrip()) + 1
        if at > len(text):
            return


@dataclass(frozen=True, slots=True, order=True)
class Device:
    """A place in a norm (dispositivo): ``art. 101, § 7, II, a``. Sorts by its parts, a whole before what is in it."""

    parts: tuple[Part, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises CitationError, which is a ValueError, with what was expected and where."""
        return cls(tuple(_read(text)))

    def __str__(self) -> str:
        return ", ".join(map(str, self.parts))

    @property
    def fragment(self) -> str:
        """The fragment of a LexML URN, ``art101_par1u``; an occurrence is ours: LexML has none."""
        return "_".join(part.fragment for part in self.parts)

    def covers(self, other: Self) -> bool:
        """Is ``other`` this device or inside it?"""
        return other.parts[: len(self.parts)] == self.parts

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        return text_schema(cls, lambda text, _: cls.parse(text))


def text_schema(cls: type, parse: Any) -> CoreSchema:
    def validate(value: object, info: ValidationInfo) -> object:
        if isinstance(value, cls):
            return value
        if not isinstance(value, str):
            raise ValueError(f"a citation is a text, not {type(value).__name__}")
        return parse(value, info)

    return core_schema.with_info_plain_validator_function(
        validate, serialization=core_schema.plain_serializer_function_ser_schema(str, when_used="json")
    )
