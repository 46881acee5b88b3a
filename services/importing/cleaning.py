"""A row of a town's file as a record: each cell read by its field, each problem with its cell."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from services.errors import Invalid
from services.importing import cells, merged
from services.importing.cells import Setting, Wrong
from services.importing.columns import Column, fields
from services.registry.attributes import checked
from tenants.law.kinds.grants import Category
from tenants.law.kinds.stands import Stand
from tenants.law.law import Law

Severity = Literal["error", "warning"]
Record = dict[str, Any]

READERS: Mapping[str, Callable[[str, Setting], Any]] = {
    "birth": cells.birth,
    "category": partial(cells.listed, "category"),
    "cnh": cells.cnh,
    "cnh_categories": cells.cnh_categories,
    "cnpj": cells.cnpj,
    "count": cells.count,
    "cpf": cells.cpf,
    "day": cells.day,
    "document": cells.document,
    "email": cells.email,
    "fuel": partial(cells.listed, "fuel"),
    "holder": partial(cells.listed, "holder"),
    "name": cells.name,
    "number": cells.number,
    "plate": cells.plate,
    "renavam": cells.renavam,
    "stand": partial(cells.listed, "stand"),
    "status": cells.status,
    "year": cells.year,
    "years": cells.years,
    "yes_no": cells.yes_no,
}


@dataclass(frozen=True, slots=True)
class Issue:
    """Something wrong (error: the row stays out) or put right (warning) in a row; `column`: where, if in one cell."""

    row: int
    severity: Severity
    code: str
    message: str
    hint: str = ""
    column: Column | None = None
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Cleaner:
    """What rows of one file are read by. `defaults`: text for cells that are empty, by field."""

    columns: Sequence[Column]
    defaults: Mapping[str, str]
    law: Law
    setting: Setting = field(hash=False)

    def clean(self, number: int, row: Sequence[str]) -> tuple[Record, list[Issue]]:
        """The record, as far as it could be read, and what is wrong with it."""
        record: Record = {}
        issues: list[Issue] = []
        for name, text, column in self._cells(row):
            self.setting.remarks.clear()
            try:
                self._keep(record, name, self._read(name, text))
            except Wrong as wrong:
                issues.append(Issue(number, "error", wrong.code, wrong.message, wrong.hint, column, name))
            issues += [
                Issue(number, "warning", remark.code, remark.message, remark.hint, column, name)
                for remark in self.setting.remarks
            ]
        return record, issues

    def _cells(self, row: Sequence[str]) -> Iterator[tuple[str, str, Column | None]]:
        """Field, text and column of each cell that holds something, or for which there is a default.

        Names come last: what is merged into them is compared with the other cells.
        """
        left, names = dict(self.defaults), []
        for column in self.columns:
            if column.field is None:
                continue
            text = row[column.position] if column.position < len(row) else ""
            if not cells.is_blank(text):
                left.pop(column.field, None)
                if column.field in merged.COLUMNS:
                    names.append((column.field, text, column))
                else:
                    yield column.field, text, column
        yield from ((name, text, None) for name, text in left.items())
        yield from names

    def _read(self, name: str, text: str) -> Any:
        known = fields().get(name)
        return self._fact(name, text) if known is None else READERS[known.kind](text, self.setting)

    def _fact(self, code: str, text: str) -> Any:
        """A fact that the town's law knows, in JSON's own types."""
        spec = self.law.vocabulary[code]
        if spec.type == "bool":
            text = "sim" if cells.yes_no(text, self.setting) else "não"
        if spec.type == "day":
            text = cells.day(text, self.setting).isoformat()
        try:
            return checked(self.law, {code: text})[code]
        except Invalid as error:
            raise Wrong(error.problem, str(error)) from error

    def _keep(self, record: Record, name: str, value: Any) -> None:
        match name:
            case "years":
                record.setdefault("manufacture_year", value[0])
                record.setdefault("model_year", value[1])
            case "document":
                record.setdefault(value[0], value[1])
            case _ if name in merged.COLUMNS:
                record |= merged.taken_apart(name, value, record, self.setting)
            case _ if name not in fields():
                record.setdefault("facts", {})[name] = value
            case _:
                record[name] = value.isoformat() if hasattr(value, "isoformat") else value


def codes_of(law: Law) -> dict[str, dict[str, str]]:
    """What a town's file may call each code of the law: the code itself, its title; a stand by number and place too."""
    categories = [(each.code, each.title) for _, each in law.all(Category)]
    named = {"category": categories, **{kind: list(law.list(kind).items()) for kind in ("holder", "fuel")}}
    found = {kind: cells.spellings(_both(pairs)) for kind, pairs in named.items()}
    stands = [each for _, each in law.all(Stand) if each.slots]
    said = [(word, each.code) for each in stands for word in (each.code, str(each.number), f"ponto {each.number}")]
    return {**found, "stand": cells.spellings(iter([*said, *((each.place, each.code) for each in stands)]))}


def _both(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield from ((code, code) for code, _ in pairs)
    yield from ((title, code) for code, title in pairs)
