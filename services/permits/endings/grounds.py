"""On what ground a permit may be proposed to end or rest: the infraction, and that lateness has reached it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from services.database import Reader
from services.errors import Invalid, Refused
from services.permits.endings import store as endings
from services.permits.renewals.standing import Standing, drawn, standings
from services.permits.unforeseen import not_provided
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.facts import FactValue
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.sanctions import Sanction
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import Drawn, SanctionsQuestion

SUSPEND = "suspend"


async def punished(tx: Reader, law: Law, permit: Row[Any], infraction: str, known: Mapping[str, FactValue]) -> Decision:
    """What an infraction draws for this permit that day. Raises Refused while lateness has not reached it."""
    if law.get(Infraction, infraction) is None:
        raise Invalid("infraction", "unknown_code", f"A lei não tem a infração {infraction} em {law.on:%d/%m/%Y}.")
    found = await standings(tx, permit.id, law.on)
    too_early = _too_early(law, found, infraction)
    if too_early is not None:
        raise Refused(too_early)
    away = await endings.absence_on(tx, permit.id, law.on)
    of_case = {"offence.justified": away.justified} if away else {}
    decision = await drawn(tx, law, permit, [infraction], {**of_case, **known})
    if decision.outcome is Outcome.DENIED or decision.value is None:
        raise Refused(decision)
    return decision


def _too_early(law: Law, found: Sequence[Standing], infraction: str) -> Decision | None:
    """An infraction that a term's lateness opens is not there before its day."""
    opened_by = [each for each in found for step in each.begun if step.step.opens == infraction]
    could = [
        (each, step)
        for each in found
        if each.decision.value
        for step in each.decision.value.late
        if step.opens == infraction
    ]
    if opened_by:
        return None
    if could:
        standing, step = could[0]
        said = f"Ainda está no prazo: só em {step.first_day:%d/%m/%Y} se pode abrir o processo."
        return Decision(Outcome.DENIED, said, rules=standing.decision.rules, parts=(standing.decision,))
    if infraction in opens_anywhere(law):
        return Decision(Outcome.DENIED, "Nada está atrasado nesta outorga que abra este processo.")
    return None


def opens_anywhere(law: Law) -> set[str]:
    """The infractions that only lateness opens."""
    return {late.opens for _, term in law.all(Term) for late in term.late if late.opens}


def effects(decision: Decision) -> tuple[Drawn, ...]:
    """Everything that an answer about infractions draws."""
    return tuple(effect for penalty in decision.value.kept for effect in penalty.effects)


async def suspended_by(
    tx: Reader, law: Law, permit: Row[Any], infraction: str, known: Mapping[str, FactValue]
) -> Decision:
    """What suspends: the infraction itself, else a sanction that the law provides for any. Raises Refused for none."""
    penalty = await punished(tx, law, permit, infraction, known)
    if any(effect.do == SUSPEND for effect in effects(penalty)):
        return _at_the_end_of_a_process(penalty, [effect for effect in effects(penalty) if effect.do == SUSPEND])
    keys = {"category": permit.category}
    sanction = next((rule for _, rule in law.all(Sanction) if rule.do == SUSPEND and law.concerns(rule, keys)), None)
    if sanction is None:
        raise not_provided(law, f"a suspensão por {infraction}", Sanction.kind)
    question = SanctionsQuestion(infraction=infraction, sanction=sanction.code, keys=keys, in_process=True)
    offered = decide(law, question, facts(law, {"permit.category": permit.category}, known))
    if offered.outcome is Outcome.DENIED:
        raise Refused(offered)
    return combine([offered, penalty], message=offered.message, value=offered.value)


def _at_the_end_of_a_process(penalty: Decision, found: Sequence[Drawn]) -> Decision:
    said = "Suspensão: só ao fim de processo, com defesa, por decisão da autoridade."
    return Decision(Outcome.NEEDS_DECISION, said, value=found[0], parts=(penalty,), office=found[0].decides)
