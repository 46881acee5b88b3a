"""The words of a notice: the town's template from its law, else the house's, filled from register, decision and law."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateError

from services.clock import local_day
from tenants.law.kinds.basis import Office, Template
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.terms import Term
from tenants.law.wording import FIELDS, Filled, Words, fill

if TYPE_CHECKING:
    from tenants.law.law import Law

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent / "templates"
USUAL = "aviso"
DAY = timedelta(days=1)
CUT_TO = 80  # law-free: letters; of the few fields of a subject all together fit in it

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
    "selection": "edital",
    "case": "processo",
    "complaint": "reclamação",
    "occurrence": "registro de ocorrência",
    "penalty": "penalidade",
    "proposal": "proposta",
    "substitute": "condutor substituto",
    "suspension": "suspensão",
}
OUTCOMES = {
    "ALLOWED": "deferido",
    "DENIED": "indeferido",
    "VALUE": "calculado",
    "UNPROVEN": "falta comprovar",
    "UNDETERMINED": "a lei ou o município não o disse",
    "NEEDS_DECISION": "depende de decisão do órgão",
}


@dataclass(frozen=True, slots=True)
class About:
    """Where a notice is written: in what town and whose time, on what day, under which law."""

    town: str
    zone: str
    today: date
    law: "Law"


@dataclass(frozen=True, slots=True)
class Written:
    """A notice's words, and whether they are the house's because the town's could not be filled."""

    words: Filled
    instead: bool = False


def written(law: "Law", code: str, fields: Mapping[str, Any]) -> Written:
    """In the town's words; where these cannot be filled, the person is told in the house's, in short if need be."""
    found = law.get(Template, code)
    own = [] if found is None else [Words(found.subject, found.body, found.html)]
    for place, words in enumerate([*own, house(code)]):
        try:
            return Written(fill(words, fields), instead=place > 0)
        except TemplateError as error:
            log.warning("template %s cannot be filled: %s", code, error)
    return Written(fill(house(USUAL), {name: _cut(value) for name, value in fields.items()}), instead=True)


def _cut(value: str | list[str]) -> str | list[str]:
    """So short that the usual words can always be filled: one notice that is too long holds up no other."""
    if isinstance(value, list):
        return []
    return value if len(value) <= CUT_TO else value[:CUT_TO] + "…"


@cache
def house(code: str) -> Words:
    """The house's, which tells of no law: a file of that name, else the usual one. Its first line is the subject."""
    files = {path.stem: path for path in FOLDER.glob("*.txt")}
    subject, _, body = files.get(code, files[USUAL]).read_text(encoding="utf-8").partition("\n\n")
    return Words(subject, body)


def fields_of(notice: Any, about: About, known: Any | None) -> dict[str, str | list[str]]:
    """What its words may name; each field is always there, perhaps empty; and what the notice itself brings.

    Args:
        known: What the register says of its subject, as `subjects` reads it.
    """
    told = {key: value for key, value in notice.payload.items() if key in FIELDS}
    found: dict[str, Any] = {
        "name": notice.name,
        "town": about.town,
        "subject": SUBJECTS.get(notice.subject_kind, notice.subject_kind),
        "title": _title(about.law, notice),
        "last_day": _day(notice.last_day),
        "recorded_on": _day(_late(notice, about.zone)),
        "article": notice.article,
        "lead": notice.lead,
        "today": _day(about.today),
        "office": _office(about.law, notice.office),
        **(_of_subject(about.law, known) if known is not None else {}),
        **told,
    }
    return {name: _text(found.get(name), several=field.several) for name, field in FIELDS.items()}


def _late(notice: Any, zone: str) -> date | None:
    """The day on which the end of a term was written down, unless it was the day after its last, as always."""
    written_on = local_day(notice.created_at, zone)
    return written_on if notice.last_day is not None and written_on > notice.last_day + DAY else None


def _of_subject(law: "Law", known: Any) -> dict[str, Any]:
    decision = known.decision or {}
    return {
        "number": known.number,
        "opened_on": _day(known.opened_on),
        "articles": decision.get("citations") or [],
        "outcome": OUTCOMES.get(decision.get("outcome", ""), ""),
        "decision": decision.get("message"),
        "category": known.category,
        "amount": None if known.brl is None else reais(known.brl),
        "units": None if known.units is None else f"{_number(known.units)} {known.unit}",
        "infractions": [_infraction(law, code) for code in known.infractions or []],
        "place": known.place,
        "answer": known.answer,
    }


def _title(law: "Law", notice: Any) -> str:
    rule = law.find(Term.kind, notice.rule) if notice.rule else None
    return rule.item.title if rule else ""


def _office(law: "Law", code: str | None) -> str:
    found = law.get(Office, code) if code else None
    return found.title or found.code if found is not None else ""


def _infraction(law: "Law", code: str) -> str:
    found = law.get(Infraction, code)
    return found.title or code if found is not None else code


def _text(value: Any, *, several: bool) -> str | list[str]:
    if several:
        return [str(each) for each in value or []]
    return "" if value is None else str(value)


def _day(day: date | None) -> str:
    return f"{day:%d/%m/%Y}" if day else ""


def reais(value: Decimal) -> str:
    """As it is written here: R$ 1.234,56."""
    return "R$ " + f"{value:,.2f}".translate({ord(","): ".", ord("."): ","})


def _number(value: Decimal) -> str:
    return format(value.normalize(), "f").replace(".", ",")
