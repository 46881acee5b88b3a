"""Terms that somebody is to keep: something meets them, and somebody sees that the authority has let one pass."""

from collections.abc import Iterator

from tenants.law.kinds.grants import Instrument
from tenants.law.kinds.proceedings import Process
from tenants.law.kinds.terms import Term
from tenants.law.lint.subject import Subject, called, warning
from tenants.law.pack import Problem

HINT = 'name the office that the matter comes before, as in escalates = { to = "prefeito" }'


MET = 'name the event that meets it, as in met_by = ["paid"]'


def unmet(subject: Subject) -> Iterator[Problem]:
    """Lateness that nothing prevents; a validity ends by itself, and so does a time for something."""
    for term, path in subject.own(Term):
        if (term.late or term.binds == "authority") and not term.validity and not term.met_by:
            yield warning(f"{called(term)} draws consequences, and nothing that happens meets it", MET, path)


def unseen(subject: Subject) -> Iterator[Problem]:
    for term, path in subject.own(Term):
        if term.binds == "authority" and not term.escalates:
            yield warning(f"{called(term)} binds the authority, and nobody sees that it is over", HINT, path)
    for process, path in subject.own(Process):
        for at, step in enumerate(process.step):
            if step.actor != "party" and step.term is not None and not step.escalates:
                said = f"{called(process)}: nobody sees that the term of {step.code!r} is over"
                yield warning(said, HINT, (*path, "step", at))
    for instrument, path in subject.own(Instrument):
        for at, way in enumerate(instrument.steps):
            if way.actor != "party" and way.term is not None and not way.escalates:
                said = f"{called(instrument)}: nobody sees that the term of {way.code!r} is over"
                yield warning(said, HINT, (*path, "steps", at))
