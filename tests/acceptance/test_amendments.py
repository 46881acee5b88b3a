"""The law changes through the API: previewed, published for the future, then for the past; each day keeps its own."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.acceptance.applying import applicant
from tests.acceptance.stage import BARRA, NOW, PLANS, TODAY, supposing

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

START, END = "[[vehicle_age]]", "[[vehicle_spec]]"
AGE_RULES = PLANS[BARRA].pack.partition(START)[2].partition(END)[0]
NEW_YEAR = "2027-01-01"
EIGHT_YEARS = f"{START}\nfrom = {NEW_YEAR}{AGE_RULES.replace('6 years', '8 years')}"
SEVEN_IN_2026 = f"{START}\nfrom = 2026-01-01\nuntil = 2026-12-31{AGE_RULES.replace('6 years', '7 years')}"
FUTURE = {"text": EIGHT_YEARS, "norm": "Lei 4.000/2026", "officialOn": TODAY.isoformat()}


async def limits(stage: Stage, *days: str, **more: Any) -> list[tuple[str, int]]:
    """What is said of a car of 2020 that would stay, and the years that it may be old, on each of these days."""
    found = []
    for day in days:
        facts = supposing(vehicle__first_registration="2020-02-01", permit__granted_on="2020-03-01")
        given: dict[str, Any] = {"category": "taxi", "at": "stay", "on": day, "suppose": facts, **more}
        decision = await stage.run("public/vehicleAge", town=BARRA, **given)
        found.append((decision["outcome"], decision["value"]["limit"]["count"]))
    return found


async def test_a_future_amendment_changes_no_earlier_answer(stage: Stage) -> None:
    await stage.done("operator/publishAmendment", FUTURE, town=BARRA)

    in_2026 = await limits(stage, "2026-01-31", "2026-03-10", "2026-12-31")
    in_2027 = await limits(stage, NEW_YEAR, "2028-02-01", "2028-08-02")

    assert in_2026 == [("ALLOWED", 6), ("UNPROVEN", 6), ("DENIED", 6)]
    assert in_2027 == [("ALLOWED", 8), ("ALLOWED", 8), ("DENIED", 8)]


async def test_the_answer_names_the_act_that_made_the_rule(stage: Stage) -> None:
    await stage.done("operator/publishAmendment", FUTURE, town=BARRA)

    rules = [
        (await stage.run("public/rule", town=BARRA, kind="vehicle_age", code="idade_permanencia", on=day))["rule"]
        for day in ("2026-12-31", NEW_YEAR)
    ]

    assert [rule["since"] for rule in rules] == ["2009-12-28", NEW_YEAR]
    assert "Lei 4.000/2026" in rules[1]["publication"] != rules[0]["publication"]


async def test_a_retroactive_amendment_after_a_future_one_leaves_both(stage: Stage) -> None:
    await stage.done("operator/publishAmendment", FUTURE, town=BARRA)
    stage.at(NOW + timedelta(days=2))
    later = (TODAY + timedelta(days=2)).isoformat()
    past = {"text": SEVEN_IN_2026, "norm": "Lei 4.001/2026", "officialOn": later}
    await stage.done("operator/publishAmendment", past, town=BARRA)

    days = ("2025-12-31", "2026-01-01", "2026-12-31", NEW_YEAR)

    assert [years for _, years in await limits(stage, *days)] == [6, 7, 7, 8]


async def test_a_retroactive_amendment_was_not_known_before_it_was_published(stage: Stage) -> None:
    stage.at(NOW + timedelta(days=2))
    later = (TODAY + timedelta(days=2)).isoformat()
    past = {"text": SEVEN_IN_2026, "norm": "Lei 4.001/2026", "officialOn": later}
    await stage.done("operator/publishAmendment", past, town=BARRA)

    known = [await age_rule_known_at(stage, day) for day in (TODAY.isoformat(), later)]

    assert known == ["2009-12-28", "2026-01-01"]


async def age_rule_known_at(stage: Stage, day: str) -> Any:
    query = (
        '{ law(on: "2026-02-01", knownAt: "%s") { rule(kind: "vehicle_age", code: "idade_permanencia") { since } } }'
    )
    answer = await stage.body(query % day, town=BARRA, role="public")
    return answer["data"]["law"]["rule"]["since"]


async def test_one_that_would_hide_the_future_one_is_warned_of(stage: Stage) -> None:
    await stage.done("operator/publishAmendment", FUTURE, town=BARRA)
    without_end = {**FUTURE, "text": SEVEN_IN_2026.replace("until = 2026-12-31", ""), "norm": "Lei 4.001/2026"}

    preview = await stage.run("operator/previewAmendment", town=BARRA, input=without_end, on="2026-06-01")

    assert any("covers the version" in warning["message"] for warning in preview["warnings"])
    assert all(warning["hint"] and warning["line"] for warning in preview["warnings"])


async def test_the_preview_names_who_would_come_back_into_compliance(stage: Stage) -> None:
    """A car of May 2020, taken into service at five years, would be too old at New Year, and then is not."""
    old, young = await permit_with_car(stage, made=2020), await permit_with_car(stage, made=2025)

    at_new_year = await stage.run("operator/previewAmendment", town=BARRA, input=FUTURE, on=NEW_YEAR)
    before = await stage.run("operator/previewAmendment", town=BARRA, input=FUTURE, on="2026-12-31")

    affected = {permit["number"]: permit for permit in at_new_year["affected"]}
    assert young not in affected
    assert (affected[old]["fallsIn"], affected[old]["fallsOut"]) == (True, False)
    assert affected[old]["before"]["outcome"] == "DENIED" != affected[old]["after"]["outcome"]
    assert at_new_year["lookedAt"] > len(affected) > 0
    assert before["affected"] == [], "of 2026 nothing changes"
    assert [years for _, years in await limits(stage, NEW_YEAR)] == [6], "and nothing was written"


async def test_the_preview_names_who_would_fall_out(stage: Stage) -> None:
    stricter = {**FUTURE, "text": EIGHT_YEARS.replace("8 years", "1 years")}
    permit = await permit_with_car(stage, made=2025)

    preview = await stage.run("operator/previewAmendment", town=BARRA, input=stricter, on=NEW_YEAR)

    (mine,) = [affected for affected in preview["affected"] if affected["number"] == permit]
    assert (mine["fallsOut"], mine["after"]["outcome"]) == (True, "DENIED")
    assert "art. 20" in " ".join(citation["text"] for citation in mine["after"]["citations"])


async def permit_with_car(stage: Stage, *, made: int) -> str:
    """The number of a new permit whose car was registered in May of a year."""
    who = await applicant(stage, BARRA, made=made, registered_on=f"{made}-05-01")
    grant = {"category": "taxi", **who.pair, "judged": True}
    permit = await stage.done("secretary/grantPermit", grant, town=BARRA)
    return str(permit["number"])


async def test_a_text_that_is_no_law_is_refused_with_its_lines(stage: Stage) -> None:
    broken = {**FUTURE, "text": EIGHT_YEARS.replace('cite = ["art. 4, VII"', 'cite = ["artigo quatro"')}

    no = await stage.act("operator/publishAmendment", broken, town=BARRA)

    assert no["code"] == "INVALID"
    (error, *_) = [problem for problem in no["problems"] if problem["severity"] == "error"]
    assert (error["line"] or 0) > 1
    assert error["hint"]
    assert [years for _, years in await limits(stage, NEW_YEAR)] == [6]


async def test_nobody_publishes_before_the_official_day_or_without_the_power(stage: Stage) -> None:
    early = {**FUTURE, "officialOn": (TODAY + timedelta(days=1)).isoformat()}

    assert (await stage.act("operator/publishAmendment", early, town=BARRA))["field"] == "officialOn"
    for role in ("clerk", "inspector", "secretary"):
        no = await stage.act("operator/publishAmendment", FUTURE, town=BARRA, role=role)
        assert no["code"] == "FORBIDDEN", role
        assert any("art. 25" in article for article in no["citations"]), "who may is named by article"
    for role in ("holder", "driver", "nobody"):
        assert (await stage.act("operator/publishAmendment", FUTURE, town=BARRA, role=role))["code"] == "FORBIDDEN"
    await stage.done("operator/publishAmendment", FUTURE, town=BARRA, role="mayor")
