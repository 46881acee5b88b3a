"""Every event by which a law may set a term running, or have it met, is one that some use case lets happen."""

from tenants.law.events import EVENTS
from tests.house.happening import happening


def test_whatever_a_law_may_wait_for_happens() -> None:
    known = happening()

    missing = {f"{of}.{event}" for of, events in EVENTS.items() for event in events if (of, event) not in known}

    assert missing == set()


def test_what_nobody_lets_happen_is_seen() -> None:
    assert ("permit", "teleported") not in happening()
