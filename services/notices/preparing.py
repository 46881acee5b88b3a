"""What is claimed becomes messages: those that still hold, in the words of the day, kept as they are sent."""

from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

import structlog
from jinja2 import TemplateError

from services.notices import store
from services.notices.texts import fields_of, message, words_of
from tenants.law.kinds.terms import Term

if TYPE_CHECKING:
    from services.database import Transaction

log = structlog.get_logger(__name__)


async def prepared(tx: "Transaction", claimed: Sequence[Any], counts: Counter[str]) -> list[tuple[Any, EmailMessage]]:
    """The messages of those that still hold; what no longer does is dropped, what has no address is kept."""
    over = [notice.id for notice in claimed if not notice.holds]
    if over:
        await store.drop(tx, over, "no longer due")
        counts["dropped"] += len(over)
    held = await _addressed(tx, [notice for notice in claimed if notice.holds], counts)
    if not held:
        return []
    numbers = await store.numbers(tx, [(notice.subject_kind, notice.subject_id) for notice in held])
    law = await tx.law(on=tx.today)
    made: list[tuple[Any, EmailMessage]] = []
    for notice in held:
        rule = law.find(Term.kind, notice.rule) if notice.rule else None
        title = rule.item.title if rule else ""
        fields = fields_of(notice, tx.town, numbers.get(notice.subject_id, ""), title, tx.today)
        try:
            words = words_of(law, notice.template)
            made.append((notice, message(words, notice, fields, tx.settings.mail_from, tx.town)))
        except TemplateError as error:
            log.warning("template.unfilled", code=notice.template, tenant=str(tx.tenant_id), exc_info=error)
            await store.record_failure(tx, notice.id, "refused", f"template {notice.template}", None)
            counts["refused"] += 1
    return made


async def _addressed(tx: "Transaction", held: Sequence[Any], counts: Counter[str]) -> list[Any]:
    """Those that go by mail. Who has an inbox and no address finds it there; nobody at all is a dropped one."""
    nobody = [each.id for each in held if each.address is None and not _inbox(each)]
    kept = [each.id for each in held if each.address is None and _inbox(each)]
    if nobody:
        await store.drop(tx, nobody, "nobody")
        counts["dropped"] += len(nobody)
    if kept:
        await store.keep(tx, kept, "no address")
        counts["kept"] += len(kept)
    return [each for each in held if each.address is not None]


def _inbox(notice: Any) -> bool:
    return any((notice.person_id, notice.company_id, notice.office))
