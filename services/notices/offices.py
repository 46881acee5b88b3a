"""Whom a word means: the people of a subject, or the offices that the law of the day has."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tenants.law.kinds.basis import Office
from tenants.law.receivers import GENERAL, OFFICE, PEOPLE, POWERS

if TYPE_CHECKING:
    from tenants.law.law import Law


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
