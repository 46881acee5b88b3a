"""The report of an inspection to take away (laudo, termo de vistoria): what was found, by whom, and what follows."""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.access import Actor
from services.clock import local_day
from services.database import Reader
from services.documents.printing import pdf
from services.errors import Invalid, NotFound
from services.fleet import running
from services.inspections import store
from tenants.law.kinds.basis import Office
from tenants.law.kinds.requirements import Equipment
from tenants.law.law import Law

NONE = "—"
RESULT = {True: "aprovado", False: "reprovado"}
CARRIED = {True: "presente", False: "ausente"}
MET = {True: "atendido", False: "não atendido"}


@dataclass(frozen=True, slots=True)
class Reported:
    number: str
    act_id: UUID
    act_hash: str
    pdf_base64: str


async def export_report(tx: Reader, actor: Actor, id: UUID) -> Reported:
    """For offices that read the register, and for whose vehicle it was on the day of the inspection.

    Raises:
        NotFound: The town has no such inspection.
        Forbidden: It is of somebody else's vehicle.
        Invalid: It is an appointment that nobody has kept yet.
    """
    row = await store.report(tx, id)
    if row is None:
        actor.must("read")  # who may not read learns nothing of what there is
        raise NotFound("inspection", id)
    actor.must_unless_own("read", person_id=row.person_id, company_id=row.company_id)
    if row.inspected_on is None:
        raise Invalid("id", "not_recorded", "A vistoria ainda não foi feita: não há laudo.")
    paper = await _paper(tx, row)
    made = await asyncio.to_thread(pdf, "inspection", paper, tx.now)
    return Reported(row.number, row.recorded_act, row.act_hash.hex(), base64.b64encode(made).decode())


async def _paper(tx: Reader, row: Row[Any]) -> dict[str, Any]:
    """What the template lays out. What was judged, and by which articles, is as its act has it."""
    law = await tx.law(on=row.inspected_on)
    said = json.loads(row.act_body)["decision"]
    rule = next(iter(said["rules"]), {"title": row.rule, "citations": []})
    return {
        "town": f"{tx.town.name} — {tx.town.uf}",
        "title": f"Laudo de vistoria nº {row.number}",
        "rule": rule["title"] or row.rule,
        "article": "; ".join(rule["citations"]),
        "facts": [
            ["Vistoriado em", _day(row.inspected_on)],
            ["Veículo", f"placa {row.plate}"],
            ["Fabricação / modelo", f"{row.manufacture_year or NONE} / {row.model_year or NONE}"],
            ["Outorga", row.permit_number or NONE],
            ["Titular", row.holder_name or NONE],
            ["Vistoriado por", row.inspector or row.act_actor],
            ["Órgão", _office(law, row.act_office)],
            ["Vistoria anterior reprovada", _again(row)],
            ["Impresso em", _day(local_day(tx.now, tx.town.zone))],
        ],
        "result": RESULT[row.passed],
        "items": _items(law, row, said["parts"]),
        "faults": [[_fault(law, each, said["parts"]), each["infraction"] or NONE] for each in row.faults],
        "terms": [*await _cure(tx, row), *await _next(tx, row)],
        "act": str(row.recorded_act),
        "hash": row.act_hash.hex(),
    }


def _items(law: Law, row: Row[Any], parts: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Each thing that was looked at, with its article, and how it was found."""
    wrong = {fault["rule"] for fault in row.faults}
    found = []
    for part in parts:
        rule = next(iter(part["rules"]), None)
        if rule is not None:
            words = CARRIED if rule["kind"] == Equipment.kind else MET
            found.append([_title(law, rule), "; ".join(rule["citations"]), words[rule["code"] not in wrong]])
    return found


def _fault(law: Law, fault: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> str:
    """In the words in which it was recorded; where these begin with a rule's code, by its title."""
    code, message = fault["rule"], str(fault["message"])
    rule = next((each for part in parts for each in part["rules"] if each["code"] == code), None)
    if rule is None or not message.startswith(f"{code}:"):
        return message
    return f"{_title(law, rule)}{message.removeprefix(code)}"


def _title(law: Law, rule: Mapping[str, Any]) -> str:
    """An item of equipment that its rule gives no title goes by that of the law's list."""
    title, code = rule["title"], rule["code"]
    asked = law.get(Equipment, code) if rule["kind"] == Equipment.kind and title in ("", code) else None
    return law.list("equipment").get(asked.item, code) if asked else str(title or code)


async def _cure(tx: Reader, row: Row[Any]) -> list[list[str]]:
    """Of faults looked at again, the term that has run since they were first found."""
    if row.passed or (row.cure_until is None and row.again_of is None):
        return []
    term = await store.term_of(tx, row.vehicle_id, running.cure_of(row.rule), row.inspected_on)
    last = row.cure_until or (term.last_day if term else None)
    return [["Sanar as falhas até", _day(last), term.article if term else NONE]] if last else []


async def _next(tx: Reader, row: Row[Any]) -> list[list[str]]:
    if row.due_on is None:
        return []
    term = await store.term_of(tx, row.vehicle_id, row.rule, row.inspected_on)
    return [["Próxima vistoria até", _day(row.due_on), term.article if term else NONE]]


def _again(row: Row[Any]) -> str:
    """The one whose faults this one looked at."""
    return f"nº {row.again_number}, de {_day(row.again_on)}" if row.again_number else NONE


def _office(law: Law, code: str | None) -> str:
    office = law.get(Office, code) if code else None
    return (office.title if office else code) or NONE


def _day(day: Any) -> str:
    return f"{day:%d/%m/%Y}"
