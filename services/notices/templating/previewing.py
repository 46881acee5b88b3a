"""Words seen with a real record of the town before they are saved. Nothing is written."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from jinja2 import TemplateError

from services.notices.composing import html_of
from services.notices.subjects import store as subjects
from services.notices.templating import store
from services.notices.templating.checking import HINT, problems
from services.notices.texts import About, fields_of
from tenants.law.pack import Problem
from tenants.law.wording import Filled, Words, fill

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Reader


@dataclass(frozen=True, slots=True)
class Preview:
    """The words as they would be sent; none where something is wrong with them."""

    filled: Filled | None
    problems: tuple[Problem, ...] = ()


async def preview_template(tx: "Reader", actor: "Actor", *, words: Words, kind: str, id: UUID) -> Preview:
    """Fill words with what the register, the decision and the law say of a record.

    Args:
        kind: Of the record: a subject of notices, a deadline, or a notice that was written.

    Raises:
        Forbidden: The actor may not publish law.
        NotFound: The town has no such record.
    """
    actor.must("publish")
    of_kind, of_id, deadline_id = await store.subject_of(tx, kind, id)
    wrong = problems(words)
    if wrong:
        return Preview(None, tuple(wrong))
    notice = await store.as_notice(tx, of_kind, of_id, deadline_id)
    known = await subjects.known(tx, [notice])
    about = About(tx.town.name, tx.town.zone, tx.today, await tx.law(on=tx.today))
    try:
        made = fill(words, fields_of(notice, about, known.get(notice.id)))
    except TemplateError as error:
        return Preview(None, (Problem("error", f"O modelo não pode ser preenchido: {error}.", HINT, ("body",)),))
    return Preview(Filled(made.subject, made.body, html_of(made)))
