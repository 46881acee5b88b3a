"""What an inspection sets running: the term to mend its faults, and the day by which the next one is due."""

from datetime import date

from services import deadlines
from services.acts.record import Act
from services.database import Transaction
from services.deadlines import NewDeadline
from services.deadlines.succession import succeed
from services.errors import Refused
from services.fleet import running
from services.fleet.drawing import follows
from services.fleet.store import Serving
from services.terms import articles
from tenants.law.decide import decide
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.facts import Facts
from tenants.law.kinds.papers import paper_title
from tenants.law.kinds.requirements import Inspection
from tenants.law.law import Law
from tenants.law.questions import InspectionAnswer, InspectionQuestion, PaperFact


def due(
    law: Law,
    rule: Inspection,
    vehicle: Serving,
    known: Facts,
    papers: tuple[PaperFact, ...] = (),
    *,
    last_on: date | None,
    found_on: date | None = None,
) -> Decision:
    """When is the next inspection of this rule due, and until when are faults to be mended?"""
    question = InspectionQuestion(
        category=vehicle.category,
        last_on=last_on,
        of=rule.of,
        plate=vehicle.plate,
        papers=papers,
        found_on=found_on,
        code=rule.code,
    )
    return decide(law, question, known)


def must_have_papers(law: Law, rule: Inspection, vehicle: Serving, known: Facts, papers: tuple[PaperFact, ...]) -> None:
    """Raises Refused where a paper is lacking that the law wants to see before the inspection."""
    value = due(law, rule, vehicle, known, papers, last_on=None).value
    lacking = value.lacking if isinstance(value, InspectionAnswer) else ()
    if lacking:
        asked = tuple(Missing("fact", f"paper.{code}", paper_title(law, code)) for code in lacking)
        said = f"Falta apresentar antes da vistoria: {'; '.join(each.ask for each in asked)}."
        raise Refused(Decision(Outcome.UNPROVEN, said, missing=asked))


async def run_cure(
    tx: Transaction,
    act: Act,
    law: Law,
    rule: Inspection,
    vehicle: Serving,
    known: Facts,
    *,
    passed: bool,
    failed_before: bool,
) -> date | None:
    """Faults are to be mended by this day, counted from when they were first found: looking again gives no more."""
    kind, subject = running.cure_of(rule.code), ("vehicle", vehicle.id)
    if passed:
        await deadlines.meet_kinds(tx, on_subject=subject, kinds=[kind], on=law.on, act_id=act.id)
        return None
    decision = due(law, rule, vehicle, known, last_on=law.on, found_on=law.on)
    value = decision.value
    if failed_before or not isinstance(value, InspectionAnswer) or value.cure_until is None:
        return None
    await deadlines.meet_kinds(tx, on_subject=subject, kinds=[rule.code], on=law.on, act_id=act.id)  # it was shown
    new = NewDeadline(
        kind=kind,
        rule=rule.code,
        subject_kind="vehicle",
        subject_id=vehicle.id,
        opened_on=law.on,
        last_day=value.cure_until,
        article=articles(decision.citations),
        opened_act=act.id,
        inputs={"event": "faulted", "on": law.on, "rule": decision.plain()["rules"]},
        counted={"last_day": value.cure_until},
        follows=follows(value.missed.infraction, value.missed.opens) if value.missed else follows(None),
    )
    await succeed(tx, new, on=law.on)
    return value.cure_until


async def run_next(
    tx: Transaction, act: Act, law: Law, rule: Inspection, vehicle: Serving, known: Facts
) -> date | None:
    """After one that passed: the day of the next, in place of the one that ran."""
    decision = due(law, rule, vehicle, known, last_on=law.on)
    return await running.run_inspection(tx, law, act.id, vehicle.id, decision, opened_on=law.on)
