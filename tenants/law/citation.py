"""Norms and citations of them: ``Lei 7/2000, art. 101, § ún.`` is ``urn:lex:br;…;7!art101_par1u``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, field_validator
from pydantic_core import CoreSchema

from tenants.law.device import EXPECTED, START, CitationError, Device, text_schema

__all__ = ["RANKS", "Citation", "CitationError", "Device", "Norm", "NormStatus", "parse_citations"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A norm, by its label, and the device cited; no device means the norm as a whole."""

    norm: str
    device: Device | None = None

    @classmethod
    def parse(cls, text: str, default_norm: str | None = None) -> Self:
        """``Lei 7/2000, art. 101, II``, or ``art. 101, II`` of the default norm. Raises CitationError."""
        text = " ".join(text.split())
        if ";" in text:
            raise CitationError("two citations where one is wanted", text, text.index(";"))
        start = START.search(text)
        label = text if start is None else text[: start.start()].strip()
        if label and not label[0].isupper():
            raise CitationError(f"neither a norm nor a device: expected {EXPECTED}", text, 0)
        norm = label or default_norm
        if not norm:
            raise CitationError("no norm is named and there is no default one", text, 0)
        return cls(norm, None if start is None else Device.parse(text[start.end() :]))

    def __str__(self) -> str:
        return self.norm if self.device is None else f"{self.norm}, {self.device}"

    @property
    def short(self) -> str:
        return self.norm if self.device is None else str(self.device)

    def urn(self, norm: "Norm") -> str:
        if norm.label != self.norm:
            raise ValueError(f"{self} is not of {norm.label}")
        return norm.urn if self.device is None else f"{norm.urn}!{self.device.fragment}"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        """From text; a bare device belongs to the norm that the validation context names (its ``norm``)."""
        return text_schema(cls, lambda text, info: cls.parse(text, _norm_of(info.context)))


def _norm_of(context: Any) -> str | None:
    return context.get("norm") if isinstance(context, Mapping) else getattr(context, "norm", None)


def parse_citations(text: str, default_norm: str | None = None) -> tuple[Citation, ...]:
    """Citations separated by semicolons: ``art. 101; anexo, grupo I, item 99``."""
    return tuple(Citation.parse(part, default_norm) for part in text.split(";"))


# The Brazilian legal order, the strongest first; the level is read from the norm's URN.
RANKS: tuple[tuple[str, str], ...] = (
    ("federal", "constituicao"),
    ("federal", "lei"),
    ("federal", "decreto"),
    ("federal", "resolucao"),
    ("federal", "portaria"),
    ("estadual", "constituicao"),
    ("estadual", "lei"),
    ("estadual", "decreto"),
    ("estadual", "resolucao"),
    ("estadual", "portaria"),
    ("municipal", "lei_organica"),
    ("municipal", "lei"),
    ("municipal", "decreto"),
    ("municipal", "resolucao"),
    ("municipal", "portaria"),
)
# Forms of the same force as another one: between them the later counts, not the higher.
_PEERS = {
    "emenda_constitucional": "constituicao",
    "lei_complementar": "lei",
    "lei_delegada": "lei",
    "medida_provisoria": "lei",
    "instrucao_normativa": "portaria",
}
_LEVELS = ("federal", "estadual", "municipal")
_NAME = r"[a-z0-9]+(?:[.\-][a-z0-9]+)*"
_URN = re.compile(
    rf"urn:lex:br(?P<place>(?:;{_NAME}){{0,2}}):(?P<authority>{_NAME}(?:;{_NAME})*):(?P<form>{_NAME}(?:;{_NAME})*)"
    rf":(?P<day>\d{{4}}(?:-\d\d-\d\d)?)(?:;(?P<number>{_NAME}))?"
)


class NormStatus(BaseModel):
    """What a norm is from one day to another, as a whole or only in ``devices``."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    is_: Literal["bill", "in_force", "suspended", "revived", "revoked", "void"] = Field(alias="is")
    from_: date | dict[str, str] | None = Field(default=None, alias="from")  # a dict names a parameter, yet unresolved
    until: date | dict[str, str] | None = None
    devices: tuple[Device, ...] = ()
    by: str | None = None  # the norm or judgement that made it so

    def concerns(self, device: Device | None) -> bool:
        """Does it say something of ``device``? A norm's device shares the fate of what it stands in."""
        return not self.devices or (device is not None and any(each.covers(device) for each in self.devices))


class Norm(BaseModel):
    """A law, decree or ordinance (norma), as a pack's ``[[norm]]`` has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str = Field(pattern=r"^[A-ZÀ-Ü][^;]*$")
    rank: str
    urn: str
    status: tuple[NormStatus, ...] = ()
    title: str = ""

    @field_validator("rank")
    @classmethod
    def _known_rank(cls, rank: str) -> str:
        known = {form for _, form in RANKS} | _PEERS.keys()
        if rank not in known:
            raise ValueError(f"unknown rank {rank!r}: one of {', '.join(sorted(known))}")
        return rank

    @field_validator("urn")
    @classmethod
    def _lexml(cls, urn: str) -> str:
        found = _URN.fullmatch(urn)
        if found is None:
            raise ValueError(f"{urn!r} is no LexML URN, such as urn:lex:br;uf;town:municipal:lei:2000-12-31;7")
        if "-" in found["day"]:
            date.fromisoformat(found["day"])  # raises ValueError
        return urn

    @property
    def level(self) -> str:
        """``federal``, ``estadual`` or ``municipal``: whose place the URN names."""
        place = self.urn.removeprefix("urn:lex:br").partition(":")[0]
        return _LEVELS[place.count(";")]

    @property
    def precedence(self) -> int:
        """The place in RANKS: the smaller outranks. Raises ValueError for a form that its level has not."""
        return RANKS.index((self.level, _PEERS.get(self.rank, self.rank)))

    def outranks(self, other: "Norm") -> bool:
        return self.precedence < other.precedence
