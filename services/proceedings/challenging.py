"""What a filing challenges (objeto da impugnação), and what has to be undone because it was in time after all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import system
from services.acts.record import Act
from services.database import Transaction
from services.errors import Conflict, Invalid
from services.permits.unforeseen import not_provided
from services.proceedings import store
from services.proceedings.finality import withdraw
from services.proceedings.parties import respondents
from services.proceedings.path import Path
from services.proceedings.progress import UPHELD, concerned, meet
from services.proceedings.tables import Charge, Proceeding
from tenants.law.kinds.proceedings import Process, ProcessStep

FOR_GOOD = frozenset({"end", "suspend", "bar", "convert"})  # what carrying out cannot be taken back by a filing
RETENTION = "retention"


@dataclass(frozen=True, slots=True)
class Filing:
    """What is filed, by whom, in which step, on what day; ``last_day``: of the term, where it has run.

    ``heard``: the party has filed in this step already.
    """

    case: Proceeding
    path: Path
    step: ProcessStep
    party: Row[Any]
    on: date
    last_day: date | None
    office: str | None
    heard: bool = False

    @property
    def late(self) -> bool:
        return self.last_day is not None and self.on > self.last_day

    @property
    def in_time(self) -> bool:
        """Within a term that has run, whenever it is entered."""
        return self.last_day is not None and self.on <= self.last_day


async def challenged(tx: Transaction, filing: Filing, ids: Sequence[UUID] | None, *, appealing: bool) -> list[Charge]:
    """The charges that it is about: the party's own that may still be challenged, or those of them that it names.

    None: it came in time to an office that did not pass it on, and nothing of this can be taken back here.
    """
    case, parties = filing.case, respondents(await store.parties(tx, filing.case.id))
    own = [each for each in await store.charges(tx, case.id) if filing.party.id in concerned(each, parties)]
    gone_on = await _gone_on(tx, filing)
    open_ones = [each for each in own if _may_be_challenged(each, filing, appealing)]
    open_ones = [each for each in open_ones if not gone_on or each.outcome is None]
    if filing.late:
        open_ones = open_ones or own
    elif not open_ones and any(_missed(each, filing) for each in own):
        return []
    if not open_ones:
        raise Conflict(message="Já não há o que impugnar neste processo.")
    return _named(filing, open_ones, ids)


async def _gone_on(tx: Transaction, filing: Filing) -> bool:
    """Whether somebody has been told of the decision, or appealed: then only who judges can go back behind it.

    Nor does an appeal take back what a later instance has been asked to hear.
    """
    case, path, step = filing.case, filing.path, filing.step
    later = [each.code for each in path.rule.step if each.instance > step.instance]
    if step.instance > 1 and (case.back or case.step) in later:
        return True
    told = any(each.served_on and each.step in later for each in await store.services(tx, case.id))
    return told or any([await store.filed(tx, case.id, code) for code in later])


def _named(filing: Filing, open_ones: list[Charge], ids: Sequence[UUID] | None) -> list[Charge]:
    if ids is None:
        return open_ones
    named = [each for each in open_ones if each.id in set(ids)]
    if not named or len(named) < len(set(ids)):
        raise Invalid("chargeIds", "charge", "Só se recorre do que foi mantido e ainda não é definitivo.")
    if len(named) < len(open_ones) and not filing.step.whole_or_part:
        raise not_provided(filing.path.law, "recurso de parte da decisão", Process.kind)
    return named


def _may_be_challenged(charge: Charge, filing: Filing, appealing: bool) -> bool:
    """Not yet final on the day of the filing, whenever that is recorded; nothing carried out that stays so.

    What was decided without a defence that had been received in time is to be decided again.
    """
    if charge.enforced_on is not None and _for_good(charge):
        return False
    if appealing:
        decided = charge.outcome == UPHELD and charge.decided_on is not None and charge.decided_on <= filing.on
        return decided and (charge.final_on is None or charge.final_on > filing.on)
    if charge.outcome is None:
        return True
    by_default = charge.decided_act == charge.final_act
    if by_default:
        return charge.final_on is not None and charge.final_on > filing.on and charge.outcome == UPHELD
    return charge.outcome == UPHELD and charge.appealed_on is None and _unheard(charge, filing)


def _unheard(charge: Charge, filing: Filing) -> bool:
    before = charge.decided_on is not None and charge.decided_on >= filing.on
    return filing.in_time and not filing.heard and before


def _missed(charge: Charge, filing: Filing) -> bool:
    """It would have been challenged, had it been passed on."""
    later = charge.final_on is not None and charge.final_on > filing.on
    in_time = filing.in_time and not filing.heard and later
    return charge.outcome == UPHELD and (in_time or _unheard(charge, filing))


def _for_good(charge: Charge) -> bool:
    return any(effect["do"] in FOR_GOOD for effect in charge.effects)


async def reopen(tx: Transaction, act: Act, filing: Filing, charges: Sequence[Charge]) -> None:
    """Received in time and entered after its term was found over: what followed from that did not."""
    case, undone = filing.case, [each for each in charges if each.final_on or _moved_on(each, filing)]
    if undone:
        await acts.record(
            tx,
            system(tx.tenant_id),
            "case.reopened",
            on=("case", case.id),
            changes={
                "after": act.id,
                "receivedOn": filing.on,
                "archivedOn": case.archived_on,
                "charges": [_was(each) for each in undone],
            },
            why="Peça recebida no prazo e juntada depois: o que dela prescindiu não subsiste.",
        )
    for charge in undone:
        await withdraw(tx, charge, undecided=_moved_on(charge, filing))
    if case.archived_on is not None:
        case.archived_on = case.archived_act = None
        await deadlines.meet_kinds(tx, on_subject=("case", case.id), kinds=[RETENTION], on=tx.today, act_id=act.id)
    if case.step != filing.step.code:
        if case.step is not None:
            await meet(tx, act, case, case.step, filing.on)
        case.step, case.back = filing.step.code, None


def _moved_on(charge: Charge, filing: Filing) -> bool:
    """Decided since, by the instance that was to hear what is filed now."""
    return filing.step.instance == 1 and charge.outcome is not None


def _was(charge: Charge) -> dict[str, Any]:
    return {
        "infraction": charge.infraction,
        "outcome": charge.outcome,
        "decidedOn": charge.decided_on,
        "finalOn": charge.final_on,
        "enforcedOn": charge.enforced_on,
    }
