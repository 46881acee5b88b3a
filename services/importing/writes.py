"""What rows would write: new rows of each table, and what fills blanks of rows that are there."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

BLANK: tuple[Any, ...] = (None, "", [])
TABLES = ("person", "company", "holder", "driver", "vehicle", "permit", "licence")


@dataclass(slots=True)
class Writes:
    """`new` and `filled`: by table, by id; each new row says with `row` which of the file it comes from.

    `serving`, `standing`: a permit's vehicle and stand. `counts`: by table, how many are created, changed, left.
    """

    ids: list[UUID] = field(default_factory=list)
    new: dict[str, dict[UUID, dict[str, Any]]] = field(default_factory=lambda: {table: {} for table in TABLES})
    filled: dict[str, dict[UUID, dict[str, Any]]] = field(default_factory=lambda: {table: {} for table in TABLES})
    serving: list[dict[str, Any]] = field(default_factory=list)
    standing: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {table: Counter() for table in TABLES})

    def add(self, table: str, row: int, values: Mapping[str, Any]) -> UUID:
        made = self.ids.pop()
        self.new[table][made] = {"id": made, "row": row, **values}
        self.counts[table]["created"] += 1
        return made

    def fill(self, table: str, row: int, id: UUID, blanks: Mapping[str, Any]) -> None:
        """Of what is new in this batch itself, or there already."""
        if id in self.new[table]:
            self.new[table][id] |= blanks
            return
        if id not in self.filled[table]:
            self.counts[table]["changed"] += 1
        self.filled[table].setdefault(id, {"id": id, "row": row}).update(blanks)

    def touched(self, table: str) -> Iterator[dict[str, Any]]:
        yield from self.new[table].values()
        yield from self.filled[table].values()


def blanks_of(known: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """What the values say and the row does not; facts one by one."""
    found = {
        name: value
        for name, value in values.items()
        if name in known and name != "attributes" and value not in BLANK and known[name] in BLANK
    }
    own = known.get("attributes", {})
    added = {code: value for code, value in (values.get("attributes") or {}).items() if code not in own}
    return {**found, "attributes": {**own, **added}} if added else found


def differs(known: Mapping[str, Any], values: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Which of these columns say something else than the row does."""
    return [
        name for name in names if values.get(name) not in BLANK and known.get(name) not in (*BLANK, values.get(name))
    ]
