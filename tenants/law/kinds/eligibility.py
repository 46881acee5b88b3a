"""May this holder, with this driver and vehicle, enter, be renewed, stay? One decision for each demand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tenants.law.decide import answer
from tenants.law.decision import Decision, Outcome
from tenants.law.evaluation import Evaluation
from tenants.law.kinds.demands import demanded
from tenants.law.kinds.duties import RestrictionQuestion, restricted
from tenants.law.kinds.exclusions import PastEnding, bars
from tenants.law.kinds.grants import Category, Exclusion
from tenants.law.kinds.holders import admitted
from tenants.law.kinds.papers import PaperFact
from tenants.law.kinds.requirements import Equipment, Requirement, Restriction, VehicleSpec
from tenants.law.kinds.vehicle_age import VehicleAgeQuestion

SUBJECTS = ("holder", "candidate", "driver", "vehicle", "permit")


@dataclass(frozen=True, slots=True)
class EligibilityQuestion:
    """Does all that the law demands hold on this day?

    Args:
        holder: The kind of holder, a code of the pack's list.
        at: entry, renewal, transfer, swap, stay …, as the rules call it.
        of: Whose demands (holder, candidate, driver, vehicle, permit); by default all.
        endings: How earlier permits of the holder ended; None: not known.
        keys: More of what rules may apply to: title, role, area …
    """

    category: str
    holder: str
    at: str = "entry"
    papers: Sequence[PaperFact] = ()
    of: Sequence[str] = SUBJECTS
    endings: Sequence[PastEnding] | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@answer.register
def _(question: EligibilityQuestion, ev: Evaluation) -> Decision:
    parts = list(_parts(question, ev))
    return ev.together(parts, message=_summary(parts))


def _parts(question: EligibilityQuestion, ev: Evaluation) -> Iterator[Decision]:
    keys = {"category": question.category, "holder": question.holder, **question.keys}
    yield from _category(question.category, ev)
    if {"holder", "candidate"} & set(question.of):
        yield from admitted(ev, question.at, keys)
        for bar, own in ev.each_untested(Exclusion, **keys):
            yield bars(bar, own, question.endings)
    for requirement, own in ev.each(Requirement, lambda r: r.of in question.of and _asked(r.at, question.at), **keys):
        yield demanded(requirement, own, question.papers)
    if "vehicle" not in question.of:
        return
    for spec, own in ev.each(VehicleSpec, lambda r: _asked(r.at, question.at), **keys):
        yield demanded(spec, own, question.papers)
    for item, own in ev.each(Equipment, lambda r: _asked(r.at, question.at), **keys):
        yield demanded(item, own, question.papers)
    for limit, own in ev.each(Restriction, lambda r: _asked(r.at, question.at), **keys):
        yield restricted(limit, own, RestrictionQuestion(question.category))
    yield from answer(VehicleAgeQuestion(question.category, question.at, question.papers, keys), ev).parts


def _asked(moments: Sequence[str], at: str) -> bool:
    return at in moments or "always" in moments


def _category(code: str, ev: Evaluation) -> Iterator[Decision]:
    """The category, and those that it belongs to, exist that day and their conditions hold."""
    family = ev.law.family(code)
    found: set[str] = set()
    for rule, own in ev.each(Category, lambda r: r.code in family):
        found.add(rule.code if rule else code)
        title = rule.title or rule.code if rule else code
        yield own.close() if own.obstacle else own.decide(Outcome.ALLOWED, f"{title}: categoria prevista em lei.")
    if code not in found:
        yield ev.fresh().decide(Outcome.DENIED, f"A lei não prevê a categoria {code} em {ev.on:%d/%m/%Y}.")


def _summary(parts: Sequence[Decision]) -> str:
    for outcome, opening in (
        (Outcome.DENIED, "Não atende"),
        (Outcome.UNDETERMINED, "Não se pode decidir"),
        (Outcome.NEEDS_DECISION, "Depende de decisão"),
        (Outcome.UNPROVEN, "Falta provar"),
    ):
        found = [part.message.removeprefix(f"{opening}: ").rstrip(".") for part in parts if part.outcome is outcome]
        if found:
            return f"{opening}: {'; '.join(found)}."
    return "Atende a tudo o que a lei exige."
