"""Whom a notice can reach: the words for the people of each kind of subject, and which power sees to it."""

from collections.abc import Mapping

OFFICE = "office"  # the offices that see to such a subject; also an office's code, or a power
GENERAL = "register"

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
