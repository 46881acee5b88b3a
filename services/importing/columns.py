"""Which column of a file is which field: by the headers that towns use, or as the caller says."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from services.errors import Invalid

IGNORED = ""  # what a caller says of a column that is not to be read
LOOKED_AT = 20  # law-free: rows in which a header is looked for
FEWEST = 2  # columns that make a header


@dataclass(frozen=True, slots=True)
class Field:
    """`kind`: how its cells are read."""

    code: str
    title: str
    kind: str


@dataclass(frozen=True, slots=True)
class Column:
    """`field`: what it is read as, a field or a fact of the town's law; None: nothing."""

    position: int
    header: str
    field: str | None

    @property
    def letter(self) -> str:
        """As a spreadsheet calls it."""
        return letters(self.position)


def bare(text: str) -> str:
    """Lower case, accents and punctuation off, spaces once."""
    marked = text.translate({ord("º"): " ", ord("ª"): " ", ord("°"): " "})
    plain = "".join(c for c in unicodedata.normalize("NFKD", marked) if not unicodedata.combining(c)).lower()
    joined = re.sub(r"\b([a-z])\.(?=[a-z]\b)", r"\1", plain)  # C.P.F.
    return " ".join(re.sub(r"[^a-z0-9]+", " ", joined).split())


def letters(position: int) -> str:
    """0 is A, 26 is AA."""
    alphabet, found, rest = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "", position + 1
    while rest:
        rest, digit = divmod(rest - 1, len(alphabet))
        found = alphabet[digit] + found
    return found


@cache
def known() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "columns.toml").read_text(encoding="utf-8"))


@cache
def fields() -> Mapping[str, Field]:
    return {code: Field(code, said["title"], said["kind"]) for code, said in known()["field"].items()}


@cache
def _by_header() -> Mapping[str, str]:
    return {header: code for code, said in known()["field"].items() for header in said["headers"]}


@cache
def blanks() -> frozenset[str]:
    return frozenset(known()["blank"])


@cache
def other_numbers() -> frozenset[str]:
    return frozenset(known()["other_numbers"])


@cache
def active() -> frozenset[str]:
    return frozenset(known()["active"])


def header_row(rows: Sequence[Sequence[str]], told: Mapping[str, str]) -> int:
    """The position of the row that heads the columns: the first of those with the most known headers.

    Raises:
        Invalid: No row does.
    """
    scores = [sum(1 for _ in _named(row, told)) for row in rows[:LOOKED_AT]]
    best = max(scores, default=0)
    if best < FEWEST:
        message = "Nenhuma linha de cabeçalho foi reconhecida. Informe a linha e as colunas."
        raise Invalid("headerRow", "no_header", message)
    return scores.index(best)


def columns_of(header: Sequence[str], told: Mapping[str, str]) -> list[Column]:
    """Each column with its field; of two with one field, the first counts."""
    named = dict(_named(header, told))
    return [Column(at, " ".join(text.split()), named.get(at)) for at, text in enumerate(header) if text.strip()]


def _named(header: Sequence[str], told: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    taken: set[str] = set()
    own = {bare(text): field for text, field in told.items()}
    for at, text in enumerate(header):
        plain = bare(text)
        field = own[plain] if plain in own else _by_header().get(plain)
        if field and field not in taken and (plain in own or field not in own.values()):
            taken.add(field)
            yield at, field
