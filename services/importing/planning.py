"""What a row would create, fill in or leave, and whether it may: looked at first, then noted whole or not at all."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from services.importing.cleaning import Issue, Record
from services.importing.known import COLUMNS, Found, Known
from services.importing.permits import Grant, grant_of, note_permit
from services.importing.problems import Problems
from services.importing.validity import Validity
from services.importing.writes import Writes, blanks_of, differs
from tenants.law.law import Law

OWNER_FACTS, VEHICLE_FACTS, DRIVER_FACTS = "owner", "vehicle", "driver"
PERMIT_FIELDS = (
    "permit_number",
    "granted_on",
    "permit_until",
    "stand",
    "licence_number",
    "licence_on",
    "licence_until",
)
CNH_FIELDS = ("cnh_number", "cnh_categories", "cnh_ear", "cnh_first_on", "cnh_until")


@dataclass(frozen=True, slots=True)
class RowPlan:
    """`what`: create, change, leave or skip."""

    what: str
    issues: list[Issue]


@dataclass(slots=True)
class Planner:
    """Plans rows in their order. `expects_permits`: the file has a column for their numbers."""

    law: Law
    today: date
    known: Known
    validity: Validity
    writes: Writes
    expects_permits: bool
    room: dict[str, int] = field(default_factory=dict)  # slots that are free at each stand
    seen: frozenset[str] = frozenset()  # subjects of earlier rows, which count once

    def plan(self, row: int, record: Record) -> RowPlan:
        """Raises nothing: what is wrong is among the issues, and then nothing of the row is noted."""
        problems = Problems(row)
        self._owner_problems(problems, record)
        self._vehicle_problems(problems, record)
        grant = grant_of(self, problems, record) if self._wants_permit(record) else None
        if problems.errors:
            return RowPlan("skip", problems.found)
        before = self._sizes()
        self._note(row, record, grant)
        created, changed = (now > was for now, was in zip(self._sizes(), before, strict=True))
        return RowPlan("create" if created else "change" if changed else "leave", problems.found)

    def _wants_permit(self, record: Record) -> bool:
        return self.expects_permits or any(name in record for name in PERMIT_FIELDS)

    def _sizes(self) -> tuple[int, int]:
        writes = self.writes
        created = sum(len(rows) for rows in writes.new.values()) + len(writes.serving) + len(writes.standing)
        return created, sum(len(row) for rows in writes.filled.values() for row in rows.values())

    # --- what is wrong -------------------------------------------------------------------------------------------

    def owner(self, record: Record) -> Found | None:
        """The person or company that the register has."""
        if "cpf" in record:
            return self.known.person.get(record["cpf"])
        return self.known.company.get(record.get("cnpj", ""))

    def _owner_problems(self, problems: Problems, record: Record) -> None:
        if "cpf" not in record and "cnpj" not in record:
            problems.error("no_document", "Falta o CPF ou o CNPJ.", "Preencha a coluna CPF (ou CNPJ).", "cpf")
        if "cpf" in record and "cnpj" in record:
            problems.error("two_documents", "A linha tem CPF e CNPJ.", "Deixe só o do titular.", "cnpj")
        found = self.owner(record)
        if found is None and "name" not in record:
            problems.error("no_name", "Falta o nome.", "Preencha a coluna Nome.", "name")
        if found and "name" in record and _plain(found.values["name"]) != _plain(record["name"]):
            where = f"na linha {found.row}" if found.row else "no cadastro"
            problems.warning(
                "other_name", f"O nome difere do que está {where}, que é mantido.", "Confira o CPF.", "name"
            )
        if "driver_name" in record and "driver_cpf" not in record:
            problems.error(
                "no_document", "Falta o CPF do condutor.", "Preencha a coluna CPF do condutor.", "driver_cpf"
            )
        first, until = record.get("cnh_first_on"), record.get("cnh_until")
        if first and until and until < first:
            problems.error("order", "A CNH vence antes da primeira habilitação.", "Confira as datas.", "cnh_until")

    def _vehicle_problems(self, problems: Problems, record: Record) -> None:
        plate, renavam = record.get("plate"), record.get("renavam")
        if renavam and self.known.renavam.get(renavam, plate) != plate:
            other = self.known.renavam[renavam]
            problems.error(
                "renavam_taken", f"Este RENAVAM é do veículo {other}.", "Confira placa e RENAVAM.", "renavam"
            )
        if renavam and plate is None:
            problems.error("no_plate", "Há RENAVAM e falta a placa.", "Preencha a coluna Placa.", "plate")
        made, model = record.get("manufacture_year"), record.get("model_year")
        if made and made > self.today.year:
            problems.error("future", "O ano de fabricação está no futuro.", "Confira o ano.", "manufacture_year")
        if made and model and not made <= model <= made + 1:
            problems.error(
                "order", "O ano do modelo é o de fabricação ou o seguinte.", "Confira os anos.", "model_year"
            )
        found = self.known.vehicle.get(plate or "")
        if found and (names := differs(found.values, record, COLUMNS["vehicle"])):
            problems.warning("kept", "O veículo já tem outro valor, que é mantido.", "Confira com o CRLV.", names[0])

    # --- what becomes of it --------------------------------------------------------------------------------------

    def _note(self, row: int, record: Record, grant: Grant | None) -> None:
        facts = self._facts(record)
        owner = self._owner(row, record, facts[OWNER_FACTS])
        self._driver(row, record, owner if "cpf" in record else None, facts[DRIVER_FACTS])
        holder = self._holder(row, owner, record, grant) if grant or "holder_kind" in record else None
        vehicle = self._vehicle(row, record, holder, facts[VEHICLE_FACTS])
        if grant and holder and vehicle:
            note_permit(self, row, record, grant, holder, vehicle)

    def _facts(self, record: Record) -> dict[str, dict[str, Any]]:
        """By whose they are."""
        found: dict[str, dict[str, Any]] = {OWNER_FACTS: {}, VEHICLE_FACTS: {}, DRIVER_FACTS: {}}
        for code, value in record.get("facts", {}).items():
            of = self.law.vocabulary[code].of
            found[of if of in found else OWNER_FACTS][code] = value
        return found

    def _upsert(self, table: str, row: int, found: Found | None, values: dict[str, Any], key: str) -> Found:
        if found is None:
            return Found(self.writes.add(table, row, values), values, row)
        blanks = blanks_of(found.values, values)
        if blanks:
            self.writes.fill(table, row, found.id, blanks)
            found.values |= blanks
        elif found.row is None and key not in self.seen:
            self.writes.counts[table]["left"] += 1
            found.row = row
        return found

    def _owner(self, row: int, record: Record, facts: dict[str, Any]) -> Found:
        values = {name: record.get(name) for name in ("name", "email")} | {"attributes": facts}
        if "cpf" in record:
            own = values | {"cpf": record["cpf"], "birth_on": record.get("birth_on")}
            key = record["cpf"]
            made = self._upsert("person", row, self.known.person.get(key), own, f"person:{key}")
            self.known.person[key] = made
            return made
        key = record["cnpj"]
        made = self._upsert("company", row, self.known.company.get(key), values | {"cnpj": key}, f"company:{key}")
        self.known.company[key] = made
        return made

    def _driver(self, row: int, record: Record, owner: Found | None, facts: dict[str, Any]) -> None:
        """Whoever the driver's licence is of: a driver named apart, else the holder."""
        cpf = record.get("driver_cpf")
        if (cpf and "driver_name" in record) or cpf in self.known.person:
            apart = {"cpf": cpf, "name": record.get("driver_name"), "attributes": {}}
            owner = self._upsert("person", row, self.known.person.get(cpf or ""), apart, f"person:{cpf}")
            self.known.person[cpf or ""] = owner
        if owner is None or not (cpf or any(name in record for name in CNH_FIELDS)):
            return
        values = {name: record.get(name) for name in CNH_FIELDS} | {"person_id": owner.id, "attributes": facts}
        values["cnh_categories"] = values["cnh_categories"] or []
        found = self.known.driver.get(owner.id)
        key = f"driver:{cpf or record.get('cpf')}"
        self.known.driver[owner.id] = self._upsert("driver", row, found, values, key)

    def _holder(self, row: int, owner: Found, record: Record, grant: Grant | None) -> Found:
        if grant and grant.found:
            return Found(grant.found.values["holder_id"])
        kind = grant.holder_kind if grant else record["holder_kind"]
        of = {"person_id": owner.id} if "cpf" in record else {"company_id": owner.id}
        found = self.known.holder.get((owner.id, kind))
        key = f"holder:{record.get('cpf') or record.get('cnpj')}"
        made = self._upsert("holder", row, found, {"kind": kind, **of, "attributes": {}}, key)
        self.known.holder[owner.id, kind] = made
        return made

    def _vehicle(self, row: int, record: Record, holder: Found | None, facts: dict[str, Any]) -> Found | None:
        plate = record.get("plate")
        if plate is None:
            return None
        values = {name: record.get(name) for name in COLUMNS["vehicle"] if name != "holder_id"}
        values |= {"plate": plate, "holder_id": holder.id if holder else None, "attributes": facts}
        made = self._upsert("vehicle", row, self.known.vehicle.get(plate), values, f"vehicle:{plate}")
        self.known.vehicle[plate] = made
        if record.get("renavam"):
            self.known.renavam.setdefault(record["renavam"], plate)
        return made


def _plain(name: str) -> str:
    return " ".join(str(name).upper().split())
