"""What a town's law does not have is refused with the kind of rule that is missing, whichever town it is."""

from services.errors import Refused
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.law import Law


def not_provided(law: Law, what: str, kind: str) -> Refused:
    """``what``: as people say it; ``kind``: the kind of rule that would have to provide it."""
    said = f"A lei deste município não prevê {what}."
    ask = f"Que regra ({kind}) prevê {what}, em {law.on:%d/%m/%Y}?"
    return Refused(Decision(Outcome.DENIED, said, missing=(Missing("rule", kind, ask),)))
