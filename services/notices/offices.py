"""Whom a word means: the people of a subject, or the offices that the law of the day has."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tenants.law.kinds.basis import Office

if TYPE_CHECKING:
    from tenants.law.law import Law

OFFICE = "office"  # the offices that see to such a subject
GENERAL = "register"

# Of each kind of subject that a notice may be about: whom of its people it can reach, as `people_of` finds them, and
# the power of the offices that see to it.
PEOPLE: Mapping[str, frozenset[str]] = {
    "permit": frozenset({"holder", "driver"}),
    "licence": frozenset({"holder", "driver"}),
    "vehicle": frozenset({"holder"}),
    "holder": frozenset({"holder", "driver"}),
    "driver": frozenset({"holder", "driver"}),
    "substitute": frozenset({"holder", "driver"}),
    "fine": frozenset({"holder", "driver"}),
    "occurrence": frozenset({"holder", "driver"}),
    "penalty": frozenset({"holder", "driver"}),
    "proposal": frozenset({"holder"}),
    "suspension": frozenset({"holder"}),
    "tariff": frozenset({"holder"}),
    "candidate": frozenset({"holder", "candidate"}),
    "selection": frozenset({"holder", "candidate"}),
    "case": frozenset({"holder", "driver", "party", "representative"}),
    "complaint": frozenset({"holder", "complainant"}),
}
POWERS: Mapping[str, str] = {
    "fine": "fine",
    "occurrence": "record",
    "penalty": "record",
    "complaint": "record",
    "proposal": "propose",
    "suspension": "suspend",
    "case": "decide",
    "candidate": "grant",
    "selection": "grant",
    "tariff": "tariff",
}
WORDS = frozenset[str]().union(*PEOPLE.values())


def offices(law: "Law") -> dict[str, list[str]]:
    """Of each word that stands for offices, their codes: a code, a power, or "office" with the kind of subject.

    A power that the law gives nobody falls to those who keep the register, and that one to every office.
    """
    known = [office for _, office in law.all(Office)]
    able: dict[str, list[str]] = {}
    for office in known:
        for power in office.may:
            able.setdefault(power, []).append(office.code)
    every = [office.code for office in known]
    general = able.get(GENERAL, every)
    seeing_to = {f"{OFFICE}/{kind}": able.get(POWERS.get(kind, GENERAL), general) for kind in PEOPLE}
    return {**able, **{code: [code] for code in every}, OFFICE: general, **seeing_to}


def reaches(known: Mapping[str, object], kind: str, receiver: str) -> bool:
    """Whether there is anybody whom the word can mean. ``known``: what `offices` says of the day's law."""
    return kind in PEOPLE and (receiver in PEOPLE[kind] or receiver in known)
