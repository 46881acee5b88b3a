"""What is claimed becomes messages: those that still hold, in the words of the day, kept as they are sent."""

from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.notices import store, tasks
from services.notices.composing import html_of, mailbox, message, sender
from services.notices.subjects import store as subjects
from services.notices.tasks import NewTask
from services.notices.texts import About, Written, fields_of, written
from tenants.law.wording import Filled

if TYPE_CHECKING:
    from services.database import Reader, Transaction


async def prepared(tx: "Transaction", claimed: Sequence[Any], counts: Counter[str]) -> list[tuple[Any, EmailMessage]]:
    """The messages of those that still hold; what no longer does is dropped, what has no address is kept."""
    over = [notice.id for notice in claimed if not notice.holds]
    if over:
        await store.drop(tx, over, "no longer due")
        counts["dropped"] += len(over)
    held = await _known(tx, [notice for notice in claimed if notice.holds], counts)
    if not held:
        return []
    words = await worded(tx, held)
    mailed = await _addressed(tx, held, counts)
    origin = sender(tx.settings, await tx.law(on=tx.today), tx.town.name)
    return [(notice, message(notice, address, words[notice.id], origin)) for notice, address in mailed]


async def worded(tx: "Transaction", held: Sequence[Any]) -> dict[UUID, Filled]:
    """Their words, from now on as they are: those of an earlier attempt stay."""
    found = {each.id: Filled(each.subject, each.body, each.html) for each in held if each.subject is not None}
    new = await write(tx, [each for each in held if each.id not in found])
    if new:
        await store.keep_words(tx, [(id, each.words, html_of(each.words)) for id, each in new.items()])
        by_id = {each.id: each for each in held}
        wrong = {by_id[id].template: by_id[id] for id, each in new.items() if each.instead}
        await tasks.open_(tx, [NewTask("template", code, notice_id=each.id) for code, each in wrong.items()])
    return {**found, **{id: Filled(w.words.subject, w.words.body, html_of(w.words)) for id, w in new.items()}}


async def write(tx: "Reader", notices: Sequence[Any]) -> dict[UUID, Written]:
    """What they would say today; nothing is kept."""
    if not notices:
        return {}
    law = await tx.law(on=tx.today)
    about = About(tx.town.name, tx.town.zone, tx.today, law)
    known = await subjects.known(tx, notices)
    return {each.id: written(law, each.template, fields_of(each, about, known.get(each.id))) for each in notices}


async def _known(tx: "Transaction", held: Sequence[Any], counts: Counter[str]) -> list[Any]:
    """Those that are to somebody. Nobody at all is a task for the clerk, once for each subject."""
    nobody = [each for each in held if not (each.address or _inbox(each))]
    if nobody:
        await store.drop(tx, [each.id for each in nobody], "nobody")
        await tasks.open_(tx, await tasks.of_nobody(tx, nobody))
        counts["dropped"] += len(nobody)
    lost = {each.id for each in nobody}
    return [each for each in held if each.id not in lost]


async def _addressed(tx: "Transaction", held: Sequence[Any], counts: Counter[str]) -> list[tuple[Any, str]]:
    """Those that go by mail, and where. Others wait in their inbox: without an address, or with one that fails."""
    failing = await tasks.failing(tx, [each.address for each in held if each.address])
    boxes = {each.id: mailbox(each.address) for each in held if each.address}
    unusable = [each for each in held if each.address and boxes[each.id] is None]
    nowhere = [each for each in held if not each.address]
    kept = {each.id: "no address" for each in nowhere}
    kept |= {each.id: "address failing" for each in held if each.address and tasks.normal(each.address) in failing}
    kept |= {each.id: "address failing" for each in unusable}
    await tasks.open_(
        tx,
        [
            *(_asks(each) for each in nowhere if each.office is None),
            *(NewTask.of_address(each, "not an address") for each in unusable),
        ],
    )
    if kept:
        await store.keep(tx, kept)
        counts["kept"] += len(kept)
    return [(each, box) for each in held if each.id not in kept and (box := boxes.get(each.id)) is not None]


def _asks(notice: Any) -> NewTask:
    about = f"person:{notice.person_id}" if notice.person_id else f"company:{notice.company_id}"
    return NewTask("no_address", about, "", notice.id, notice.person_id, notice.company_id)


def _inbox(notice: Any) -> bool:
    return any((notice.person_id, notice.company_id, notice.office))
