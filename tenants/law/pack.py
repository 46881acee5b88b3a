"""A law pack: the items of one town's law, from plain data (TOML, GraphQL input or the database) to typed values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any, Literal

from pydantic import ValidationError

from tenants.law.facts import REGISTER, FactSpec, FactType, Vocabulary
from tenants.law.kinds.basis import CodeList, Fact, Municipality, NormItem, Parameter, Reading, Series
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
            lists = ((name, {"code": name, "codes": codes}) for name, codes in tables.items())
            found += [RawItem("list", name, payload, ("list", name)) for name, payload in lists]
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


def typed(
    raws: Sequence[RawItem], *, base: Iterable[Item] = (), norm: str | None = None
) -> tuple[list[tuple[RawItem, Item]], list[Problem]]:
    """Validate items.

    Args:
        base: The law that an amendment is read against, and the packs above it.
        norm: What a bare citation means; None: the first norm of ``base``, or else of the items.
    """
    problems: list[Problem] = []
    base = tuple(base)
    norms = [item.label for item in base if isinstance(item, NormItem)]
    norms += [str(raw.payload.get("label", "")) for raw in raws if raw.kind == NormItem.kind]
    first = norm or next(iter(norms), "")
    basis_kinds = {cls.kind for cls in BASIS}
    found = _validated([r for r in raws if r.kind in basis_kinds], Loading(first, Vocabulary(), {}), problems)
    try:
        loading = loading_of([*base, *(item for _, item in found)], first, raws)
    except ValueError as error:
        return found, [*problems, Problem("error", str(error), "give each fact its own name", (Fact.kind,))]
    found += _validated([r for r in raws if r.kind not in basis_kinds], loading, problems)
    return found, problems


_LISTED = ("category", "instrument", "infraction")


def _listed(base: Iterable[Item], raws: Iterable[RawItem]) -> dict[str, dict[str, str]]:
    """Rules that facts name are code lists by their kind: categories, instruments, infractions, groups of these."""
    lists: dict[str, dict[str, str]] = {kind: {} for kind in (*_LISTED, "infraction_group")}
    named = [(i.kind, i.code, i.title, getattr(i, "group", "")) for i in base]
    named += [(r.kind, r.code, str(r.payload.get("title", "")), str(r.payload.get("group", ""))) for r in raws]
    for kind, code, title, group in named:
        if kind in _LISTED:
            lists[kind][code] = title or code
        if kind == "infraction" and group:
            lists["infraction_group"][group] = group
    return lists


def loading_of(items: Iterable[Item], norm: str, raws: Iterable[RawItem] = ()) -> Loading:
    """The vocabulary and the code lists that conditions are checked against."""
    specs: list[FactSpec] = []
    derived: list[FactSpec] = []
    items = tuple(items)
    lists = _listed(items, raws)
    for item in items:
        match item:
            case Fact():
                specs.append(item.spec)
            case Parameter(type="day" | "number" | "word" | "bool"):
                specs.append(_param(item))
            case Reading():
                derived.append(_reading(item))
                lists[f"reading.{item.code}"] = dict(item.options)
            case CodeList():
                lists.setdefault(item.code, {}).update(item.codes)
            case Series() if f"town.{item.code}" not in _REGISTERED:
                derived.append(FactSpec(code=f"town.{item.code}", type="int", of="town", ask=item.ask))
    for code, title in lists.get("paper", {}).items():
        ask = f"Até que dia vale: {title}?"
        derived.append(FactSpec(code=f"{code}.until", type="day", of="holder", ask=ask, proof="paper"))
    return Loading(norm, Vocabulary(_by_code(specs), _by_code(derived)), lists)


def _param(item: Parameter) -> FactSpec:
    types: dict[str, FactType] = {"day": "day", "number": "int", "word": "text", "bool": "bool"}
    return FactSpec(code=f"param.{item.code}", type=types[item.type], of="town", ask=item.ask, list=item.list)


def _reading(item: Reading) -> FactSpec:
    return FactSpec(code=f"reading.{item.code}", type="text", of="town", ask=item.ask, list=f"reading.{item.code}")


_REGISTERED = frozenset(spec.code for spec in REGISTER)


def _by_code(specs: Iterable[FactSpec]) -> list[FactSpec]:
    return list({spec.code: spec for spec in specs}.values())


def _validated(raws: Sequence[RawItem], loading: Loading, problems: list[Problem]) -> list[tuple[RawItem, Item]]:
    found = []
    for raw in raws:
        try:
            found.append((raw, KINDS[raw.kind].model_validate(raw.payload, context=loading)))
        except ValidationError as error:
            problems += [_problem(raw, dict(detail)) for detail in error.errors()]
    return found


def _problem(raw: RawItem, detail: dict[str, Any]) -> Problem:
    """A pydantic error as a sentence that names the keys of the pack, not the types that were tried."""
    field = ".".join(str(part) for part in _written(raw.payload, detail["loc"]))
    name = f"{raw.kind} {raw.code!r}" if raw.code else raw.kind
    message = _MESSAGES.get(detail["type"], str(detail["msg"]).replace("Value error, ", ""))
    message = f"{name}, {field}: {message}" if field else f"{name}: {message}"
    return Problem("error", message, _HINTS.get(detail["type"], ""), (*raw.path, *detail["loc"]))


def _written(payload: Any, location: Sequence[str | int]) -> Iterator[str | int]:
    """The parts of a location that stand in the payload; and its end, which may be what is missing."""
    for at, part in enumerate(location):
        inside = range(len(payload)) if isinstance(payload, list) else payload if isinstance(payload, Mapping) else ()
        if part in inside:
            payload = payload[part]
            yield part
        elif at == len(location) - 1 and isinstance(payload, Mapping) and isinstance(part, str):
            yield part


_MESSAGES = {"extra_forbidden": "no such key here", "missing": "is missing"}
_HINTS = {
    "missing": "write the missing key",
    "string_too_short": "write the missing text",
    "extra_forbidden": "this kind has no such key: check the spelling",
    "condition": "conditions name declared facts only, and compare them with codes of their list",
    "fact": "name one of the register's facts, or declare it in [[fact]]",
    "citation": "articles are written like: art. 20, § 1, II, a",  # law-free: the form of a citation
    "literal": "values are written as a number, an amount, a length, a percentage or a day",
}


@dataclass(frozen=True, slots=True)
class Pack:
    """A whole pack that passed: what ``onboard`` publishes."""

    raws: tuple[RawItem, ...]
    items: tuple[Item, ...]

    @property
    def town(self) -> Municipality:
        return next(item for item in self.items if isinstance(item, Municipality))
