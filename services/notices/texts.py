"""The words of a notice: the town's template from its law, else the house's, filled from the register."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from tenants.law.kinds.basis import Template

if TYPE_CHECKING:
    from services.database import Town
    from tenants.law.law import Law

FOLDER = Path(__file__).parent / "templates"
USUAL = "aviso"

SUBJECTS = {
    "permit": "permissão",
    "licence": "alvará",
    "fine": "multa",
    "vehicle": "veículo",
    "driver": "condutor",
    "holder": "titular",
    "paper": "documento",
    "tariff": "tarifa",
    "candidate": "candidatura ao edital",
    "case": "processo",
    "complaint": "reclamação",
    "occurrence": "registro de ocorrência",
    "penalty": "penalidade",
}
sandbox = SandboxedEnvironment(autoescape=False, undefined=StrictUndefined)


@dataclass(frozen=True, slots=True)
class Words:
    subject: str
    body: str


def words_of(law: "Law", code: str) -> Words:
    """The template's own two texts."""
    found = law.get(Template, code)
    return house(code) if found is None else Words(found.subject, found.body)


@cache
def house(code: str) -> Words:
    """The house's, which tells of no law: a file of that name, else the usual one. Its first line is the subject."""
    files = {path.stem: path for path in FOLDER.glob("*.txt")}
    subject, _, body = files.get(code, files[USUAL]).read_text(encoding="utf-8").partition("\n\n")
    return Words(subject, body)


def fields_of(notice: Any, town: "Town", number: str, title: str, today: date) -> dict[str, str]:
    """What a template may name: each is always there, perhaps empty; and what the notice itself brings."""
    last_day = notice.last_day
    known = {
        "name": notice.name or "",
        "town": town.name,
        "subject": SUBJECTS.get(notice.subject_kind, notice.subject_kind),
        "number": number,
        "title": title,
        "last_day": f"{last_day:%d/%m/%Y}" if last_day else "",
        "article": notice.article or "",
        "lead": notice.lead or "",
        "today": f"{today:%d/%m/%Y}",
    }
    return {**known, **{key: str(value) for key, value in notice.payload.items()}}


def message(words: Words, notice: Any, fields: Mapping[str, str], sender: str, town: "Town") -> EmailMessage:
    """Plain text. Raises jinja2's TemplateError for a template that cannot be filled."""
    made = EmailMessage()
    name = town.name.replace('"', "")
    made["From"] = f'"{name}" <{sender}>'
    made["To"] = notice.address
    made["Subject"] = " ".join(sandbox.from_string(words.subject).render(fields).split())
    made["Message-ID"] = notice.message_id
    made["Date"] = format_datetime(notice.created_at)
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(sandbox.from_string(words.body).render(fields))
    return made
