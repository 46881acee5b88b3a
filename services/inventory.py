"""Who in the code carries out what: how each kind of rule opens its deadlines, and what follows a last day."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from services import terms
from services.campaigns.opening import open_campaign
from services.deadlines.consequences import CONSEQUENCES, FOLLOWING
from services.fleet.running import run_inspection, run_stay
from services.permits.substitutes.admitting import admit_substitute
from services.proceedings.progress import run as run_step
from services.registry.validity import run as run_paper
from services.selection.awarding import new_step
from services.selection.calling import open_call
from tenants.law.deadline_kinds import DeadlineKind
from tenants.law.kinds.grants import Instrument, Selection
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.requirements import Campaign, Inspection, Requirement, VehicleAge
from tenants.law.kinds.terms import Term
from tenants.law.kinds.transfers import Substitute

Function = Callable[..., Any]

# What opens the deadlines of a kind of rule.
OPENERS: dict[str, Function] = {
    Term.kind: terms.open_started,
    Process.kind: run_step,
    Instrument.kind: new_step,
    Selection.kind: open_call,
    Inspection.kind: run_inspection,
    VehicleAge.kind: run_stay,
    Requirement.kind: run_paper,
    Campaign.kind: open_campaign,
    Substitute.kind: admit_substitute,
}


def executors() -> dict[str, Function]:
    """Of every word of what follows, the function that carries it out."""
    import_module(FOLLOWING)
    return dict(CONSEQUENCES)


def named(function: Function) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def lacking(kinds: Iterable[DeadlineKind], carry_out: Iterable[str] | None = None) -> Iterator[str]:
    """What a law's deadlines lack: an opener, anything that meets or ends them, hands for what follows."""
    known = set(executors()) if carry_out is None else set(carry_out)
    for each in kinds:
        called = f"{each.rule_kind} {each.rule!r}, deadline {each.kind!r}"
        if not each.opens or each.rule_kind not in OPENERS:
            yield f"{called}: nothing opens it"
        if not each.meets and not each.ends:
            yield f"{called}: nothing meets it, and its last day ends nothing"
        yield from (f"{called}: nothing carries out {f.do!r}" for f in each.follows if f.do not in known)
