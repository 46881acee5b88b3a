"""A bar that stood at the grant, or was got round, comes to light (impedimento descoberto): kinship, employment …"""

from collections.abc import Mapping
from datetime import date
from uuid import UUID

from services.access import Actor
from services.database import Transaction
from services.errors import Refused
from services.permits.days import nothing_later
from services.permits.declared import declared
from services.permits.eligibility import Pairing, case_of
from services.permits.ending import ending_for, endings_of, locked, may_end, record_end
from services.permits.endings.proposing import END, Case, write
from services.permits.offices import office_that
from services.permits.unforeseen import not_provided
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome, combine
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.exclusions import bars
from tenants.law.kinds.grants import Exclusion
from tenants.law.law import Law
from tenants.law.questions import RevealedQuestion


async def reveal_bar(
    tx: Transaction,
    actor: Actor,
    *,
    permit_id: UUID,
    exclusion: str,
    facts: Mapping[str, str] | None = None,
    version: int | None = None,
    on: date | None = None,
    why: str | None = None,
) -> UUID:
    """Propose the end of a permit whose holder is barred; at once where the law so says. Answers the proposal's id.

    Args:
        exclusion: The code of the bar.
        facts: What was found out of the holder.

    Raises:
        Refused: The holder is not barred, or the law does not say what that draws afterwards.
    """
    office, day = actor.must("propose"), on or tx.today
    permit = await locked(tx, permit_id, day, version)
    law = await tx.law(on=day)
    pairing = Pairing(permit.category, permit.holder_id, None, permit.granted_on)
    case = await case_of(tx, law, pairing, declared(law, facts))
    keys = {"category": permit.category, "holder": case.holder_kind}
    barred = holds(law, exclusion, case.facts, keys)
    revealed = decide(law, RevealedQuestion(exclusion=exclusion, keys=keys), case.facts)
    if revealed.outcome is Outcome.DENIED or not revealed.value.effect.cause:
        raise not_provided(law, "o que acarreta descobrir-se depois este impedimento", Exclusion.kind)
    if revealed.outcome not in (Outcome.VALUE, Outcome.NEEDS_DECISION):
        raise Refused(revealed)
    decision = combine([revealed, barred], message=revealed.message, value=revealed.value)
    cause, found = revealed.value.effect.cause, Case(permit, exclusion, day, why)
    id = await write(tx, actor, found, effect=END, cause=cause, decision=decision, office=office)
    if revealed.value.at_once:
        ending = next((each for each in endings_of(law, permit) if each.cause == cause), None)
        ending = ending or ending_for(law, permit, cause)
        deciding = office_that(law, actor, ending.decides, "cancel")
        said = may_end(law, permit, ending, judged=True)
        await nothing_later(tx, permit, day)
        await record_end(tx, actor, permit, ending, day, decision=said, office=deciding, why=why, proposal_id=id)
    return id


def holds(law: Law, code: str, known: Facts, keys: Mapping[str, str]) -> Decision:
    """That the bar holds, as an answer that permits what follows from it. Raises Refused where it does not."""
    ev = Evaluation(law, known)
    found = next(ev.each_untested(Exclusion, lambda rule: rule.code == code, **keys), None)
    if found is None:
        raise not_provided(law, f"este impedimento: {code}", Exclusion.kind)
    answer = bars(found[0], found[1], None)
    if answer.outcome is Outcome.ALLOWED:
        raise Refused(Decision(Outcome.DENIED, answer.message, rules=answer.rules, facts=answer.facts))
    if answer.outcome is not Outcome.DENIED:
        raise Refused(answer)
    return Decision(Outcome.ALLOWED, answer.message, rules=answer.rules, facts=answer.facts, readings=answer.readings)
