"""A row's permit with its stand and yearly licence: may they stand in the register as the file says?"""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.importing.cleaning import Record
from services.importing.known import Found, Span, overlaps
from services.importing.problems import Problems
from services.terms import day_after

if TYPE_CHECKING:
    from services.importing.planning import Planner


@dataclass(frozen=True, slots=True)
class Grant:
    """What a row says of a permit, complete. `found`: the permit that the register has; `licence`: days of it."""

    category: str
    number: str
    holder_kind: str
    granted_on: date
    during: Span
    found: Found | None
    licence: Span | None


def grant_of(plan: "Planner", problems: Problems, record: Record) -> Grant | None:
    """The permit of a row; None: something is wrong with it."""
    category, number = record.get("category"), record.get("permit_number")
    kind = (record.get("company_kind") if "cnpj" in record else None) or record.get("holder_kind")
    for value, field, what in (
        (number, "permit_number", "o número da outorga"),
        (category, "category", "a categoria"),
        (kind, "holder_kind", "o tipo de titular"),
        (record.get("plate"), "plate", "a placa"),
    ):
        if value is None:
            problems.error("missing", f"Falta {what}.", "Preencha a coluna ou informe um valor padrão.", field)
    if category is None or number is None or kind is None:
        return None
    found = plan.known.permit.get((category, number))
    span = found.values["during"] if found else _during(plan, problems, record, category)
    if span is None:
        return None
    _conflicts(plan, problems, record, found, span)
    _room(plan, problems, record, category, found)
    granted_on = found.values["granted_on"] if found else span[0]
    licence = _licence(plan, problems, record, category, found)
    return Grant(category, number, kind, granted_on, span, found, licence)


def _during(plan: "Planner", problems: Problems, record: Record, category: str) -> Span | None:
    """The permit's own days: the end is the file's, else the law's."""
    if "granted_on" not in record:
        hint = "Preencha a coluna Data da outorga ou informe um valor padrão."
        problems.error("missing", "Falta a data da outorga.", hint, "granted_on")
        return None
    since = date.fromisoformat(record["granted_on"])
    if since > plan.today:
        problems.error("future", "A data da outorga está no futuro.", "Confira a data.", "granted_on")
        return None
    if plan.validity.instrument(category) is None:
        problems.error("no_instrument", f"A lei não diz qual instrumento outorga {category}.", "", "category")
        return None
    if "permit_until" in record:
        last: date | None = date.fromisoformat(record["permit_until"])
        if last is not None and last < since:
            problems.error("order", "A outorga vence antes de começar.", "Confira as datas.", "permit_until")
            return None
        if last is not None and last < plan.today:
            problems.warning("ended", f"A outorga terminou em {last:%d/%m/%Y}.", "", "permit_until")
        return since, day_after(last)
    last = plan.validity.last_day("permit", category, since)
    if last is not None and last < plan.today:
        hint = "Informe a validade que está em vigor na coluna Validade da outorga."
        problems.error("over", f"Pela lei, a outorga terminou em {last:%d/%m/%Y}.", hint, "permit_until")
        return None
    return since, day_after(last)


def _conflicts(plan: "Planner", problems: Problems, record: Record, found: Found | None, span: Span) -> None:
    owner, vehicle = plan.owner(record), plan.known.vehicle.get(record.get("plate", ""))
    if found is not None:
        if found.row is not None:
            problems.error("repeated", f"A outorga já está na linha {found.row}.", "Tire a repetição.", "permit_number")
        elif owner is None or found.values["holder_id"] not in _holders(plan, owner):
            problems.error("number_taken", "A outorga é de outro titular.", "Confira número e CPF.", "permit_number")
        elif plan.today < found.values["during"][0] or not overlaps(found.values["during"], (plan.today, None)):
            problems.warning("ended", "A outorga já terminou no cadastro: é mantida como está.", "", "permit_number")
        current = plan.known.vehicle_of.get(found.id)
        if current is not None and (vehicle is None or vehicle.id != current):
            hint = "A troca de veículo se faz por ato próprio."
            problems.warning("kept", "A outorga tem outro veículo no cadastro, que é mantido.", hint, "plate")
    own = found.id if found else None
    for served, permit_id in plan.known.serving.get(vehicle.id, ()) if vehicle else ():
        if permit_id != own and overlaps(served, span):
            hint = "Cada veículo serve uma só outorga por vez: confira a placa."
            problems.error("vehicle_serves", "O veículo serve outra outorga.", hint, "plate")
            return


def _room(plan: "Planner", problems: Problems, record: Record, category: str, found: Found | None) -> None:
    stand = record.get("stand")
    if found is not None and found.id in plan.known.has_stand:
        return
    if stand is None:
        if plan.validity.own_stand(category):
            problems.warning("no_stand", "Falta o ponto, que a lei dá a cada outorga.", "Designe-o depois.", "stand")
        return
    if plan.room.get(stand, 0) < 1:
        problems.warning(
            "stand_full", f"O ponto {stand} fica com mais outorgas que vagas.", "Confira o ponto.", "stand"
        )


def _holders(plan: "Planner", owner: Found) -> set[UUID]:
    return {holder.id for (of, _), holder in plan.known.holder.items() if of == owner.id}


def _licence(plan: "Planner", problems: Problems, record: Record, category: str, found: Found | None) -> Span | None:
    """The days of the yearly licence; None where the row tells of none, or the register has it."""
    number = record.get("licence_number")
    if number is None and "licence_on" not in record and "licence_until" not in record:
        return None
    if number in plan.known.licence:
        if found is None or plan.known.licence[number] != found.id:
            problems.error("licence_taken", "O alvará é de outra outorga.", "Confira o número.", "licence_number")
        return None
    if "licence_on" not in record:
        hint = "Preencha a coluna Data do alvará ou informe um valor padrão."
        problems.error("missing", "Falta a data do alvará.", hint, "licence_on")
        return None
    since = date.fromisoformat(record["licence_on"])
    last = _licence_last(plan, record, category, since)
    if last is None:
        hint = "Preencha a coluna Validade do alvará."
        problems.error("missing", "A lei não diz até quando vale o alvará.", hint, "licence_until")
        return None
    if since > plan.today or last < since:
        problems.error("order", "As datas do alvará estão fora de ordem.", "Confira as datas.", "licence_until")
        return None
    span = (since, day_after(last))
    if found and any(overlaps(span, other) for other in plan.known.licensed.get(found.id, ())):
        return None  # the register has one for these days: it stays
    return span


def _licence_last(plan: "Planner", record: Record, category: str, since: date) -> date | None:
    if "licence_until" in record:
        return date.fromisoformat(record["licence_until"])
    return plan.validity.last_day("licence", category, since)


def note_permit(plan: "Planner", row: int, record: Record, grant: Grant, holder: Found, vehicle: Found) -> None:
    """Note the permit, its vehicle, its stand and its licence, as far as the register does not have them."""
    writes, known = plan.writes, plan.known
    key = f"permit:{grant.category}/{grant.number}"
    if grant.found is None:
        permit_id = writes.add("permit", row, _permit(plan, grant, holder))
        values = {"holder_id": holder.id, "during": grant.during, "granted_on": grant.granted_on}
        known.permit[grant.category, grant.number] = Found(permit_id, values, row)
    else:
        permit_id = grant.found.id
        grant.found.row = row
        if key not in plan.seen:
            writes.counts["permit"]["left"] += 1
    served = {"row": row, "permit_id": permit_id, "since": grant.during[0], "until": grant.during[1]}
    running = grant.found is None or overlaps(grant.during, (plan.today, None))
    if running and permit_id not in known.vehicle_of:
        writes.serving.append({**served, "vehicle_id": vehicle.id})
        known.serving.setdefault(vehicle.id, []).append((grant.during, permit_id))
        known.vehicle_of[permit_id] = vehicle.id
    if running and "stand" in record and permit_id not in known.has_stand:
        writes.standing.append({**served, "stand": record["stand"]})
        known.has_stand.add(permit_id)
        plan.room[record["stand"]] = plan.room.get(record["stand"], 0) - 1
    _note_licence(plan, row, record, grant, permit_id)


def _permit(plan: "Planner", grant: Grant, holder: Found) -> dict[str, Any]:
    return {
        "number": grant.number,
        "category": grant.category,
        "instrument": plan.validity.instrument(grant.category),
        "holder_id": holder.id,
        "since": grant.during[0],
        "until": grant.during[1],
    }


def _note_licence(plan: "Planner", row: int, record: Record, grant: Grant, permit_id: UUID) -> None:
    writes, number = plan.writes, record.get("licence_number")
    if grant.licence is None:
        if number is not None and f"licence:{number}" not in plan.seen:
            writes.counts["licence"]["left"] += 1
        return
    since, until = grant.licence
    values = {"permit_id": permit_id, "number": number, "since": since, "until": until, "category": grant.category}
    writes.add("licence", row, values)
    plan.known.licensed.setdefault(permit_id, []).append(grant.licence)
    if number is not None:
        plan.known.licence[number] = permit_id
