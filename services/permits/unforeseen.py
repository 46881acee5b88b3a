"""What a town's law does not have is refused with the kind of rule that is missing, whichever town it is."""

from collections.abc import Mapping

from services.errors import Refused
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.kinds.terms import Term
from tenants.law.law import Law


def not_provided(law: Law, what: str, kind: str) -> Refused:
    """``what``: as people say it; ``kind``: the kind of rule that would have to provide it."""
    said = f"A lei deste município não prevê {what}."
    ask = f"Que regra ({kind}) prevê {what}, em {law.on:%d/%m/%Y}?"
    return Refused(Decision(Outcome.DENIED, said, missing=(Missing("rule", kind, ask),)))


def no_licence_term(law: Law, keys: Mapping[str, str]) -> Refused:
    """Nothing says until when a licence is valid: the law has no such term, or the town has yet to say what it asks."""
    if not any(term.of == "licence" and term.validity and law.concerns(term, keys) for _, term in law.all(Term)):
        return not_provided(law, "até quando vale o alvará", Term.kind)
    return Refused(Decision(Outcome.UNDETERMINED, "A lei do município não diz até quando vale o alvará."))
