"""A mail server of the tests' own, and what others say of messages that they could not deliver."""

import asyncio
from email.message import EmailMessage

from services.notices.mail import Unsent

NOTIFICATION = """\
From: MAILER-DAEMON@mx.example.org
To: nao-responda@praca.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"

--=_b
Content-Type: text/plain; charset=us-ascii

It could not be delivered.

--=_b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org
Arrival-Date: Tue, 10 Mar 2026 12:00:00 -0300

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} no such user

--=_b
Content-Type: text/rfc822-headers

{headers}
--=_b--
"""


class Box:
    """Keeps what it accepts, or does as told."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.then: BaseException | None = None
        self.instead: Unsent | None = None

    async def send(self, message: EmailMessage) -> str:
        await asyncio.sleep(0)
        if self.instead is not None:
            raise self.instead
        self.taken.append(message)
        if self.then is not None:
            raise self.then
        return "250 taken"


def plain(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def returned(
    message: EmailMessage, *, address: str | None = None, action: str = "failed", status: str = "5.1.1"
) -> str:
    """The notification of another server that it could not deliver this one (RFC 3464)."""
    to = address or message["To"].addresses[0].addr_spec
    headers = f"Message-ID: {message['Message-ID']}\nSubject: x\n"
    return NOTIFICATION.format(address=to, action=action, status=status, headers=headers)
