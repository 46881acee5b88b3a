"""What an inspection comes to: each thing that the law has looked at, found met or not, and nothing passed over."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.errors import Invalid, Refused
from services.inspections.checklist import AT
from services.registry.attributes import stored
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.facts import Facts
from tenants.law.kinds.requirements import Equipment, Inspection, Requirement, Restriction, VehicleSpec
from tenants.law.law import Law
from tenants.law.questions import Demanded, DutyAnswer, EligibilityQuestion, PaperFact

LOOKED_AT = (Equipment.kind, VehicleSpec.kind, Restriction.kind)
OF_VEHICLE = "vehicle"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the inspector says. ``seen``: facts measured, in JSON's own types; ``faults``: in words."""

    carried: Sequence[str]
    seen: Mapping[str, Any]
    approved: Sequence[str]
    rejected: Sequence[str]
    faults: Sequence[str]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong: by which rule, if by one, and the infraction that it is."""

    message: str
    rule: str | None = None
    infraction: str | None = None

    def plain(self) -> dict[str, str | None]:
        return {"rule": self.rule, "message": self.message, "infraction": self.infraction}


@dataclass(frozen=True, slots=True)
class Findings:
    decision: Decision
    faults: tuple[Fault, ...]
    facts: Facts

    @property
    def passed(self) -> bool:
        return not self.faults


def found_by(
    law: Law, asked: Inspection, known: Facts, papers: Sequence[PaperFact], shown: Shown, *, category: str, holder: str
) -> Findings:
    """Of a vehicle, all that the law has looked at; of a taximeter, what the inspector says of it.

    Raises:
        Refused: Something was not looked at; carries each such thing with what is missing.
        Invalid: A code is none of the law's.
    """
    _known_codes(law, shown)
    looked = asked.of == OF_VEHICLE
    facts = known.with_(stored(law, shown.seen)).with_({"vehicle.equipment": tuple(shown.carried)} if looked else {})
    parts = list(_parts(law, facts, papers, category, holder)) if looked else []
    faults = [fault for part in parts if (fault := _fault(part, shown)) is not None]
    own = [Fault(f"{_title(law, code)}: não atendido.", code) for code in shown.rejected if not _among(code, parts)]
    left = [part for part in parts if part.outcome is not Outcome.DENIED and not _settled(part, shown)]
    if left:
        said = "Falta conferir: " + "; ".join(part.message.rstrip(".") for part in left) + "."
        raise Refused(combine(left, message=said))
    everything = (*faults, *own, *(Fault(text) for text in shown.faults))
    return Findings(_told(law, asked, everything, parts), everything, facts)


def _parts(law: Law, facts: Facts, papers: Sequence[PaperFact], category: str, holder: str) -> Iterator[Decision]:
    """Of what the law demands on this occasion, what can be seen on the vehicle."""
    question = EligibilityQuestion(category, holder, AT, papers, of=(OF_VEHICLE,))
    for part in decide(law, question, facts).parts:
        used = part.rules[0] if part.rules else None
        rule = law.get(Requirement, used.code) if used and used.kind == Requirement.kind else None
        if used is None or used.kind in LOOKED_AT or (rule is not None and AT in rule.at):
            yield part


def _settled(part: Decision, shown: Shown) -> bool:
    judged = part.outcome is Outcome.NEEDS_DECISION and _code(part) in (*shown.approved, *shown.rejected)
    return part.permits or judged


def _fault(part: Decision, shown: Shown) -> Fault | None:
    code = _code(part)
    if part.outcome is not Outcome.DENIED and code not in shown.rejected:
        return None
    match part.value:
        case Demanded(missed=missed):
            infraction = missed.infraction if missed else None
        case DutyAnswer(infraction=infraction):
            pass
        case _:
            infraction = None
    return Fault(part.message, code, infraction)


def _code(part: Decision) -> str:
    return part.rules[0].code if part.rules else ""


def _among(code: str, parts: Sequence[Decision]) -> bool:
    return any(_code(part) == code for part in parts)


def _title(law: Law, code: str) -> str:
    found = [law.get(cls, code) for cls in (Equipment, VehicleSpec, Restriction, Requirement)]
    return next((rule.title or rule.code for rule in found if rule is not None), code)


def _known_codes(law: Law, shown: Shown) -> None:
    items = law.list("equipment")
    for item in shown.carried:
        if item not in items:
            raise Invalid(
                "carried", "unknown_code", f"A lei do município conhece: {', '.join(items) or 'nenhum item'}."
            )
    for code in (*shown.approved, *shown.rejected):
        if all(law.get(cls, code) is None for cls in (Equipment, VehicleSpec, Restriction, Requirement)):
            raise Invalid("rejected", "unknown_code", f"A lei não tem a exigência {code}.")


def _told(law: Law, asked: Inspection, faults: Sequence[Fault], parts: Sequence[Decision]) -> Decision:
    title, found = asked.title or asked.code, law.find(Inspection.kind, asked.code)
    result = "aprovado" if not faults else "reprovado: " + "; ".join(fault.message.rstrip(".") for fault in faults)
    return Decision(
        outcome=Outcome.DENIED if faults else Outcome.ALLOWED,
        message=f"{title}: {result}.",
        rules=(found.used,) if found else (),
        readings=tuple(dict.fromkeys(reading for part in parts for reading in part.readings)),
        parts=tuple(parts),
    )
