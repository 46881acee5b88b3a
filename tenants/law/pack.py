"""A law pack: the items of one town's law, from plain data (TOML, GraphQL input or the database) to typed values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any, Literal

from pydantic import ValidationError

from tenants.law.facts import FactSpec, Vocabulary
from tenants.law.kinds.basis import CodeList, Fact, Municipality, NormItem, Parameter
from tenants.law.kinds.registry import BASIS, KINDS
from tenants.law.loading import Loading
from tenants.law.rule import Item

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong, or doubtful, in a pack: where, what, and what to do about it."""

    severity: Literal["error", "warning"]
    message: str
    hint: str
    path: Path = ()
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = f"{self.line}:{self.column}: " if self.line is not None else ""
        return f"{where}{self.severity}: {self.message}" + (f"\n    {self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True)
class RawItem:
    """One item in JSON's own types: what the database keeps of it."""

    kind: str
    code: str
    payload: Mapping[str, Any]
    path: Path = ()


def plain_toml(value: Any) -> Any:
    """TOML's values in JSON's own types, exactly: decimals, days and hours as their text."""
    match value:
        case Decimal():
            return format(value, "f")
        case date() | time():
            return value.isoformat()
        case dict():
            return {key: plain_toml(inner) for key, inner in value.items()}
        case list():
            return [plain_toml(inner) for inner in value]
    return value


def raw_items(document: Mapping[str, Any]) -> tuple[list[RawItem], list[Problem]]:
    """The items of a TOML document: ``rows`` inherit what they do not say from their table."""
    found: list[RawItem] = []
    problems: list[Problem] = []
    for kind, tables in document.items():
        if kind == "list":
            found += [RawItem("list", name, {"code": name, "codes": codes}, ("list", name)) for name, codes in tables.items()]
            continue
        if kind not in KINDS:
            hint = "the kinds are: " + ", ".join(sorted(KINDS))
            problems.append(Problem("error", f"no kind of rule is called {kind!r}", hint, (kind,)))
            continue
        for at, table in enumerate(tables if isinstance(tables, list) else [tables]):
            path: Path = (kind, at) if isinstance(tables, list) else (kind,)
            found += _rows(kind, table, path)
    return found, problems


def _rows(kind: str, table: Mapping[str, Any], path: Path) -> list[RawItem]:
    common = {key: value for key, value in table.items() if key != "rows"}
    if "rows" not in table:
        return [_named(kind, common, path)]
    return [_named(kind, {**common, **row}, (*path, "rows", at)) for at, row in enumerate(table["rows"])]


def _named(kind: str, payload: dict[str, Any], path: Path) -> RawItem:
    code = str(payload.get("code", payload.get(KINDS[kind].named_by, "")))
    return RawItem(kind, code, {**payload, "code": code}, path)


def typed(raws: Sequence[RawItem], *, base: Iterable[Item] = ()) -> tuple[list[tuple[RawItem, Item]], list[Problem]]:
    """Validate items; ``base`` is the law that an amendment is read against."""
    problems: list[Problem] = []
    basis_kinds = {cls.kind for cls in BASIS}
    first_norm = next((i.label for i in base if isinstance(i, NormItem)), None) or next(
        (str(r.payload.get("label", "")) for r in raws if r.kind == "norm"), ""
    )
    bare = Loading(first_norm, Vocabulary(()), {})
    found = _validated([r for r in raws if r.kind in basis_kinds], bare, problems)
    loading = loading_of([*base, *(item for _, item in found)], first_norm)
    found += _validated([r for r in raws if r.kind not in basis_kinds], loading, problems)
    return found, problems


def loading_of(items: Iterable[Item], norm: str) -> Loading:
    """The vocabulary and the code lists that conditions are checked against."""
    specs: list[FactSpec] = []
    lists: dict[str, dict[str, str]] = {}
    for item in items:
        match item:
            case Fact():
                shape = {"code": item.code, "type": item.type, "unit": item.unit, "of": item.of, "ask": item.ask}
                specs.append(FactSpec(**shape, list=item.list, proof=item.proof))
            case Parameter(type="day" | "number" | "word" | "bool"):
                fact_type = {"day": "day", "number": "int", "word": "text", "bool": "bool"}[item.type]
                specs.append(FactSpec(code=f"param.{item.code}", type=fact_type, of="town", ask=item.ask, list=item.list))
            case CodeList():
                lists.setdefault(item.code, {}).update(item.codes)
    unique = {spec.code: spec for spec in specs}
    return Loading(norm, Vocabulary(tuple(unique.values())), lists)


def _validated(raws: Sequence[RawItem], loading: Loading, problems: list[Problem]) -> list[tuple[RawItem, Item]]:
    found = []
    for raw in raws:
        try:
            found.append((raw, KINDS[raw.kind].model_validate(raw.payload, context=loading)))
        except ValidationError as error:
            problems += [_problem(raw, dict(detail)) for detail in error.errors()]
    return found


def _problem(raw: RawItem, detail: dict[str, Any]) -> Problem:
    """A pydantic error as a sentence; the parts of its location that name types, not keys, are dropped by the loader."""
    field = ".".join(str(part) for part in detail["loc"] if isinstance(part, int) or part.isidentifier())
    name = f"{raw.kind} {raw.code!r}" if raw.code else raw.kind
    return Problem("error", f"{name}, {field}: {detail['msg']}", _HINTS.get(detail["type"], ""), (*raw.path, *detail["loc"]))


_HINTS = {
    "missing": "write the missing key",
    "extra_forbidden": "this kind has no such key: check the spelling",
    "condition": "conditions name declared facts only, and compare them with codes of their list",
    "citation": "articles are written like: art. 20, § 1, II, a",
    "literal": "values are written like: 47, \"30 UFIR\", \"6 months\", \"50%\", 2010-01-31",
}


@dataclass(frozen=True, slots=True)
class Pack:
    """A whole pack that passed: what ``onboard`` publishes."""

    raws: tuple[RawItem, ...]
    items: tuple[Item, ...]

    @property
    def town(self) -> Municipality:
        return next(item for item in self.items if isinstance(item, Municipality))
