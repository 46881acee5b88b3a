"""Papers (documentos) as filed: whether one counts on a day, and until when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from tenants.law.decision import Missing
from tenants.law.evaluation import Evaluation
from tenants.law.law import Law
from tenants.law.values import Value

REQUEST = "request"  # a request in writing, which is no paper of the pack's list


@dataclass(frozen=True, slots=True)
class PaperFact:
    """A paper that was filed. ``of``: whose it is; ``valid_until``: the last day written on it, if any."""

    code: str
    of: str
    issued_on: date | None = None
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class Filed:
    """What the papers of one code come to. ``counts`` None: not filed, or its day is not known (and that is noted)."""

    counts: bool | None
    until: date | None = None
    why: str = ""


def paper_title(law: Law, code: str) -> str:
    """As the pack's list calls it."""
    return law.list("paper").get(code, "requerimento por escrito" if code == REQUEST else code)


def lacks_paper(ev: Evaluation, code: str, title: str | None = None) -> None:
    ev.lacks(Missing("fact", f"paper.{code}", title or paper_title(ev.law, code)))


def filed(
    ev: Evaluation,
    papers: Iterable[PaperFact],
    code: str,
    *,
    age_under: Value | None = None,
    valid_for: Value | None = None,
    counting: str | None = None,
) -> Filed:
    """Does one of the papers count on the day of the case? The one that lasts longest answers.

    Args:
        age_under: The age that it must not have reached.
        valid_for: Its validity from the day of issue; the earlier of this and its own last day counts.
    """
    there = [paper for paper in papers if paper.code == code and (paper.issued_on or date.min) <= ev.on]
    found = [_one(ev, paper, age_under, valid_for, counting) for paper in there]
    for counts in (True, False):
        alike = [each for each in found if each.counts is counts]
        if alike and (counts or len(alike) == len(found)):
            return max(alike, key=lambda each: each.until or date.max)
    if not there:
        lacks_paper(ev, code)
    return Filed(None)


def _one(
    ev: Evaluation, paper: PaperFact, age_under: Value | None, valid_for: Value | None, counting: str | None
) -> Filed:
    until = paper.valid_until
    if paper.issued_on is None and (age_under or valid_for):
        ask = f"Em que dia foi expedido: {paper_title(ev.law, paper.code)}?"
        ev.lacks(Missing("fact", f"paper.{paper.code}.issued_on", ask))
        return Filed(None, until)
    if valid_for:
        end = ev.plus(paper.issued_on, valid_for, counting)
        if not isinstance(end, date):
            return Filed(None, until)
        until = min(until or date.max, end)
    if until is not None and until < ev.on:
        return Filed(False, until, f"venceu em {until:%d/%m/%Y}")
    if age_under:
        old = ev.plus(paper.issued_on, age_under, counting)
        if not isinstance(old, date):
            return Filed(None, until)
        if old <= ev.on:
            return Filed(False, until, f"expedido em {paper.issued_on:%d/%m/%Y}, está velho desde {old:%d/%m/%Y}")
    return Filed(True, until)
