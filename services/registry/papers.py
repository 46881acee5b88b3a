"""Papers of holders, drivers and vehicles enter the register, one or many at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from services import acts, deadlines
from services.access import Actor
from services.acts import Act, Entry
from services.database import Transaction
from services.errors import Invalid, NotFound
from services.registry import store, validity
from services.registry.tables import Paper
from tenants.law.kinds.papers import REQUEST
from tenants.law.law import Law

FILED = "paper.filed"
PAPER_SUBJECTS = ("holder", "driver", "vehicle")  # whose papers are filed


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A paper to file; what it is, is a code of the town's own list."""

    subject_id: UUID
    code: str
    issued_on: date | None = None
    valid_until: date | None = None
    number: str | None = None


async def file_paper(
    tx: Transaction,
    actor: Actor,
    *,
    subject_id: UUID,
    code: str,
    issued_on: date | None = None,
    valid_until: date | None = None,
    number: str | None = None,
) -> Paper:
    """File a paper (documento) of a holder, driver or vehicle.

    Raises:
        Invalid: The law knows no such paper, or its days are out of order.
        NotFound: There is no such holder, driver or vehicle.
    """
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    await _settle(tx, [subject_id])
    (paper,) = await _rows(tx, law, [NewPaper(subject_id, code, issued_on, valid_until, number)])
    act = await acts.record(tx, actor, FILED, on=("paper", paper.id), office=office, changes=_changes(paper))
    await validity.run(tx, act, law, paper)
    return paper


async def file_papers(tx: Transaction, actor: Actor, *, papers: Sequence[NewPaper]) -> list[Paper]:
    """File many, of whatever subjects, in as many statements as one. Raises as for one."""
    office = actor.must("register")
    law = await tx.law(on=tx.today)
    await _settle(tx, [paper.subject_id for paper in papers])
    rows = await _rows(tx, law, papers)
    entries = [Entry(row.id, tx.today, "paper", changes=_changes(row)) for row in rows]
    made = await acts.record_each(tx, actor, FILED, entries, office=office)
    for row in rows:
        await validity.run(tx, Act(made[row.id], FILED, tx.now, tx.today, "paper", row.id), law, row)
    return rows


async def _settle(tx: Transaction, ids: Sequence[UUID]) -> None:
    """What is over of whose papers they are, before another paper takes its place."""
    kinds = await store.kinds_of(tx, set(ids))
    await deadlines.settle(tx, tx.today, [(kind, id) for id, kind in kinds.items()])


async def _rows(tx: Transaction, law: Law, papers: Sequence[NewPaper]) -> list[Paper]:
    """Check and write them."""
    for paper in papers:
        _check(law, tx.today, paper)
    kinds = await store.kinds_of(tx, {paper.subject_id for paper in papers})
    unknown = [paper.subject_id for paper in papers if paper.subject_id not in kinds]
    if unknown:
        raise NotFound("", unknown[0])
    rows = [
        Paper(
            tenant_id=tx.tenant_id,
            id=id,
            subject_kind=kinds[paper.subject_id],
            subject_id=paper.subject_id,
            code=paper.code,
            number=paper.number,
            issued_on=paper.issued_on,
            valid_until=paper.valid_until,
        )
        for id, paper in zip(await store.new_ids(tx, len(papers)), papers, strict=True)
    ]
    await store.add_all(tx, rows)
    return rows


def _check(law: Law, today: date, paper: NewPaper) -> None:
    known = law.list("paper")
    if paper.code not in known and paper.code != REQUEST:
        raise Invalid("code", "unknown_code", f"A lei do município conhece: {', '.join(known)}.")
    if paper.issued_on and paper.issued_on > today:
        raise Invalid("issuedOn", "future", "O documento tem data de emissão futura.")
    if paper.issued_on and paper.valid_until and paper.valid_until < paper.issued_on:
        raise Invalid("validUntil", "order", "O documento vence antes de ser emitido.")


def _changes(paper: Paper) -> dict[str, str]:
    return {"paper": paper.code, "of": f"{paper.subject_kind} {paper.subject_id}"}
