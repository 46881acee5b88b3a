"""A table of tariffs as items of law: components, zones, bands of hours, minimum, as people write them in a decree."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from services.errors import Invalid
from tenants.law.kinds.basis import CodeList
from tenants.law.kinds.tariffs import Tariff
from tenants.law.law import InForce, Law
from tenants.law.pack import RawItem

AREA = "area"
CODE = re.compile(r"[a-z][a-z0-9_]*")
FROM, TO = "ride.from_area", "ride.to_area"
PLAIN = ("code", "title", "add", "hours", "weekdays", "holidays", "events", "stacking")
THRESHOLDS = ("beyond", "below", "per")


def is_surcharge(table: Mapping[str, Any]) -> bool:
    """It adds to what the others come to."""
    return bool(table.get("add"))


def uses_zones(tables: Iterable[Mapping[str, Any]]) -> bool:
    return any(table.get("from_area") or table.get("to_area") for table in tables)


def tables_of(given: Sequence[Mapping[str, Any]], category: str, *, since: date, cite: Sequence[str]) -> list[RawItem]:
    """Raises Invalid: a code is no code, or stands twice; a table is empty."""
    codes = [table["code"] for table in given]
    if not given or len(set(codes)) < len(codes):
        raise Invalid("tables", "codes", "Cada tabela tem o seu próprio código.")
    return [_table(table, category, since, cite) for table in given]


def _table(table: Mapping[str, Any], category: str, since: date, cite: Sequence[str]) -> RawItem:
    _must_be_codes("tables", [table["code"], *(part["code"] for part in table.get("components") or ())])
    payload: dict[str, Any] = {key: table[key] for key in PLAIN if table.get(key)}
    payload |= {"applies": {"category": category}, "cite": list(cite), "from": since.isoformat()}
    if table.get("components"):
        payload["components"] = [_component(part) for part in table["components"]]
    if table.get("minimum") is not None:
        payload["minimum"] = _brl(table["minimum"])
    if zones := _zones(table):
        payload["if"] = zones
    return RawItem(Tariff.kind, table["code"], payload)


def _component(part: Mapping[str, Any]) -> dict[str, Any]:
    made = {"code": part["code"], "value": _brl(part["brl"])}
    made |= {key: part[key] for key in ("times", "round") if part.get(key)}
    return made | {key: format(part[key], "f") for key in THRESHOLDS if part.get(key) is not None}


def _zones(table: Mapping[str, Any]) -> str:
    """The condition that a ride begins in one area, or ends in one."""
    areas = [(fact, table[key]) for fact, key in ((FROM, "from_area"), (TO, "to_area")) if table.get(key)]
    _must_be_codes("tables", [code for _, code in areas])
    return " && ".join(f"{fact} == '{code}'" for fact, code in areas)


def _brl(value: Decimal) -> str:
    if value < 0:
        raise Invalid("tables", "negative", "Um valor da tabela não é negativo.")
    return f"{value:f} BRL"


def _must_be_codes(field: str, codes: Iterable[str]) -> None:
    for code in codes:
        if not CODE.fullmatch(code):
            raise Invalid(field, "code", f"“{code}” não é um código: letras minúsculas, algarismos e _.")


def areas_of(law: Law, given: Sequence[Mapping[str, str]]) -> list[RawItem]:
    """The list of areas (zonas) with the new ones in it; nothing where there are none."""
    _must_be_codes("areas", [area["code"] for area in given])
    if not given:
        return []
    codes = {**law.list(AREA), **{area["code"]: area["title"] for area in given}}
    return [RawItem(CodeList.kind, AREA, {"code": AREA, "codes": codes})]


def ended(found: InForce, since: date) -> RawItem:
    """A table that no longer counts from a day on."""
    payload = {key: value for key, value in found.payload.items() if key not in ("until", "published")}
    return RawItem(found.item.kind, found.item.code, {**payload, "from": since.isoformat(), "off": "yes"})
