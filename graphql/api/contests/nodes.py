"""Calls, candidates and objections by their ids."""

from uuid import UUID

from api.contests.queries import call_by, candidate_by, objection_by
from api.contests.types import Call, CallCandidate, Objection
from api.nodes import loads
from api.selection import Selection
from services.database import Reader


@loads("call")
async def call(tx: Reader, id: UUID, wanted: Selection) -> Call:
    return await call_by(tx, id, wanted)


@loads("candidate")
async def candidate(tx: Reader, id: UUID, wanted: Selection) -> CallCandidate:
    return await candidate_by(tx, id)


@loads("objection")
async def objection(tx: Reader, id: UUID, wanted: Selection) -> Objection:
    return await objection_by(tx, id)
