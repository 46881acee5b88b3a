"""Facts that a caller gives: hypothetical ones of a question, or what a form has asked."""

from collections.abc import Sequence

import strawberry

from services.registry.attributes import parsed
from tenants.law.facts import FactValue
from tenants.law.law import Law


@strawberry.input(description="A fact by its code in the law's vocabulary (fato), as text: sim, 4, 2026-12-31, B, D.")
class FactInput:
    code: str
    value: str


def supposed(law: Law, given: Sequence[FactInput] | None) -> dict[str, FactValue]:
    """Checked against the vocabulary of the town's law. Raises Invalid."""
    return parsed(law, {fact.code: fact.value for fact in given or ()})
