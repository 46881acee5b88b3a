"""What the law says of a category's tariff: who sets it, after what, when it is to be reviewed, which terms run."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Row

from services import terms
from services.access import Actor
from services.acts.record import Act
from services.database import Transaction
from services.errors import Invalid, Refused
from services.permits.unforeseen import not_provided
from services.registry.facts import facts
from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.kinds.tariffs import TariffPolicy
from tenants.law.law import Law
from tenants.law.questions import ReviewQuestion, TariffChangeAnswer, TariffChangeQuestion

What = Literal["heard", "approved", "papers"]


def policy_of(law: Law, category: str) -> TariffPolicy:
    """How the law has tariffs set. Raises Refused where it does not."""
    found = next((rule for _, rule in law.all(TariffPolicy) if law.concerns(rule, {"category": category})), None)
    if found is None:
        raise not_provided(law, "fixação de tarifas", TariffPolicy.kind)
    return found


def review_due(law: Law, tariff: Row[Any] | None, category: str, *, because: Sequence[str] = ()) -> Decision:
    """Whether the tariff is to be reviewed, and by when."""
    last = tariff.reviewed_on if tariff else None
    return decide(law, ReviewQuestion(category, last, because), facts(law))


def change(law: Law, category: str, steps: Sequence[Any], *, surcharge: bool = False, by_law: bool = False) -> Decision:
    """May the tariff be set, with what has been done for it?"""

    def done(what: What) -> tuple[str, ...]:
        return tuple(step.code for step in steps if step.what == what)

    question = TariffChangeQuestion(
        category, done("heard"), done("approved"), done("papers"), surcharge=surcharge, by_law=by_law
    )
    return decide(law, question, facts(law))


def setting_office(law: Law, actor: Actor, category: str) -> str:
    """The office that sets tariffs, which the actor must hold. Raises Forbidden; Refused where it is not named."""
    office = actor.must("tariff")
    policy_of(law, category)
    decision = change(law, category, ())
    if not isinstance(decision.value, TariffChangeAnswer):
        raise Refused(decision)
    return actor.must_hold(decision.value.set_by, "tariff") if decision.value.set_by else office


def must_be_asked(law: Law, category: str, what: What, code: str) -> None:
    """Raises Invalid: the law asks for no such thing before a tariff."""
    policy = policy_of(law, category)
    asked = {"heard": policy.hears, "approved": (policy.approves,), "papers": policy.review_needs}[what]
    if code not in asked or not code:
        known = ", ".join(each for each in asked if each) or "nada"
        raise Invalid("code", "unknown_code", f"A lei pede: {known}.")


async def happened(tx: Transaction, act: Act, law: Law, tariff: Row[Any], event: str) -> None:
    """Terms of the tariff that an event meets are met; those that it starts run."""
    subject, keys = ("tariff", tariff.id), {"category": tariff.category}
    await terms.meet(tx, act, law, subject=subject, events={event}, on=law.on)
    running = terms.started(law, facts(law), of="tariff", event=event, on=law.on, keys=keys)
    await terms.open_started(tx, act, running, subject=subject, on=law.on)
