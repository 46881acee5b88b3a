"""Handing messages to a mail server."""

import asyncio
from email.message import EmailMessage
from typing import Protocol

import aiosmtplib

from services.settings import Settings

PERMANENT = range(500, 600)  # law-free: SMTP's reply codes that no repeat will change


class Unsent(Exception):
    """The server did not take a message. `final`: nor will it later. The text holds no personal data."""

    def __init__(self, outcome: str, detail: str, *, final: bool) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.final = final


class Post(Protocol):
    async def send(self, message: EmailMessage) -> str:
        """The server's acceptance. Raises Unsent."""


class Smtp:
    """One connection for each message: few are sent at a time, and a connection kept is one that may be cut."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def send(self, message: EmailMessage) -> str:
        settings = self._settings
        try:
            async with asyncio.timeout(settings.smtp_timeout_seconds):
                refused, answer = await aiosmtplib.send(
                    message,
                    sender=settings.mail_bounces,
                    hostname=settings.smtp_host,
                    port=settings.smtp_port,
                    username=settings.smtp_user,
                    password=settings.smtp_password.get_secret_value() if settings.smtp_password else None,
                    use_tls=settings.smtp_security == "tls",
                    start_tls=settings.smtp_security == "starttls",
                )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [recipient.code for recipient in error.recipients]
            final = all(code in PERMANENT for code in codes)
            raise Unsent("refused", f"recipient refused: {codes}", final=final) from error
        except aiosmtplib.SMTPDataError as error:
            raise Unsent("refused", f"reply {error.code}", final=error.code in PERMANENT) from error
        except aiosmtplib.SMTPResponseException as error:  # of us, not of whom it is to: how we log in, who we are
            raise Unsent("unreachable", f"reply {error.code}", final=False) from error
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise Unsent("unreachable", type(error).__name__, final=False) from error
        if refused:
            raise Unsent("refused", f"{len(refused)} recipient(s) refused", final=False)
        return answer
