"""What inspections have shown of a vehicle, as facts of the law's vocabulary."""

from typing import Any

from sqlalchemy import Row

from services.registry.attributes import stored
from tenants.law.decide import decide
from tenants.law.facts import Facts, FactValue
from tenants.law.law import Law
from tenants.law.questions import InspectionAnswer, InspectionQuestion


def seen_facts(law: Law, row: Row[Any] | None, category: str, plate: str) -> dict[str, FactValue | None]:
    """A vehicle never inspected has none of them: then what was told of it counts."""
    if row is None:
        return {}
    approved = stored(law, row.approved or {})
    if row.inspected_on is None:
        return {**approved}
    return {
        **stored(law, row.seen),
        **approved,
        "vehicle.equipment": tuple(row.carried),
        "vehicle.inspected_on": row.inspected_on,
        "vehicle.inspection_passed": row.passed and not overdue(law, row, category, plate),
    }


def overdue(law: Law, row: Row[Any], category: str, plate: str) -> bool:
    """Is another inspection due by now? No, where the law does not say."""
    question = InspectionQuestion(category=category, last_on=row.passed_on, plate=plate, code=row.rule)
    value = decide(law, question, Facts({}, law.vocabulary)).value
    return isinstance(value, InspectionAnswer) and value.overdue
