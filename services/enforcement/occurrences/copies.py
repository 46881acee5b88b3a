"""The copy of a record (cópia do auto): what the person is told, and the text that is handed over."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from sqlalchemy import Row

from services.database import Reader, Transaction
from services.enforcement.drawing import Offender
from services.enforcement.occurrences import store
from services.notices import NewNotice, queue
from tenants.law.decision import Decision
from tenants.law.kinds.effects import TITLES
from tenants.law.kinds.infractions import Infraction

TEMPLATE = "occurrence_recorded"
FORM = Path(__file__).parent / "copy.txt"
sandbox = SandboxedEnvironment(autoescape=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


async def queue_copy(
    tx: Transaction, id: UUID, number: str, offender: Offender, decision: Decision, *, given: bool
) -> None:
    """Holder and driver are told, each once, without a word about the other.

    ``given``: the copy was handed over. Else the record is of a name or a plate alone, and somebody must be found.
    """
    told = {"title": number, "article": "; ".join(str(citation) for citation in decision.citations)}
    subjects = {"permit": offender.permit_id, "driver": offender.driver_id}
    if offender.permit_id and await store.is_driver_the_holder(tx, offender.driver_id, offender.holder_id):
        del subjects["driver"]
    if not given and not any(subjects.values()):
        subjects = {"occurrence": id}
    await queue(
        tx,
        [
            NewNotice(
                key=f"occurrence:{id}:{kind}", template=TEMPLATE, subject_kind=kind, subject_id=subject, payload=told
            )
            for kind, subject in subjects.items()
            if subject is not None
        ],
    )


async def copy_of(tx: Reader, row: Row[Any], penalties: Sequence[Row[Any]]) -> str:
    """The text of the copy, in Portuguese, as the record stands now."""
    law = await tx.law(on=row.seen_on)
    titles = [(code, rule.title if (rule := law.get(Infraction, code)) else "") for code in row.infractions]
    seen_at = row.seen_at.astimezone(ZoneInfo(tx.town.zone))
    form = sandbox.from_string(FORM.read_text(encoding="utf-8"))
    return form.render(town=tx.town, it=row, seen_at=seen_at, titles=titles, penalties=penalties, words=TITLES)
