"""Until when a filed paper counts, and the term that tells of it: the law's own, or that of the demand for it."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from services import terms
from services.acts.record import Act
from services.database import Transaction
from services.deadlines import NewDeadline
from services.deadlines import store as deadlines
from services.deadlines.succession import hand_over, succeed
from services.fleet.drawing import follows
from services.registry import store
from services.registry.facts import facts
from services.registry.tables import Paper
from tenants.law.evaluation import Evaluation
from tenants.law.facts import Facts
from tenants.law.kinds.papers import PaperFact, filed
from tenants.law.kinds.requirements import Requirement
from tenants.law.law import Law
from tenants.law.rule import Missed


async def run(tx: Transaction, act: Act, law: Law, paper: Paper) -> None:
    """A paper's last day runs, in place of that of the one before; a paper that ends sooner leaves it as it is."""
    subject = (paper.subject_kind, paper.subject_id)
    if paper.valid_until is not None:
        known = facts(law, {f"{paper.code}.until": paper.valid_until})
        running = terms.started(law, known, of="paper", event="filed", on=law.on, keys={})
        for each in running:
            if await store.lasts_longer(tx, subject, each.term.code, each.last_day):
                continue
            before = await deadlines.open_of(tx, subject, [each.term.code])
            made = await terms.open_started(tx, act, [each], subject=subject, on=law.on)
            await hand_over(tx, before, made, on=law.on, act_id=act.id)
        if running:
            return
    if (found := demanded(law, paper)) is not None:
        await _of_demand(tx, act, law, paper, *found)


def demanded(law: Law, paper: Any) -> tuple[Requirement, date] | None:
    """The demand under which a paper ends first, and its last day."""
    lasts = [(rule, last) for rule in _asking(law, paper) if (last := _last_day(law, rule, paper)) is not None]
    return min(lasts, key=lambda pair: pair[1], default=None)


def _asking(law: Law, paper: Any) -> Iterator[Requirement]:
    """The demands that such a paper answers."""
    for _, rule in law.all(Requirement):
        if rule.paper == paper.code and rule.of == paper.subject_kind:
            yield rule


def _last_day(law: Law, rule: Requirement, paper: Any) -> date | None:
    """Its own last day, or the earlier one of the validity that the demand gives it."""
    fact = PaperFact(paper.code, rule.of, issued_on=paper.issued_on, valid_until=paper.valid_until)
    nobody = Evaluation(law, Facts({}, law.vocabulary))
    return filed(nobody, [fact], paper.code, valid_for=rule.valid_for or rule.every, counting=rule.counting).until


def drawn(rule: Requirement) -> str | None:
    """The infraction that it is to let such a paper end."""
    return rule.missed.infraction if isinstance(rule.missed, Missed) else rule.missed


async def _of_demand(tx: Transaction, act: Act, law: Law, paper: Paper, rule: Requirement, last: date) -> None:
    new = NewDeadline(
        kind=paper.code,
        rule=rule.code,
        subject_kind=paper.subject_kind,
        subject_id=paper.subject_id,
        opened_on=law.on,
        last_day=last,
        article=terms.articles(rule.cite),
        opened_act=act.id,
        inputs={"event": "filed", "on": law.on, "paper": paper.id},
        counted={"last_day": last},
        follows=follows(drawn(rule)),
    )
    if not await store.lasts_longer(tx, (paper.subject_kind, paper.subject_id), paper.code, last):
        await succeed(tx, new, on=law.on)
