"""A town's law enters and changes: onboarding, amendments, parameters, readings. Always a publication, by an act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from services import acts
from services.access import Actor
from services.acts.record import Act
from services.database import Database, NewTown, Town, Transaction
from services.errors import Conflict, Invalid
from services.municipalities import store
from services.municipalities.store import Head
from services.recomputing.running import ask
from services.registry.store import new_id
from tenants.law.book import Book
from tenants.law.kinds.basis import Choice, HolidayItem, Municipality, Parameter, Reading, Series, Supplied
from tenants.law.lint import lint
from tenants.law.loader import PackRefused, located, read
from tenants.law.pack import Problem, RawItem, typed
from tenants.law.rule import Item

ONBOARDED, AMENDED, SUPPLIED, CHOSEN = "onboarded", "amended", "supplied", "chosen"


@dataclass(frozen=True, slots=True)
class Checked:
    """A text that has been read: its items where it reads, and everything that is wrong or doubtful in it."""

    raws: tuple[RawItem, ...]
    items: tuple[Item, ...]
    problems: tuple[Problem, ...]

    @property
    def refused(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Enacted:
    """An act, and the publication that it made."""

    act: Act
    publication: Head


class PackInvalid(Invalid):
    """A law text that was refused, with line and column of every problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        errors = [problem for problem in problems if problem.severity == "error"]
        super().__init__("text", "law", f"O texto da lei tem {len(errors)} erro(s); o primeiro: {errors[0]}")
        self.problems = tuple(problems)


def check_text(text: str, *, base: Book | None = None) -> Checked:
    """Read and lint a pack, or an amendment to ``base``. Pure; nothing is published."""
    known = tuple(base.items()) if base else ()
    try:
        raws, items = read(text, base=known, norm=base.own_norms[0] if base else None)
    except PackRefused as refusal:
        return Checked((), (), refusal.problems)
    whole = base is not None or sum(isinstance(item, Municipality) for item in items) == 1
    missing = [] if whole else [Problem("error", "a pack has exactly one [municipality]", "add the table")]
    problems = missing + lint(items, raws, base=known)
    return Checked(tuple(raws), tuple(items), tuple(located(text, problems)))


async def onboard(database: Database, actor: Actor, *, text: str, fictitious: bool = False) -> Town:
    """Bring a new municipality, whole, from its law pack.

    Raises:
        Forbidden: Only the platform's operator onboards.
        PackInvalid: The pack is refused; nothing was written.
        Conflict: The town, or one of its hosts, is there already: a change is an amendment.
    """
    office = actor.must("onboard")
    checked = check_text(text)
    if checked.refused:
        raise PackInvalid(checked.problems)
    header = next(item for item in checked.items if isinstance(item, Municipality))
    _no_samples(checked.items, fictitious)
    async with database.directory() as directory:
        taken = await store.taken_hosts(directory, header.hosts)
    if taken:
        raise Conflict(message=f"Outro município já usa: {', '.join(taken)}.")
    new = NewTown(header.slug, header.name, header.uf, header.ibge, header.zone, tuple(header.hosts), fictitious)
    async with database.founding(new) as tx:
        act = await acts.record(
            tx,
            actor,
            "law.onboarded",
            on=("municipality", tx.tenant_id),
            office=office,
            changes={"items": len(checked.raws)},
        )
        await store.publish(
            tx, checked.raws, official_on=None, norm=_first_norm(checked.items), cause=ONBOARDED, act_id=act.id
        )
        return tx.town


async def amend(
    tx: Transaction, actor: Actor, *, text: str, norm: str, official_on: date, why: str | None = None
) -> Head:
    """Publish what an act changes in the law: only the changed items, in the form of a pack.

    A holiday moves the terms that run: a worker counts them again, each by an act of its own.

    Args:
        official_on: The official publication day; of two versions of one rule for a day, the later one counts.

    Raises:
        PackInvalid: The change, or the law that results from it, is refused.
    """
    office = actor.must("publish")
    _has_come(tx, official_on)
    checked = await checked_amendment(tx, text)
    if checked.refused:
        raise PackInvalid(checked.problems)
    _no_samples(checked.items, tx.town.fictitious)
    made = await _publish(tx, actor, office, checked.raws, official_on=official_on, norm=norm, cause=AMENDED, why=why)
    if any(raw.kind == HolidayItem.kind for raw in checked.raws):
        await ask(tx, actor, made.act, made.publication.id, office=office)
    return made.publication


async def enact(
    tx: Transaction,
    actor: Actor,
    office: str,
    raws: Sequence[RawItem],
    *,
    verb: str,
    norm: str,
    official_on: date,
    changes: Mapping[str, Any] | None = None,
    **stated: Any,
) -> Enacted:
    """Publish what an act of the service itself makes law: a stand, a table of tariffs. The competence was proved.

    Args:
        verb: Of the act to which the publication belongs.
        changes: What the act says beside the norm and the items; ``stated``: decision, result (the publication where
            it is not said), why, as for any act.

    Raises:
        PackInvalid: The law that results is refused.
    """
    _has_come(tx, official_on)
    known = tuple((await tx.law(on=tx.today)).book.items())
    found, problems = typed(list(raws), base=known)
    if not problems:
        problems = [p for p in lint([item for _, item in found], raws, base=known) if p.severity == "error"]
    if problems:
        raise PackInvalid(problems)
    said = {"norm": norm, "officialOn": official_on.isoformat(), "items": [f"{r.kind} {r.code}" for r in raws]}
    id = await new_id(tx)
    act = await acts.record(
        tx,
        actor,
        verb,
        on=("municipality", tx.tenant_id),
        office=office,
        legal_day=official_on,
        changes={**said, **(changes or {})},
        **{"result": {"id": str(id)}, **stated},
    )
    head = await store.publish(tx, raws, official_on=official_on, norm=norm, cause=AMENDED, act_id=act.id, id=id)
    return Enacted(act, head)


def _has_come(tx: Transaction, official_on: date) -> None:
    if official_on > tx.today:
        raise Invalid("officialOn", "future", "O dia da publicação oficial ainda não chegou.")


async def checked_amendment(tx: Transaction, text: str) -> Checked:
    law = await tx.law(on=tx.today)
    return check_text(text, base=law.book)


async def supply_parameter(
    tx: Transaction,
    actor: Actor,
    *,
    code: str,
    value: str,
    source: str,
    since: date | None = None,
    until: date | None = None,
    official_on: date | None = None,
    sample: bool = False,
) -> Head:
    """Supply what only the town can say (a day, a value, an office), or a point of a series, with its source.

    Args:
        value: In the form of a law pack ("1.0641", "15 days", "2009-12-28").
        since: For a series, the day of the point.
    """
    office = actor.must("publish")
    law = await tx.law(on=tx.today)
    _declared(law.book, code)
    payload = _dated({"code": code, "value": value, "source": source, "sample": sample}, since, until)
    raws, items = _one(law.book, Supplied.kind, code, payload)
    _no_samples(items, tx.town.fictitious)
    official = official_on or tx.today
    made = await _publish(tx, actor, office, raws, official_on=official, norm=source, cause=SUPPLIED)
    return made.publication


async def choose_reading(
    tx: Transaction,
    actor: Actor,
    *,
    code: str,
    option: str,
    why: str,
    since: date | None = None,
    official_on: date | None = None,
) -> Head:
    """Choose how an ambiguous text is read from a day on, and on what basis."""
    office = actor.must("publish")
    law = await tx.law(on=tx.today)
    reading = next((item for item in law.book.items() if isinstance(item, Reading) and item.code == code), None)
    if reading is None:
        raise Invalid("code", "unknown_code", f"A lei do município não tem a leitura {code}.")
    if option not in reading.options:
        raise Invalid("option", "unknown_code", f"As opções são: {', '.join(reading.options)}.")
    payload = _dated({"code": code, "option": option, "by": actor.subject, "why": why}, since, None)
    raws, _ = _one(law.book, Choice.kind, code, payload)
    made = await _publish(tx, actor, office, raws, official_on=official_on or tx.today, norm=why, cause=CHOSEN)
    return made.publication


async def _publish(
    tx: Transaction,
    actor: Actor,
    office: str,
    raws: Sequence[RawItem],
    *,
    official_on: date,
    norm: str,
    cause: str,
    why: str | None = None,
) -> Enacted:
    changes = {"norm": norm, "officialOn": official_on.isoformat(), "items": [f"{r.kind} {r.code}" for r in raws]}
    publication_id = await new_id(tx)
    act = await acts.record(
        tx,
        actor,
        f"law.{cause}",
        on=("municipality", tx.tenant_id),
        office=office,
        legal_day=official_on,
        changes=changes,
        why=why,
        result={"id": str(publication_id)},
    )
    head = await store.publish(
        tx, raws, official_on=official_on, norm=norm, cause=cause, act_id=act.id, id=publication_id
    )
    return Enacted(act, head)


def _declared(book: Book, code: str) -> None:
    if not any(isinstance(item, (Parameter, Series)) and item.code == code for item in book.items()):
        raise Invalid("code", "unknown_code", f"A lei do município não pergunta {code}.")


def _dated(payload: dict[str, Any], since: date | None, until: date | None) -> dict[str, Any]:
    days = {"from": since.isoformat() if since else None, "until": until.isoformat() if until else None}
    return {**payload, **{key: day for key, day in days.items() if day}}


def _one(book: Book, kind: str, code: str, payload: dict[str, Any]) -> tuple[tuple[RawItem, ...], tuple[Item, ...]]:
    found, problems = typed([RawItem(kind, code, payload)], base=tuple(book.items()))
    if problems:
        raise PackInvalid(problems)
    return tuple(raw for raw, _ in found), tuple(item for _, item in found)


def _no_samples(items: Sequence[Item], fictitious: bool) -> None:
    """A sample value is never law: it is refused outside a fictitious register."""
    sampled = sorted(item.code for item in items if getattr(item, "sample", False))
    if sampled and not fictitious:
        raise Invalid("sample", "sample", f"Valor de exemplo só se admite em registro fictício: {', '.join(sampled)}.")


def _first_norm(items: Sequence[Item]) -> str:
    return next((item.code for item in items if item.kind == "norm"), "")
