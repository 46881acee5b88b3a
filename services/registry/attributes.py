"""Facts that a town's law declares (``local.…``) and facts of a declaration, kept with the row they are about."""

from collections.abc import Mapping
from typing import Any

from services.errors import Invalid
from tenants.law.facts import FactValue, parse_fact
from tenants.law.law import Law


def checked(law: Law, facts: Mapping[str, str], field: str = "attributes") -> dict[str, Any]:
    """Facts given as text, each checked against the vocabulary of the town's law, in JSON's own types."""
    return {code: _plain(value) for code, value in parsed(law, facts, field).items()}


def parsed(law: Law, facts: Mapping[str, str], field: str = "suppose") -> dict[str, FactValue]:
    """The same as typed facts.

    Raises:
        Invalid: The law knows no such fact, or the text is not of its type or code list.
    """
    found = {}
    for code, text in facts.items():
        spec = law.vocabulary.get(code)
        if spec is None:
            raise Invalid(field, "unknown_fact", f"A lei do município não conhece o fato {code}.")
        try:
            value = parse_fact(spec, text)
        except ValueError as error:
            raise Invalid(field, "fact_type", f"Valor inválido para o fato {code}: {error}") from error
        codes = law.list(spec.list) if spec.list else {}
        several = value if isinstance(value, tuple) else (value,)
        if codes and any(each not in codes for each in several):
            raise Invalid(field, "fact_code", f"O fato {code} aceita: {', '.join(codes)}.")
        found[code] = value
    return found


def stored(law: Law, attributes: Mapping[str, Any]) -> dict[str, FactValue]:
    """Attributes of a row as facts; what the law of the day no longer declares is left aside."""
    found: dict[str, FactValue] = {}
    for code, raw in attributes.items():
        spec = law.vocabulary.get(code)
        if spec is not None:
            found[code] = (
                tuple(raw) if isinstance(raw, list) else parse_fact(spec, raw) if isinstance(raw, str) else raw
            )
    return found


def _plain(value: FactValue) -> Any:
    if isinstance(value, (bool, int, str)):
        return value
    return list(value) if isinstance(value, tuple) else value.isoformat()
