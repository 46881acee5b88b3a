"""The tools of the generator: what it draws, and how that is written as TOML."""

import json
from collections.abc import Iterator, Sequence
from datetime import date, time
from decimal import Decimal
from itertools import count
from typing import Any, TypeVar

from hypothesis import strategies as st

Row = dict[str, Any]
Tables = dict[str, list[Row]]
T = TypeVar("T")
CONDITIONS = ("vehicle.doors == 2", "vehicle.fuel == 'f0'", "local.flag", "vehicle.doors > 2 || local.flag")


class Maker:
    """Draws the parts of one pack: each rule with a citation that no other has."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw
        self._articles: Iterator[int] = count(1)

    def of(self, *several: T) -> T:
        chosen: T = self._draw(st.sampled_from(several))
        return chosen

    def some(self, several: Sequence[T]) -> list[T]:
        """At least one of them, in their order."""
        chosen = {*self._draw(st.lists(st.sampled_from(range(len(several))), min_size=1, max_size=len(several)))}
        return [each for at, each in enumerate(several) if at in chosen]

    def number(self, least: int, most: int) -> int:
        found: int = self._draw(st.integers(least, most))
        return found

    def yes(self) -> bool:
        return self.of(True, False)

    def maybe(self, **fields: Any) -> Row:
        """The fields, or none of them."""
        return fields if self.yes() else {}

    def cited(self, code: str, **fields: Any) -> Row:
        return {"code": code, "title": f"Regra {code}", "cite": f"art. {next(self._articles)}", **fields}

    def article(self) -> str:
        return f"art. {next(self._articles)}"

    # --- values --------------------------------------------------------------------------------------------------

    def money(self, least: int = 1, most: int = 90_000) -> str:
        return f"{Decimal(self.number(least, most)).scaleb(-2):f} {self.of('BRL', 'UA', 'UB')}"

    def amount(self) -> Any:
        """A sum: as such, by a table of facts, as a part of another."""
        return self.of(
            self.money(),
            {"percent": f"{self.number(1, 300)}%", "of": self.money()},
            {"bands": [{"below": 3, "is": self.money()}, {"is": self.money()}], "by": "local.level"},
            {"cases": [{"if": self.of(*CONDITIONS), "is": self.money()}, {"is": self.money()}]},
            {"greatest": ["3.10 UA", f"{self.number(1, 900)}.55 UA"]},
        )

    def length(self, least: int = 1, most: int = 40) -> str:
        return f"{self.number(least, most)} {self.of('days', 'working days', 'weeks', 'months')}"

    def years(self, least: int = 1, most: int = 12) -> str:
        return f"{self.number(least, most)} years"

    def counting(self) -> Row:
        return self.maybe(counting=self.of("n0", "n1"))


# --- TOML ----------------------------------------------------------------------------------------------------------


def written(tables: Tables) -> str:
    """The text of a pack."""
    lines: list[str] = []
    for kind, rows in tables.items():
        for row in rows:
            lines.append(f"[{kind}]" if kind in ("municipality", "list") else f"[[{kind}]]")
            lines += [f"{_key(key)} = {_value(value)}" for key, value in row.items() if value != "" or key != "code"]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if key.replace("_", "").isalnum() and key.isascii() else json.dumps(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | date() | time():
            return str(value)
        case dict():
            return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
