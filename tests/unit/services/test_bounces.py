"""Delivery status notifications as they come in: who failed, for good or not, of which message."""

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notices.bounces.reading import Failure, failures
from tests.support.mailbox import returned


def sent() -> EmailMessage:
    message = EmailMessage()
    message["To"] = "Ana Souza <ana@example.org>"
    message["Message-ID"] = "<1@praca.example>"
    return message


def test_a_failure_names_the_address_the_status_and_the_message() -> None:
    assert failures(returned(sent())) == [Failure("ana@example.org", "5.1.1", True, "<1@praca.example>")]


def test_a_failure_that_may_pass_is_told_apart() -> None:
    (found,) = failures(returned(sent(), status="4.2.2"))

    assert not found.permanent


def test_the_whole_message_may_be_sent_back() -> None:
    whole = returned(sent()).replace("text/rfc822-headers", "message/rfc822")

    assert failures(whole)[0].message_id == "<1@praca.example>"


def test_the_first_recipient_counts_not_where_it_was_sent_on_to() -> None:
    text = returned(sent(), address="on@elsewhere.test").replace(
        "Final-Recipient", "Original-Recipient: rfc822;ana@example.org\nFinal-Recipient"
    )

    assert failures(text)[0].address == "ana@example.org"


def test_several_recipients_are_several_failures() -> None:
    second = "\nFinal-Recipient: rfc822; <bia@example.org>\nAction: FAILED\nStatus: 5.7.1 (policy)\n"
    text = returned(sent()).replace(
        "\n--=_b\nContent-Type: text/rfc822-headers", f"{second}\n--=_b\nContent-Type: text/rfc822-headers"
    )

    assert [(each.address, each.status) for each in failures(text)] == [
        ("ana@example.org", "5.1.1"),
        ("bia@example.org", "5.7.1"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "From: a@b.test\nSubject: Férias\n\nEstou de férias.",
        returned(sent(), action="delayed"),
        returned(sent()).replace("Final-Recipient: rfc822; ana@example.org", "Final-Recipient: rfc822; nobody"),
        returned(sent()).replace("message/delivery-status", "text/plain"),
    ],
)
def test_what_is_no_notification_of_failure_is_none(text: str) -> None:
    assert failures(text) == []


@given(st.text(max_size=300), st.integers(0, 900))
def test_whatever_stands_in_it_is_read_or_is_none(noise: str, at: int) -> None:
    text = returned(sent())

    for each in failures(text[:at] + noise + text[at:]):
        assert "@" in each.address
