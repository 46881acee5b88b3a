"""Codes that name something: is it there, and is everything that is there named?"""

from collections.abc import Iterator, Mapping
from typing import Any

from tenants.law.cel import Condition
from tenants.law.facts import LISTS
from tenants.law.kinds.basis import Choice, NoticeItem, Reading, Supplied, Unit
from tenants.law.kinds.grants import Instrument
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.requirements import Inspection
from tenants.law.kinds.terms import Late, Term
from tenants.law.lint.names import KINDS_NAMED, LISTS_NAMED, RIDES_ON
from tenants.law.lint.subject import Found, Subject, called, error, near, warning
from tenants.law.money import REAL
from tenants.law.pack import Path, Problem
from tenants.law.quantity import Amount
from tenants.law.rule import OfficeRef, Rule
from tenants.law.values import ByReading, ParamValue, RuleValue, SeriesValue, Word


def codes(subject: Subject) -> Iterator[Problem]:
    """Every code that a field names: of another item, of a code list, of a unit, of another rule's value."""
    units = frozenset(name for unit in subject.of_kind(Unit) for name in (unit.code, *unit.alias)) | {REAL}
    for found in subject.found:
        match found.value:
            case Amount(unit=unit) if unit not in units:
                yield _unknown("unit", unit, units, found.path)
            case RuleValue(rule=code, kind=kind) if code not in subject.codes.get(kind, ()):
                yield _unknown(kind, code, subject.codes.get(kind, frozenset()), (*found.path, "rule"))
            case SeriesValue(series=code) if code not in subject.codes.get("series", ()):
                yield _unknown("series", code, subject.codes.get("series", frozenset()), (*found.path, "series"))
            case str() as code if code:
                yield from _named(subject, found, code)
    yield from _keys(subject)
    yield from _supplied(subject)
    yield from _notices(subject)


def _named(subject: Subject, found: Found, code: str) -> Iterator[Problem]:
    for cls, name, kinds in KINDS_NAMED:
        if name == found.name and isinstance(found.owner, cls):
            known = frozenset(each for kind in kinds for each in subject.codes.get(kind, ()))
            if code not in known:
                yield _unknown(" or ".join(kinds), code, known, found.path)
    for cls, name, lists in LISTS_NAMED:
        if name == found.name and isinstance(found.owner, cls):
            yield from _listed(subject, lists, code, found.path)


def _listed(subject: Subject, lists: tuple[str, ...], code: str, path: Path) -> Iterator[Problem]:
    known = frozenset(each for name in lists for each in subject.lists.get(name, LISTS.get(name, ())))
    if code not in known:
        table = " or ".join(lists)
        yield error(f"{code!r} is no code of the list {table!r}", f"add it to [list]; {near(code, known)}", path)


def _keys(subject: Subject) -> Iterator[Problem]:
    """The codes in ``applies``: of items where a kind has the key's name, else of the list of that name."""
    for rule, path in subject.own(Rule):
        for key, values in rule.applies.items():
            known = subject.codes.get(key) or subject.lists.get(key)
            if known is None:
                hint = f"declare the list {key!r} in [list], or correct the key"
                yield error(f"{called(rule)} applies by {key!r}, of which there is no list", hint, (*path, "applies"))
                continue
            for value in values:
                if value not in known:
                    yield _unknown(key, value, frozenset(known), (*path, "applies", key))


def _supplied(subject: Subject) -> Iterator[Problem]:
    known = subject.codes.get("parameter", frozenset()) | subject.codes.get("series", frozenset())
    for item, path in subject.own(Supplied):
        if item.code not in known:
            yield _unknown("parameter or series", item.code, known, (*path, "code"))


def _notices(subject: Subject) -> Iterator[Problem]:
    """A reminder rides on what opens a deadline."""
    steps = {step.code for process in subject.of_kind(Process) for step in process.step}
    steps |= {step.code for instrument in subject.of_kind(Instrument) for step in instrument.steps}
    known = frozenset(steps.union(*(subject.codes.get(kind, frozenset()) for kind in RIDES_ON)))
    for notice, path in subject.own(NoticeItem):
        if notice.on not in known:
            yield _unknown("term", notice.on, known, (*path, "on"))
        if notice.template not in subject.codes.get("template", ()):
            hint = "write it in [[template]]; until then the house's usual words are sent"
            yield warning(f"{called(notice)} has no template {notice.template!r}", hint, (*path, "template"))


# --- readings and parameters ---------------------------------------------------------------------------------------


def readings(subject: Subject) -> Iterator[Problem]:
    """Readings and parameters that are named but not declared; options that are missing, unknown or not chosen."""
    declared = {item.code: item for item in subject.of_kind(Reading)}
    chosen = {item.code for item in subject.of_kind(Choice)}
    parameters = subject.codes.get("parameter", frozenset())
    for item, path in subject.own(Reading):
        yield from _default(item, path, chosen)
    for choice, path in subject.own(Choice):
        if choice.code not in declared:
            yield _unknown("reading", choice.code, frozenset(declared), (*path, "code"))
        elif choice.option not in declared[choice.code].options:
            yield _unknown("option", choice.option, frozenset(declared[choice.code].options), (*path, "option"))
    for found in subject.found:
        match found.value:
            case Word(reading=str() as code, options=options) | ByReading(reading=code, options=options):
                yield from _options(declared, code, options, found.path)
            case ParamValue(param=code) if code not in parameters:
                yield _unknown("parameter", code, parameters, (*found.path, "param"))
            case str() as code if found.name == "reads" and code not in declared:
                yield _unknown("reading", code, frozenset(declared), found.path)
            case {"param": str() as code} if code not in parameters:  # the status of a norm
                yield _unknown("parameter", code, parameters, found.path)


def _default(item: Reading, path: Path, chosen: set[str]) -> Iterator[Problem]:
    if item.default is not None and item.default not in item.options:
        yield _unknown("option", item.default, frozenset(item.options), (*path, "default"))
    if item.default is None and item.code not in chosen:
        hint = "write a default, or choose by an act; until then whatever draws on it is UNDETERMINED"
        yield warning(f"{called(item)} has no option chosen", hint, path)


def _options(declared: Mapping[str, Reading], code: str, options: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    reading = declared.get(code)
    if reading is None:
        yield _unknown("reading", code, frozenset(declared), (*path, "reading"))
        return
    for option in options.keys() - reading.options.keys():
        yield _unknown(f"option of {code!r}", option, frozenset(reading.options), path)
    for option in sorted(reading.options.keys() - options.keys()):
        yield error(f"the option {option!r} of the reading {code!r} has no value here", f"write {option} = …", path)


# --- offices -------------------------------------------------------------------------------------------------------


def offices(subject: Subject) -> Iterator[Problem]:
    """What an office must do, and none is named."""
    infractions = {item.code: item for item in subject.of_kind(Infraction)}
    for found in subject.found:
        match found.value:
            case OfficeRef(office=None, param=None):
                yield error("an office is to be named here", 'write its code, or { param = "…" }', found.path)
            case OfficeRef(param=str() as code) if code not in subject.codes.get("parameter", ()):
                yield _unknown("parameter", code, subject.codes.get("parameter", frozenset()), found.path)
            case Late(opens=str() as code, decides=None) if code in infractions and not infractions[code].by:
                hint = "write `decides` here, or `by` at the infraction"
                yield error(f"nobody decides the process that may be opened for {code}", hint, found.path)
    for process, path in subject.own(Process):
        for at, step in enumerate(process.step):
            if step.actor == "authority" and step.to is None and process.judge is None:
                hint = 'write `to` at the step, or `judge` at the process; where the law is silent, { param = "…" }'
                yield error(f"the step {step.code!r} names no office that acts", hint, (*path, "step", at))
    for term, path in subject.own(Term):
        if term.late and term.binds == "authority" and not any(late.decides or late.infraction for late in term.late):
            hint = "write `decides` at the step of lateness"
            yield error(f"{called(term)} binds an office that nothing names", hint, path)


# --- what nothing names --------------------------------------------------------------------------------------------

# Kinds that do nothing by themselves, and what would have to name them.
_IDLE = {
    "parameter": "no rule draws on it: name it in a value, an office or a condition (param.…), or leave it out",
    "reading": "no rule draws on it: name it in a value, a condition (reading.…) or `reads`, or leave it out",
    "counting": "no rule counts by it: name it in `counting`, or leave it out",
    "measure": "no ladder and no points use it: name it in `measure`, or leave it out",
    "template": "no reminder sends it; it counts only if it replaces one of the house's texts",
    "series": "no value draws on it: name it in { series = … }, or leave it out",
}


_PAPER = "ask for what it is proven by: a [[requirement]] of the driver with `paper` and `valid_for` has its own term"


def unused(subject: Subject) -> Iterator[Problem]:
    """Items that nothing executes."""
    used = set(_uses(subject))
    for item, raw in zip(subject.items, subject.raws, strict=True):
        if item.kind in _IDLE and (item.kind, item.code) not in used:
            yield warning(f"{called(item)} is used by nothing", _IDLE[item.kind], raw.path)
        if isinstance(item, Inspection) and item.of == "driver":
            yield warning(
                f"{called(item)} is of a driver: it is told when it is due, but not recorded", _PAPER, raw.path
            )


def _uses(subject: Subject) -> Iterator[tuple[str, str]]:
    for found in subject.everything:
        match found.value:
            case Word(reading=str() as code) | ByReading(reading=code):
                yield "reading", code
            case ParamValue(param=code) | OfficeRef(param=str() as code) | {"param": str() as code}:
                yield "parameter", code
            case SeriesValue(series=code):
                yield "series", code
            case Condition() as condition:
                for fact in condition.facts:
                    owner, _, rest = fact.partition(".")
                    yield {"param": "parameter", "town": "series"}.get(owner, owner), rest
            case str() as code:
                kind = {"reads": "reading"}.get(found.name, found.name)
                yield kind, code


def _unknown(kind: str, code: str, known: frozenset[str], path: Path) -> Problem:
    return error(f"there is no {kind} {code!r}", near(code, known), path)
