"""The fine that lateness draws (multa por atraso): one for one omission, whatever articles punish it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from services.access import Actor
from services.database import Reader, Transaction
from services.enforcement.fining import issue_fine
from services.enforcement.tables import Fine
from services.errors import Invalid, Refused
from services.permits.renewals import store as renewals
from services.permits.renewals.standing import standings
from tenants.law.decision import Decision, Outcome


@dataclass(frozen=True, slots=True)
class Owed:
    """One omission that has not been fined: the term that was missed, all the infractions that it is, and its day."""

    term: str
    codes: tuple[str, ...]
    seen_on: date


async def fine_lateness(
    tx: Transaction, actor: Actor, *, permit_id: UUID, term: str | None = None, notified_on: date | None = None
) -> Fine:
    """Fine what a permit is late with. The day of the fact is the first day of lateness, which picks law and unit.

    Args:
        term: Of several terms that were missed, which.

    Raises:
        Refused: Nothing is late that is fined, or it has been fined already; or as for any fine.
        Invalid: Several terms were missed, and it is not said which.
    """
    actor.must("fine")
    found = [each for each in await owed(tx, permit_id) if term in (None, each.term)]
    if not found:
        said = "Nada há de atrasado nesta outorga que a lei puna com multa e que ainda não tenha sido multado."
        raise Refused(Decision(Outcome.DENIED, said))
    if len({each.term for each in found}) > 1:
        raise Invalid("term", "several", f"Diga qual prazo: {', '.join(each.term for each in found)}.")
    first = found[0]
    return await issue_fine(
        tx, actor, permit_id=permit_id, infractions=first.codes, seen_on=first.seen_on, notified_on=notified_on
    )


async def owed(tx: Reader, permit_id: UUID, on: date | None = None) -> Sequence[Owed]:
    """What is late and not fined on a day, the earliest first; a request that came in time but not in full is too."""
    late = [
        Owed(standing.term.code, each.codes, each.step.first_day)
        for standing in await standings(tx, permit_id, on)
        for each in standing.begun
        if each.step.infraction and not each.process and not each.fined
    ]
    return sorted([*late, *await _incomplete(tx, permit_id)], key=lambda each: each.seen_on)


async def _incomplete(tx: Reader, permit_id: UUID) -> list[Owed]:
    """Requests in time that were not duly documented, where the law punishes that."""
    asked = [
        (row, row.decision["value"], [rule["code"] for rule in row.decision["parts"][0]["rules"]])
        for row in await renewals.requests_of(tx, permit_id)
    ]
    return [
        Owed(rules[0], tuple(said["infractions"]), row.requested_on)
        for row, said, rules in asked
        if said["in_time"]
        and said["infractions"]
        and not await renewals.fined(tx, permit_id, said["infractions"], row.requested_on)
    ]
