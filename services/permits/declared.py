"""Facts that people declare or prove with a request; what the register itself knows is not theirs to say."""

from collections.abc import Mapping

from services.errors import Invalid
from services.registry.attributes import parsed
from tenants.law.facts import FactValue
from tenants.law.law import Law

PACKS_OWN = "local."  # a town's law may declare facts of the register that no table of ours holds


def declared(law: Law, facts: Mapping[str, str] | None, field: str = "facts") -> dict[str, FactValue]:
    """Typed by the law's vocabulary.

    Raises:
        Invalid: The law knows no such fact, it is of another type, or the register answers for it.
    """
    found = parsed(law, facts or {}, field)
    for code in found:
        if law.vocabulary[code].proof == "register" and not code.startswith(PACKS_OWN):
            raise Invalid(field, "register_fact", f"Quem responde pelo fato {code} é o próprio cadastro.")
    return found
