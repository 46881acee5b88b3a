"""Calls with just the relations that are asked for: one statement for each, whatever the number of rows."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Row

from api.contests.types import (
    Call,
    CallCandidate,
    Candidacy,
    Objection,
    PlaceReason,
    PublicCall,
    PublicCandidate,
    PublishedList,
)
from api.register.loading import deadline_of
from api.selection import Selection
from api.types.scalars import global_id
from services.database import Reader
from services.deadlines import store as deadlines
from services.selection import store
from services.selection.calling import CALL
from services.selection.enrolling import CANDIDATE

Reasons = Mapping[str, list[PlaceReason]]


async def calls_of(tx: Reader, rows: Sequence[Row[Any]], wanted: Selection, day: date) -> list[Call]:
    """The page's calls, each relation that ``wanted`` names filled in."""
    found = {row.id: call_of(row) for row in rows}
    ids = list(found)
    if "candidates" in wanted:
        told = {row.id: reasons_of(row.result) for row in rows}
        candidates = await store.candidates(tx, ids, day)
        for id, call in found.items():
            call.candidates = [candidate_of(row, told[id]) for row in candidates.get(id, ())]
        if "deadlines" in wanted.under("candidates"):
            await _terms(tx, [each for call in found.values() for each in call.candidates], candidates, day)
    if "lists" in wanted or "waits" in wanted:
        for id, lists in (await store.lists(tx, ids)).items():
            found[id].lists = [list_of(row) for row in lists]
            found[id].waits = json.loads(lists[-1].text)["waits"]
    if "objections" in wanted:
        for id, objections in (await store.objections(tx, ids)).items():
            found[id].objections = [objection_of(row) for row in objections]
    if "deadlines" in wanted:
        for row in await deadlines.of_subjects(tx, [(CALL, id) for id in ids], day):
            found[row.subject_id].deadlines.append(deadline_of(row))
    return list(found.values())


async def _terms(tx: Reader, shown: Sequence[CallCandidate], rows: Mapping[Any, Sequence[Row[Any]]], day: date) -> None:
    by_id = {each.id: each for each in shown}
    subjects = [(CANDIDATE, row.id) for of_call in rows.values() for row in of_call]
    for row in await deadlines.of_subjects(tx, subjects, day):
        by_id[global_id(CANDIDATE, row.subject_id)].deadlines.append(deadline_of(row))


def call_of(row: Row[Any]) -> Call:
    return Call(
        id=global_id("call", row.id),
        number=row.number,
        category=row.category,
        area=row.area,
        vacancies=row.vacancies,
        announced_on=row.announced_on,
        opens_on=row.opens_on,
        closes_on=row.closes_on,
        version=row.version,
        state=row.state,
        waits=None,
        draw_source=row.draw_source,
        draw_on=row.draw_on,
        seed=row.seed,
        seed_on=row.seed_on,
        result_on=row.result_on,
        undone=row.undone,
        undone_why=row.undone_why,
    )


def candidate_of(row: Row[Any], reasons: Reasons) -> CallCandidate:
    return CallCandidate(
        id=global_id(CANDIDATE, row.id),
        name=row.name,
        plate=row.plate,
        version=row.version,
        enrolled_on=row.enrolled_on,
        excluded_why=row.excluded_why,
        awarded_on=row.awarded_on,
        lost_on=row.lost_on,
        lost_why=row.lost_why,
        signed_on=row.signed_on,
        state=row.state,
        place=row.place,
        reasons=reasons.get(str(row.id), []),
        permit_id=global_id("permit", row.permit_id) if row.permit_id else None,
    )


def reasons_of(result: Mapping[str, Any] | None) -> Reasons:
    """Of a published result, why each has their place."""
    return {
        each["key"]: [
            PlaceReason(step=reason["step"] + 1, why=reason["why"], citations=list(reason["citations"]))
            for reason in each["reasons"]
        ]
        for each in (result or {"ranking": ()})["ranking"]
    }


def list_of(row: Row[Any]) -> PublishedList:
    return PublishedList(revision=row.revision, published_on=row.published_on, sha256=row.sha256, text=row.text)


def objection_of(row: Row[Any]) -> Objection:
    return Objection(
        id=global_id("objection", row.id),
        candidate_id=global_id(CANDIDATE, row.candidate_id),
        says=row.says,
        filed_on=row.filed_on,
        upheld=row.upheld,
        decided_on=row.decided_on,
        version=row.version,
    )


def public_of(row: Row[Any], lists: Sequence[Row[Any]]) -> PublicCall:
    """Nothing of whoever the candidates are."""
    told = reasons_of(row.result)
    ranking = (row.result or {"ranking": ()})["ranking"]
    return PublicCall(
        number=row.number,
        category=row.category,
        area=row.area,
        vacancies=row.vacancies,
        announced_on=row.announced_on,
        opens_on=row.opens_on,
        closes_on=row.closes_on,
        state=row.state,
        draw_source=row.draw_source,
        draw_on=row.draw_on,
        seed=row.seed,
        result_on=row.result_on,
        undone=row.undone,
        undone_why=row.undone_why,
        lists=[list_of(each) for each in lists],
        candidates=[
            PublicCandidate(key=each["key"], place=each["place"], reasons=told[each["key"]]) for each in ranking
        ],
    )


async def candidacies_of(tx: Reader, rows: Sequence[Row[Any]], day: date) -> list[Candidacy]:
    """Six statements, however many there are."""
    ids = [row.call_id for row in rows]
    calls, lists, objections = (
        await store.calls(tx, ids, day),
        await store.lists(tx, ids),
        await store.objections(tx, ids),
    )
    found = {
        row.id: Candidacy(
            candidate=candidate_of(row, reasons_of(calls[row.call_id].result)),
            call=public_of(calls[row.call_id], lists.get(row.call_id, ())),
            deadlines=[],
            objections=[objection_of(o) for o in objections.get(row.call_id, ()) if o.candidate_id == row.id],
        )
        for row in rows
    }
    await _terms(tx, [each.candidate for each in found.values()], {row.call_id: [row] for row in rows}, day)
    terms = await deadlines.of_subjects(tx, [(CALL, id) for id in calls], day)
    for row in rows:
        found[row.id].deadlines = [deadline_of(term) for term in terms if term.subject_id == row.call_id]
    return list(found.values())
