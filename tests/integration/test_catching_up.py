"""An instance that was down for days comes to what it would have come to: each end on its own day, nothing twice.

Random registers, two alike in two towns: the nights of one come day by day, those of the other in one.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from random import Random
from typing import Any
from uuid import UUID

import pytest

from services import acts
from services.clock import FixedClock
from services.database import Database, Transaction
from services.dead_letters import again
from services.notices import relay
from tests.integration.test_relay import Box
from tests.support.register import CLERK, found, make_deadline, make_licence, make_permit

DAY = timedelta(days=1)
FIRST, LAST = date(2026, 3, 4), date(2026, 3, 12)
UP_AGAIN = date(2026, 3, 10)
SILENT = "sem_aviso"  # nobody is reminded ahead of it: reminders that were missed are not sent in arrear
SEEDS = range(8)
ROWS = """
SELECT concat_ws(' ', 'deadline', s.label, d.kind, d.rule, d.opened_on, d.last_day, d.state, d.closed_on,
                 c.verb, c.legal_day) AS said
FROM deadline AS d JOIN subject AS s ON s.id = d.subject_id LEFT JOIN act AS c ON c.id = d.closed_act
UNION ALL
SELECT concat_ws(' ', 'act', a.verb, a.actor, a.legal_day, coalesce(s.label, o.label), d.rule, d.last_day)
FROM act AS a LEFT JOIN subject AS s ON s.id = a.subject_id
LEFT JOIN deadline AS d ON d.id = a.subject_id LEFT JOIN subject AS o ON o.id = d.subject_id
WHERE a.actor = 'system'
UNION ALL
SELECT concat_ws(' ', 'notice', n.template, s.label, d.rule, d.last_day)
FROM notice AS n JOIN subject AS s ON s.id = n.subject_id JOIN deadline AS d ON d.id = n.deadline_id
UNION ALL
SELECT concat_ws(' ', 'permit', p.number, p.during, p.ended_on, p.ended_cause) FROM permit AS p
ORDER BY 1
"""
LABELS = """
WITH subject AS (
    SELECT id, number AS label FROM permit UNION ALL SELECT id, number FROM licence
)
"""


@dataclass(frozen=True, slots=True)
class Term:
    of_licence: bool
    last_day: date
    follows: list[dict[str, Any]]


def some_terms(chance: Random) -> list[Term]:
    """Of one permit and its licence; one of them may end the permit, and some open others, which may be over too."""
    made = [
        Term(chance.random() < 0.4, day_of(chance), chance.choice([[], [{"do": "notify"}], [opening(chance)]]))
        for _ in range(chance.randint(1, 6))
    ]
    if chance.random() < 0.7:
        ends = {"do": "end_permit", "cause": "termo"}
        made.append(Term(False, day_of(chance), [*([{"do": "notify"}] if chance.random() < 0.5 else []), ends]))
    return made


def opening(chance: Random, depth: int = 0) -> dict[str, Any]:
    follows = [opening(chance, depth + 1)] if depth < 2 and chance.random() < 0.5 else [{"do": "notify"}]
    opened = {"rule": f"sucessor_{depth}", "last_day": day_of(chance).isoformat(), "follows": follows}
    return {"do": "open", "deadline": opened}


def day_of(chance: Random) -> date:
    return FIRST + DAY * chance.randint(0, (LAST - FIRST).days)


async def made(database: Database, slug: str, register: list[list[Term]]) -> UUID:
    town = await found(database, slug)
    async with database.transaction(town) as tx:
        for number, terms in enumerate(register):
            await make_terms(tx, number, terms)
    return town


async def make_terms(tx: Transaction, number: int, terms: list[Term]) -> None:
    permit = await make_permit(tx)
    licence = await make_licence(tx, until=date(2026, 12, 31), permit=permit)
    permit.number, licence.number = f"P-{number}", f"A-{number}"
    await tx.session.flush()
    for term in terms:
        subject = ("licence", licence.id) if term.of_licence else ("permit", permit.id)
        await make_deadline(tx, until=term.last_day, subject=subject, rule=SILENT, follows=term.follows)


async def nights(database: Database, clock: FixedClock, town: UUID, days: list[date]) -> None:
    for day in days:
        clock.at = datetime(day.year, day.month, day.day, 15, tzinfo=UTC)
        (outcome,) = await again.night(database, [town])
        assert outcome.error is None


async def said(database: Database, town: UUID) -> list[str]:
    async with database.reader(town) as tx:
        return [row.said for row in await tx.rows(LABELS + ROWS)]


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_night_that_catches_up_comes_to_what_the_nights_would_have_come_to(
    own_database: Database, clock: FixedClock, seed: int
) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    own_database.settings = own_database.settings.model_copy(update={"night_batch": chance.choice([1, 2, 3, 500])})
    clock.at = datetime(FIRST.year, FIRST.month, FIRST.day, 15, tzinfo=UTC)
    register = [some_terms(chance) for _ in range(6)]
    daily, once = await made(own_database, "diaria", register), await made(own_database, "parada", register)

    days = [FIRST + DAY * number for number in range((UP_AGAIN - FIRST).days + 1)]
    await nights(own_database, clock, daily, days)
    await nights(own_database, clock, once, days[-1:])

    rows = [await said(own_database, town) for town in (daily, once)]
    assert any("deadline.expired" in row for row in rows[0])
    assert rows[0] == rows[1]
    for town in (daily, once):
        async with own_database.reader(town) as tx:
            assert await acts.verify(tx) == []


async def test_after_three_days_each_is_told_once_when_it_was_over_and_when_that_was_recorded(
    own_database: Database, clock: FixedClock
) -> None:
    clock.at = datetime(2026, 3, 10, 15, tzinfo=UTC)
    town, box = await found(own_database), Box()
    async with own_database.transaction(town) as tx:
        for until in (date(2026, 3, 7), date(2026, 3, 8), date(2026, 3, 9)):
            licence = await make_licence(tx, until=until)
            follows = [{"do": "notify", "template": "term_expired"}]
            await make_deadline(tx, until=until, subject=("licence", licence.id), rule=SILENT, follows=follows)
        await acts.record(tx, CLERK, "licence.issued", on=("licence", licence.id))

    for _ in range(2):
        await nights(own_database, clock, town, [date(2026, 3, 10), date(2026, 3, 11)])
        await relay(own_database, town, box)

    bodies = [plain(message) for message in box.taken]
    texts = sorted(body[body.index("venceu em") :] for body in bodies)
    assert len(texts) == 3
    assert [text.count("registrado em") for text in texts] == [1, 1, 0]
    for text, ended in zip(texts, ("07/03/2026", "08/03/2026"), strict=False):
        assert f"venceu em {ended}, registrado em 10/03/2026." in text
    assert "venceu em 09/03/2026." in texts[2]


def plain(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    return "" if part is None else str(part.get_content())
