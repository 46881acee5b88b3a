"""A notice as an e-mail: plain text and the same in HTML, with the headers that servers ask for.

Nothing in it is loaded from elsewhere. It has no List-Unsubscribe: nobody subscribes to what a law makes due.
"""

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from typing import TYPE_CHECKING, Any

from tenants.law.kinds.basis import Municipality
from tenants.law.wording import Filled

if TYPE_CHECKING:
    from services.settings import Settings
    from tenants.law.law import Law

LANGUAGE = "pt-BR"
# One mailbox at one host, without any sign that begins another header, address or comment.
MAILBOX = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([^\s@<>,;:\"()\[\]\\.]+\.)+[^\s@<>,;:\"()\[\]\\.]+")
LONGEST_ADDRESS = 254  # law-free: of SMTP
PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head><meta charset="utf-8"><title>{title}</title></head>
<body>
{body}
</body>
</html>
"""


def mailbox(address: str | None) -> str | None:
    """The address as mail servers take it; None: it is none that mail could reach."""
    given = (address or "").strip()
    if len(given) > LONGEST_ADDRESS or not MAILBOX.fullmatch(given):
        return None
    local, _, host = given.rpartition("@")
    try:
        host = host.encode("idna").decode("ascii")
        return Address(username=local, domain=host).addr_spec
    except (UnicodeError, ValueError, IndexError):
        return None


def html_of(words: Filled) -> str:
    """The town's own markup, else the plain text's paragraphs and lines."""
    if words.html is not None:
        return words.html
    paragraphs = re.split(r"\n\s*\n", words.body.strip())
    return "\n".join("<p>" + "<br>\n".join(escape(line) for line in each.splitlines()) + "</p>" for each in paragraphs)


def sender(settings: "Settings", law: "Law", town: str) -> tuple[Address, str | None]:
    """From whom, and to whom an answer goes: the town's own mailbox where its domain is one that we sign for."""
    header = next((item for _, item in law.all(Municipality)), None)
    own = mailbox(header.mail_from) if header is not None else None
    signed = own is not None and own.rpartition("@")[2] in settings.mail_domains
    box = own if own is not None and signed else settings.mail_from
    local, _, host = box.rpartition("@")
    answers = mailbox(header.reply_to) if header is not None else None
    return Address(one_line(town), local, host), answers or (None if signed else own)


def one_line(text: str) -> str:
    """Nothing in it ends a header, or is read as an encoded word (=?…?=) that says something else."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split()).replace("=?", "= ?")


def message(notice: Any, address: str, words: Filled, origin: tuple[Address, str | None]) -> EmailMessage:
    """The same bytes each time: a repeat is recognised by its Message-ID, and says what the first one said."""
    made = EmailMessage()
    source, answers = origin
    local, _, host = address.rpartition("@")
    made["From"] = source
    made["To"] = Address(one_line(notice.name or ""), local, host)
    made["Subject"] = one_line(words.subject)
    made["Message-ID"] = notice.message_id
    made["Date"] = format_datetime(notice.created_at)
    if answers is not None:
        made["Reply-To"] = answers
    made["Auto-Submitted"] = "auto-generated"
    made["X-Auto-Response-Suppress"] = "All"
    made.set_content(words.body)
    page = PAGE.format(language=LANGUAGE, title=escape(one_line(words.subject)), body=html_of(words))
    made.add_alternative(page, subtype="html")
    for part in made.walk():
        part["Content-Language"] = LANGUAGE
    made.set_boundary(f"=_{notice.id}")
    return made
