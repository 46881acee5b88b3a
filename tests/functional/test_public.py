"""Whoever shows no token sees what is public, and of the rest not even whether it is there."""

import pytest

from tests.support.schema import MUTATIONS, QUERIES, operation
from tests.support.web import Edge

PUBLIC = {
    "campaign",
    "deadlineKinds",
    "drawProof",
    "fee",
    "followComplaint",
    "inspectionDue",
    "law",
    "mayHold",
    "municipality",
    "onDuty",
    "points",
    "priceAgreement",
    "process",
    "publicCall",
    "publicCase",
    "publicPermit",
    "quota",
    "quoteFare",
    "quoteInfraction",
    "quoteQuota",
    "quoteShare",
    "served",
    "standUse",
    "standAct",
    "stands",
    "stepTerm",
    "substitute",
    "tariffDue",
    "term",
    "transfer",
    "vehicleAge",
    "viewer",
}
FOR_ANYBODY = {"fileComplaint"}  # also who has no account


async def test_what_is_not_public_is_forbidden_to_whoever_shows_no_token(web: Edge) -> None:
    answered = {}
    for name, field in QUERIES.items():
        query, variables = operation("query", name, field)
        codes = await web.codes(query, variables=variables, host="vila-nova.test")
        answered[name] = codes

    assert {name for name, codes in answered.items() if codes == ["FORBIDDEN"]} == set(QUERIES) - PUBLIC
    assert not [name for name, codes in answered.items() if "INTERNAL" in codes]


async def test_a_stranger_with_a_token_sees_no_more(web: Edge) -> None:
    token = web.token("stranger", town="vila-nova")
    for name in sorted(set(QUERIES) - PUBLIC):
        query, variables = operation("query", name, QUERIES[name])
        assert await web.codes(query, variables=variables, token=token) == ["FORBIDDEN"], name


@pytest.mark.parametrize("name", sorted(set(MUTATIONS) - FOR_ANYBODY))
async def test_nobody_acts_without_a_power(web: Edge, name: str) -> None:
    query, variables = operation("mutation", name, MUTATIONS[name])
    for token in (None, web.token("stranger", town="vila-nova")):
        answer = await web.ask(query, variables=variables, token=token, host="vila-nova.test")
        assert answer[name]["__typename"] == "Forbidden"
