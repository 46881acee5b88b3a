"""Penalties applied (aplicação): a row for each effect, its money, and the terms that run from the notice on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from services import acts, numbers, terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.enforcement.defending import defence_of, open_defence
from services.enforcement.drawing import Offender
from services.enforcement.tables import Fine
from services.enforcement.tables import Penalty as PenaltyRow
from services.errors import Forbidden, Refused
from services.registry import store as registry
from services.registry.facts import facts
from tenants.law.decision import Decision, plain
from tenants.law.law import Law
from tenants.law.questions import Drawn, Penalty

WAITS = frozenset({"suspend", "end", "bar", "convert"})  # what only a decision of its own brings about
CHARGES = frozenset({"fine", "charge_daily"})
SHARES = frozenset({"split"})  # of money that another effect charges
POINTS = "points"
APPLIED, TO_BE_TRIED = "applied", "to_be_tried"
FINE_ISSUED = "fine.issued"


@dataclass(frozen=True, slots=True)
class Case:
    """One fact as it is being punished: whose, when, told when, by which office, on what decision.

    ``final``: at the end of a process, in which it was defended: nobody is to defend it again. ``case_id``: which one.
    """

    offender: Offender
    decision: Decision
    seen_on: date
    told_on: date | None
    office: str
    occurrence_id: UUID | None = None
    case_id: UUID | None = None
    final: bool = False


@dataclass(slots=True)
class Made:
    """A penalty's row, its act, and the fine that is written when it has its number."""

    row: PenaltyRow
    act: Act
    fine: Fine | None = None


def must_be_competent(actor: Actor, penalties: Sequence[Penalty], decision: Decision) -> None:
    """Each is applied by the offices that the law names. Raises Forbidden, citing it."""
    for penalty in penalties:
        if penalty.by and not set(penalty.by) & set(actor.offices):
            raise Forbidden("fine", [str(citation) for citation in decision.citations])


async def apply(tx: Transaction, actor: Actor, case: Case) -> list[Made]:
    """Write what the decision draws; what asks for a process first is noted, and waits for it.

    Numbers are taken last.

    Raises:
        Refused: The law charges money and does not say how much it comes to.
    """
    wanted = [
        (penalty, effect)
        for penalty in case.decision.value.kept
        for effect in penalty.effects
        if effect.do not in SHARES
    ]
    made = [await _made(tx, actor, case, penalty, effect) for penalty, effect in wanted]
    if case.told_on is not None:
        await _terms(tx, case, case.told_on, made)
    charged = [each for each in made if each.fine is not None]
    taken = await numbers.take_each(tx, "fine", len(charged), case.seen_on.year) if charged else []
    for each, number in zip(charged, taken, strict=True):
        if each.fine is not None:
            each.fine.number = number
    await registry.add_all(tx, [each.fine for each in charged if each.fine is not None])
    await registry.add_all(tx, [each.row for each in made])
    return made


async def _made(tx: Transaction, actor: Actor, case: Case, penalty: Penalty, effect: Drawn) -> Made:
    waits = penalty.after_process or effect.do in WAITS
    id, charges = await registry.new_id(tx), effect.do in CHARGES and not waits
    on = ("fine", await registry.new_id(tx)) if charges else ("penalty", id)
    act = await acts.record(
        tx,
        actor,
        FINE_ISSUED if charges else "penalty.noted" if waits else "penalty.applied",
        on=on,
        decision=case.decision,
        office=case.office,
        legal_day=case.seen_on,
        changes={"infraction": penalty.infraction, "effect": effect.text, "occurrence": case.occurrence_id},
        result={"id": case.occurrence_id} if case.occurrence_id else None,
    )
    row = _row(tx, case, penalty, effect, act, waits=waits)
    row.id = id
    if not charges:
        return Made(row, act)
    row.fine_id = on[1]
    return Made(row, act, _fine(tx, case, penalty, effect, on[1], act))


def _row(tx: Transaction, case: Case, penalty: Penalty, effect: Drawn, act: Act, *, waits: bool) -> PenaltyRow:
    who = case.offender
    return PenaltyRow(
        tenant_id=tx.tenant_id,
        occurrence_id=case.occurrence_id,
        permit_id=who.permit_id,
        holder_id=who.holder_id,
        driver_id=who.driver_id,
        person_id=who.person_id,
        category=who.category,
        plate=who.plate,
        infraction=penalty.infraction,
        infraction_group=penalty.group,
        reported_as=effect.reports_as,
        what=effect.penalty or POINTS,
        nth=penalty.nth,
        points=effect.points,
        seen_on=case.seen_on,
        notified_on=None if waits else case.told_on,
        state=TO_BE_TRIED if waits else APPLIED,
        may_open=list(penalty.may_open),
        effect=plain(effect),
        act_id=act.id,
    )


def _fine(tx: Transaction, case: Case, penalty: Penalty, effect: Drawn, id: UUID, act: Act) -> Fine:
    """Without its number, which is taken last."""
    money = effect.money
    if money is None:
        raise Refused(case.decision)
    return Fine(
        tenant_id=tx.tenant_id,
        id=id,
        number="",
        permit_id=case.offender.permit_id,
        occurrence_id=case.occurrence_id,
        proceeding_id=case.case_id,
        infraction=penalty.infraction,
        seen_on=case.seen_on,
        units=money.units,
        unit=money.unit,
        rate=money.rate,
        brl=money.brl,
        decision=case.decision.plain(),
        act_id=act.id,
    )


async def _terms(tx: Transaction, case: Case, told_on: date, made: Sequence[Made]) -> None:
    """What runs from the day on which the person was told, under that day's law: the defence, and each payment."""
    law = await tx.law(on=told_on)
    applied = [each for each in made if each.row.state == APPLIED]
    if not applied:
        return
    defence = None if case.final else defence_of(law, _applied_by(case, applied))
    until: UUID | None = None
    if defence is not None:
        subject = ("occurrence", case.occurrence_id) if case.occurrence_id else ("penalty", applied[0].row.id)
        until = await open_defence(tx, applied[0].act, law, defence, subject=subject, told_on=told_on)
    for each in applied:
        each.row.defence_id = until
        each.row.final_on = told_on if defence is None else None
        if each.fine is not None:
            each.fine.due_deadline_id = await _payment(tx, law, case, each.act, each.fine.id, told_on)


def _applied_by(case: Case, applied: Sequence[Made]) -> list[str]:
    codes = {each.row.infraction for each in applied}
    return [office for penalty in case.decision.value.kept if penalty.infraction in codes for office in penalty.by]


async def _payment(tx: Transaction, law: Law, case: Case, act: Act, fine_id: UUID, told_on: date) -> UUID | None:
    running = terms.started(law, facts(law), of="fine", event="notified", on=told_on, keys=case.offender.case)
    due = await terms.open_started(tx, act, running, subject=("fine", fine_id), on=told_on)
    return next(iter(due), None)
