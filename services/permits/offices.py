"""Which office acts, where the law of an instrument names it."""

from typing import Any

from sqlalchemy import Row

from services.access import Actor
from services.errors import Refused
from tenants.law.decision import Decision, Missing, Outcome
from tenants.law.kinds.grants import Instrument
from tenants.law.law import Law
from tenants.law.rule import OfficeRef


def office_that(law: Law, actor: Actor, ref: OfficeRef | None, power: str) -> str:
    """The office that the law names, which the actor must hold; where it names none, whichever has the power.

    Raises:
        Forbidden: The actor does not hold it.
        Refused: The town has not said which it is.
    """
    named = law.office_of(ref) if ref else None
    if isinstance(named, Missing):
        raise Refused(Decision(Outcome.UNDETERMINED, f"Falta informar: {named.ask}", missing=(named,)))
    return actor.must(power) if named is None else actor.must_hold(named, power)


def granting_office(law: Law, actor: Actor, permit: Row[Any]) -> str:
    """Who grants the instrument also prolongs it and passes it on. Raises as above."""
    instrument = law.get(Instrument, permit.instrument)
    return office_that(law, actor, instrument.granted_by if instrument else None, "grant")
