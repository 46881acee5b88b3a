"""An office opens a campaign (recadastramento) that its law has; a worker calls those whom it concerns."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from services import acts, deadlines, jobs, terms
from services.access import Actor
from services.campaigns import store
from services.campaigns.missing import MISSED
from services.campaigns.tables import Campaign as CampaignRow
from services.database import Transaction
from services.deadlines import NewDeadline
from services.errors import Conflict, Refused
from services.fleet.drawing import follows
from services.jobs import Progress, Task
from services.notices import NewNotice, queue
from services.permits.eligibility import Pairing, cases_of
from services.permits.unforeseen import not_provided
from services.registry import store as registry
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.facts import Facts
from tenants.law.kinds.requirements import Campaign
from tenants.law.law import Law
from tenants.law.questions import CampaignAnswer, CampaignQuestion

CALL = "campaign.call"
TEMPLATE = "campaign_called"
FIRST = UUID(int=0)
SOME_PLATE = "ABC1D1"  # whose last digit is still to come


async def open_campaign(tx: Transaction, actor: Actor, *, code: str, on: date | None = None) -> UUID:
    """Open a campaign and have those whom it concerns called; answers its id.

    Args:
        code: The campaign of the law.

    Raises:
        Refused: The law has no such campaign, has not said when it runs, or its days are others.
        Conflict: It has been opened: ever, where it is held once; this year, where it is yearly.
    """
    office = actor.must("register")
    law = await tx.law(on=on or tx.today)
    rule = law.get(Campaign, code)
    if rule is None:
        raise not_provided(law, f"a campanha “{code}”", Campaign.kind)
    await store.lock_rule(tx, code)
    decision, opens_on = _running(law, rule)
    _once(rule, opens_on.year, await store.editions(tx, code))
    id = await registry.new_id(tx)
    act = await acts.record(
        tx, actor, "campaign.opened", on=("campaign", id), decision=decision, office=office, legal_day=law.on
    )
    row = CampaignRow(
        tenant_id=tx.tenant_id,
        id=id,
        rule=code,
        title=rule.title or code,
        whom=rule.whom,
        edition=opens_on.year,
        opens_on=opens_on,
        opened_on=law.on,
        opened_act=act.id,
    )
    await registry.add(tx, row)
    await jobs.queue(tx, actor, act, kind=CALL, subject=("campaign", id), office=office)
    return id


def _running(law: Law, rule: Campaign) -> tuple[Decision, date]:
    """When it runs, and from which day: for whoever it concerns, by the latest plate where plates decide.

    One that concerns some only, by facts of each, runs for each as their own facts say.

    Raises:
        Refused: It does not run on the law's day, or the town has not said when.
    """
    anybody = Facts({}, law.vocabulary)
    plates: list[str | None] = [SOME_PLATE + ending for endings in rule.by_plate_ending for ending in endings]
    found = [decide(law, CampaignQuestion(rule.code, plate), anybody) for plate in plates or [None]]
    unsaid = next((each for each in found if each.outcome is Outcome.UNDETERMINED), None)
    if unsaid:
        raise Refused(unsaid)
    said = [each for each in found if isinstance(each.value, CampaignAnswer)]
    if not said:
        return found[0], law.on
    latest = max(said, key=lambda each: each.value.last_day)
    if not latest.value.opens_on <= law.on <= latest.value.last_day:
        raise Refused(Decision(Outcome.DENIED, latest.message, rules=latest.rules, readings=latest.readings))
    return latest, latest.value.opens_on


def _once(rule: Campaign, edition: int, held: Sequence[int]) -> None:
    if edition in held or (rule.once and held):
        when = "uma só vez" if rule.once else f"em {edition}"
        raise Conflict(message=f"A campanha já foi aberta: a lei a prevê {when}.")


# --- calls -------------------------------------------------------------------------------------------------------


@jobs.step(CALL)
async def call_step(tx: Transaction, task: Task) -> Progress:
    """The next of those in service on the day of the opening: whom the law concerns is called, with a term."""
    campaign = await store.campaign(tx, task.subject_id, lock=True)
    law = await tx.law(on=campaign.opened_on)
    after = UUID(task.cursor["after"]) if "after" in task.cursor else FIRST
    counts = {"called": 0, "unproven": 0, **task.cursor.get("counts", {})}
    drivers = campaign.whom == "drivers"
    rows = await store.to_call(tx, drivers=drivers, day=law.on, after=after, most=tx.settings.campaign_batch)
    if not rows:
        return Progress(task.done, total=task.done, finished=True, result=counts)
    answers = await _answers(tx, law, campaign.rule, rows)
    called = [(row, answer) for row, answer in answers if _is_called(answer, law.on)]
    counts["called"] += len(called)
    counts["unproven"] += sum(answer.outcome is Outcome.UNPROVEN for _, answer in answers)
    await _call(tx, task, campaign, law, called)
    return Progress(task.done + len(rows), cursor={"after": rows[-1].place, "counts": counts})


async def _answers(tx: Transaction, law: Law, code: str, rows: Sequence[Any]) -> list[tuple[Any, Decision]]:
    pairings = [Pairing(row.category, row.holder_id, row.vehicle_id, row.granted_on) for row in rows]
    cases = await cases_of(tx, law, pairings)
    return [
        (row, decide(law, CampaignQuestion(code, row.plate, {"category": row.category}), case.facts))
        for row, case in zip(rows, cases, strict=True)
    ]


def _is_called(answer: Decision, day: date) -> bool:
    """Its day has not passed before anybody was called."""
    return isinstance(answer.value, CampaignAnswer) and answer.value.opens_on <= day <= answer.value.last_day


async def _call(tx: Transaction, task: Task, campaign: Any, law: Law, called: Sequence[tuple[Any, Decision]]) -> None:
    """The term of each, the call, and the notice that tells of it."""
    rule = law.get(Campaign, campaign.rule)
    article = terms.articles(rule.cite) if rule else ""
    new = [_term(task, campaign, row, answer, article) for row, answer in called]
    ids = await deadlines.open_each(tx, new)
    rows, notices = [], []
    for (row, answer), term, deadline_id in zip(called, new, ids, strict=True):
        missed = answer.value.missed
        rows.append(
            {
                "permit_id": row.permit_id,
                "driver_id": row.driver_id,
                "category": row.category,
                "last_day": term.last_day,
                "infraction": missed.infraction if missed else None,
                "deadline_id": deadline_id,
            }
        )
        notices.append(
            NewNotice(
                key=f"campaign:{deadline_id}",
                template=TEMPLATE,
                subject_kind=term.subject_kind,
                subject_id=term.subject_id,
                to="driver" if row.driver_id else "holder",
                deadline_id=deadline_id,
                holds_while="open",
                payload={"title": campaign.title},
            )
        )
    if rows:
        await store.add_calls(tx, campaign.id, rows)
        await queue(tx, notices)


def _term(task: Task, campaign: Any, row: Any, answer: Decision, article: str) -> NewDeadline:
    missed = answer.value.missed
    drawn = follows(missed.infraction if missed else None, missed.opens if missed else None)
    ends = missed is not None and missed.do == "end" and missed.cause
    proposed = {"cause": missed.cause, "decides": missed.decides} if ends else {}
    return NewDeadline(
        kind=campaign.rule,
        rule=campaign.rule,
        subject_kind="driver" if row.driver_id else "permit",
        subject_id=row.driver_id or row.permit_id,
        opened_on=campaign.opened_on,
        last_day=answer.value.last_day,
        article=article,
        opened_act=task.requested_act,
        inputs={"campaign": campaign.id, "rule": answer.plain()["rules"]},
        counted=answer.plain()["value"],
        follows=[*drawn, {"do": MISSED, **proposed}],
    )
