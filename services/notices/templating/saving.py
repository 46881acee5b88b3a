"""Saving a template: a publication like any other, by the office that publishes."""

from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.municipalities.publishing import PackInvalid, enact
from services.notices.templating.checking import problems
from tenants.law.kinds.basis import Template
from tenants.law.pack import RawItem
from tenants.law.wording import Words

if TYPE_CHECKING:
    from services.access import Actor
    from services.database import Transaction

SAVED = "law.template_saved"


async def save_template(
    tx: "Transaction",
    actor: "Actor",
    *,
    code: str,
    subject: str,
    body: str,
    why: str,
    html: str | None = None,
    official_on: date | None = None,
) -> UUID:
    """Publish a template's words, in place of those before; answers the publication's id.

    Args:
        code: By which the law's reminders name it.
        why: The act that says so, as people cite it, or the reason.

    Raises:
        Forbidden: The actor may not publish law.
        PackInvalid: The words reach beyond their fields, or cannot be filled.
    """
    office = actor.must("publish")
    wrong = problems(Words(subject, body, html))
    if wrong:
        raise PackInvalid(wrong)
    payload: dict[str, Any] = {"code": code, "subject": subject, "body": body}
    raw = RawItem(Template.kind, code, payload if html is None else {**payload, "html": html})
    made = await enact(
        tx,
        actor,
        office,
        [raw],
        verb=SAVED,
        norm=why,
        official_on=official_on or tx.today,
        changes={"template": code},
        why=why,
    )
    return made.publication.id
