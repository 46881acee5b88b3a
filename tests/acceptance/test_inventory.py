"""The inventory of deadlines is true of the register: whatever has run there is told of, with what follows it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from tests.acceptance.stage import BARRA, COTRIGUACU

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage


@pytest.mark.parametrize("town", [BARRA, COTRIGUACU])
async def test_what_runs_in_the_register_is_what_the_law_is_said_to_set_running(seen: Stage, town: str) -> None:
    told: defaultdict[str, set[str]] = defaultdict(set)
    for each in await seen.run("public/deadlineKinds", town=town):
        told[each["kind"]] |= {follow["do"] for follow in each["follows"]}
        assert all(follow["executor"] for follow in each["follows"]), each
        assert each["opens"], each
        assert each["meets"] or each["ends"], each

    async with seen.database.reader(await seen.town(town)) as tx:
        rows = await tx.rows(
            "SELECT DISTINCT d.kind, d.subject_kind, f.value ->> 'do' AS word FROM deadline AS d "
            "LEFT JOIN LATERAL jsonb_array_elements(d.follows) AS f ON true WHERE d.tenant_id = :tenant"
        )
    assert len({row.kind for row in rows}) > 3
    assert {row.kind for row in rows} <= set(told)
    wrong = {(row.kind, row.word) for row in rows if row.word and row.word not in told[row.kind]}
    assert wrong == set()


async def test_it_is_asked_of_one_kind_of_subject_and_of_any_day(seen: Stage) -> None:
    cases = await seen.run("public/deadlineKinds", town=COTRIGUACU, of="case", on="2015-01-01")

    assert {each["kind"] for each in cases} == {"defesa", "replica", "diligencia", "decisao", "recurso", "retention"}
    (decision,) = [each for each in cases if each["kind"] == "decisao"]
    assert (decision["binds"], decision["length"], decision["ends"]) == ("authority", "30 dias", False)
    assert any("art. 58" in article for article in decision["articles"])
    assert [(f["do"], f["office"]) for f in decision["follows"]] == [("case_step", None), ("escalate", "prefeito")]
