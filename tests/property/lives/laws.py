"""What the laws of these walks say beside what any law of the generator says: absences, beginnings, hidden bars."""

from typing import Any

from hypothesis import strategies as st

from tenants.law.decide import decide
from tenants.law.facts import Facts
from tenants.law.kinds.grants import HolderPolicy, ShareRule
from tenants.law.kinds.stands import Stand
from tenants.law.kinds.terms import Term
from tenants.law.law import Law
from tenants.law.questions import QuotaQuestion
from tests.property.law.generator import (
    HOLDERS,
    OFFICES,
    Part,
    ages_and_days,
    demands,
    money,
    packs,
    penalties,
    service,
)
from tests.property.law.maker import Maker, Tables

ABANDONS, BREAKS, RESTS, HIDDEN = "L-0", "L-1", "L-2", "oculto"


def lives(make: Maker) -> Tables:
    """Terms that a permit's life sets running, what lateness opens, and what draws an end or a rest."""
    office = {"by": OFFICES[0]}
    late = {"after": make.length(1, 10), "infraction": "X-1", "cite": make.article()}
    opened = {"after": f"{make.number(1, 30)} days", "opens": ABANDONS, "cite": make.article()}
    at_once = make.of({}, {"revealed_at_once": "yes"})
    length = make.length()
    unsaid = make.cited("cabe", of="vehicle", at=["swap"], must="vehicle.doors <= param.portas")
    return {
        "parameter": [make.cited("portas", type="number", ask="Quantas portas?")],
        "requirement": make.of([], [unsaid]),
        "exclusion": [
            make.cited(HIDDEN, **{"if": "candidate.other_income"}, revealed={"do": "end", "cause": "e6"}, **at_once)
        ],
        "term": [
            make.cited("comeco", of="permit", starts="granted", length=length, met_by=["service_started"], late=[late]),
            make.cited("novo", of="permit", starts="vehicle_swapped", length=make.length(), met_by=["licence_issued"]),
            make.cited(
                "fora",
                of="permit",
                starts="absence_started",
                **make.maybe(length=f"{make.number(1, 30)} days"),
                met_by=["absence_ended", "absence_justified"],
                late=[opened],
            ),
        ],
        "infraction": [
            make.cited(ABANDONS, do="end", cause="e7", after_process=True, **office),
            make.cited(BREAKS, do="end", cause="e3", after_process=make.yes(), **office),
            make.cited(RESTS, do="suspend", least="1 months", most="6 months", **office),
        ],
        "sanction": [make.cited("pausa", grade=3, do="suspend", least="1 months", most="3 months", decides=OFFICES[1])],
    }


def served(make: Maker) -> Tables:
    """Who may serve: whatever else a law has, somebody may be the first, who would be more than any part of all."""
    tables = service(make)
    (policy,) = tables["holder_policy"]
    if all("share" in row for row in policy["allow"]):
        policy["allow"].append({"holder": HOLDERS[0], "permits": make.number(1, 3)})
    return tables


def timed(make: Maker) -> Tables:
    """How long anything lasts: a permit's own term is short enough for a walk to come to its end."""
    tables = ages_and_days(make)
    (own,) = (row for row in tables["term"] if row["code"] == "dura")
    own["length"] = make.years(1, 3)
    return tables


PARTS: tuple[Part, ...] = (served, demands, timed, money, penalties, lives)


def laws() -> st.SearchStrategy[str]:
    """The text of a pack by which permits are granted, serve and end."""
    return packs(*PARTS)


def numbers_of(law: Law) -> dict[str, Any]:
    """The numbers of a law of these, as the invariants name them."""
    quota = decide(law, QuotaQuestion("c0", 0), Facts.of({}, law.vocabulary)).value
    stands = {stand.code: stand.slots or 0 for _, stand in law.all(Stand)}
    own = {term.code: found.payload for found, term in law.all(Term)}
    yearly = own["anual"].get("ends")
    return {
        "counted": sorted(law.branch("c0")),
        "quota": quota.limit,
        "stands": list(stands),
        "slots": list(stands.values()),
        "permit_term": "dura",
        "permit_months": months(own["dura"]["length"]),
        "licence_months": None if yearly else months(own["anual"]["length"]),
        "licence_day": yearly and yearly.replace("last", "31"),
        "licence_most": 12 if yearly else months(own["anual"]["length"]),
    }


def fitting(law: Law) -> tuple[int, list[str]]:
    """How many doors a law of these likes, and which kinds of holder it admits."""
    share = next(found.payload for found, _ in law.all(ShareRule))
    allowed = [each.holder for _, policy in law.all(HolderPolicy) for each in policy.allow]
    return 4 if "most" in share else 2, allowed


def months(length: str) -> int:
    """Of so many years, as a pack writes them."""
    return int(length.removesuffix(" years")) * 12
