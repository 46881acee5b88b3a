"""What an inspector looks at: the vehicle's items, attributes and conditions that the law has on that occasion."""

from collections.abc import Iterator
from dataclasses import dataclass

from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts, FactSpec
from tenants.law.kinds.demands import named
from tenants.law.kinds.requirements import Equipment, Requirement, Restriction, VehicleSpec
from tenants.law.law import InForce, Law
from tenants.law.rule import Demand, Missed, Rule

AT = "inspection"
OF_REGISTER = "register"  # who answers for a fact that nobody needs to look at


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One thing to look at.

    Args:
        item: The code of an item of equipment, to be found on the vehicle.
        judged: It is for the inspector to judge; they answer by the rule's code.
        facts: What to measure or ask, where the register does not know it.
    """

    rule: str
    kind: str
    title: str
    ask: str
    articles: tuple[str, ...]
    infraction: str | None
    item: str | None
    paper: str | None
    judged: bool
    facts: tuple[FactSpec, ...]


def checklist(law: Law, category: str, holder: str) -> list[ChecklistItem]:
    """In the order of the law."""
    keys = {"category": category, "holder": holder}
    return [
        _item(law, found, rule) for found, rule in _asked(law) if law.concerns(rule, keys) and _may_count(law, rule)
    ]


def _asked(law: Law) -> Iterator[tuple[InForce, Rule]]:
    for cls in (Equipment, VehicleSpec, Restriction, Requirement):
        for found, rule in law.all(cls):
            of_vehicle = rule.of == "vehicle" if isinstance(rule, Requirement) else True
            if of_vehicle and AT in getattr(rule, "at", ()):
                yield found, rule


def _may_count(law: Law, rule: Rule) -> bool:
    """No reading has switched it off; whether the rest of its condition holds is what the inspection is to show."""
    nobody = Evaluation(law, Facts({}, law.vocabulary))
    return nobody.word(rule.off) != "yes" and (rule.when is None or nobody.holds(rule.when) is not False)


def _item(law: Law, found: InForce, rule: Rule) -> ChecklistItem:
    condition = getattr(rule, "must", None)
    specs = [law.vocabulary.get(code) for code in sorted(condition.facts)] if condition else []
    return ChecklistItem(
        rule=rule.code,
        kind=rule.kind,
        title=named(rule),
        ask=rule.ask or named(rule),
        articles=tuple(str(citation) for citation in found.used.citations),
        infraction=_infraction(rule),
        item=rule.item if isinstance(rule, Equipment) else None,
        paper=rule.paper if isinstance(rule, Requirement) else None,
        judged=getattr(rule, "judge", None) is not None,
        facts=tuple(spec for spec in specs if spec is not None and spec.proof != OF_REGISTER),
    )


def _infraction(rule: Rule) -> str | None:
    if isinstance(rule, Restriction):
        return rule.infraction
    match rule.missed if isinstance(rule, Demand) else None:
        case Missed(infraction=infraction):
            return infraction
        case str() as infraction:
            return infraction
    return None
