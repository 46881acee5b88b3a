"""A name's cell into which something else was merged: what has one reading is taken apart, all else is an error.

A number is known by its check digits, a plate by its form; each goes where the row has none of its kind, or the same.
No message quotes a cell: names' cells are about people.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from stdnum.br import cnpj as cnpj_numbers
from stdnum.br import cpf as cpf_numbers

from services.errors import Invalid
from services.importing.cells import Setting, Wrong
from services.importing.columns import bare, other_numbers
from services.registry import identity

Kind = str  # cpf, cnpj or plate
COLUMNS: Mapping[str, Mapping[Kind, str]] = {
    "name": {"cnpj": "cnpj", "cpf": "cpf", "plate": "plate"},
    "driver_name": {"cpf": "driver_cpf", "plate": "plate"},
}
TITLES: Mapping[Kind, str] = {"cpf": "o CPF", "cnpj": "o CNPJ", "plate": "a placa"}
LABELS: Mapping[Kind, str] = {
    "cpf": r"(?:CPF|C\.P\.F\.?|CIC)(?:/MF)?",
    "cnpj": r"(?:CNPJ|C\.N\.P\.J\.?|CGC)(?:/MF)?",
    "plate": "PLACAS?",
}
FORMS: Mapping[Kind, str] = {
    "cpf": r"\d{3}\.\d{3}\.\d{3}[-./]?\d{2}|\d{9}-?\d{2}",
    "cnpj": r"[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-?\d{2}|\d{8}/\d{4}-?\d{2}|\d{14}",
    "plate": r"[A-Z]{3}-?(?:\d{4}|\d[A-Z]\d{2})",
}
PATTERNS: Mapping[Kind, re.Pattern[str]] = {
    kind: re.compile(
        rf"(?:\b(?:(?P<own>{LABELS[kind]})|(?P<other>[^\W\d_]+))[\s:.]*(?:n\s*[º°.o])?[\s:.]*)?"
        rf"(?<![\w.])(?P<number>{form})(?!\w)",
        re.IGNORECASE,
    )
    for kind, form in FORMS.items()
}
VALID: Mapping[Kind, Callable[[str], bool]] = {"cpf": cpf_numbers.is_valid, "cnpj": cnpj_numbers.is_valid}
OTHER: Mapping[Kind, Kind] = {"cpf": "cnpj", "cnpj": "cpf"}  # a row has one of both
EDGES = " \t-–—/:;,|+&"
OF_ONE = re.compile(r"(?:[^\W\d_]|[.'’´`\s]|(?<=\w)-(?=\w))+")  # the signs of one person's name
OF_TWO = re.compile(r"\S+\s+\S.*\s(?:e|ou)\s+\S+\s+\S", re.IGNORECASE)  # or of one: Ana Costa e Souza Lima
ONLY_NAME = "Deixe na célula só o nome; o que é de outra coluna vai nela."
ONE_NAME = "Deixe na célula um só nome; outra pessoa entra como condutor ou em linha própria."


def taken_apart(field: str, text: str, record: Mapping[str, Any], at: Setting) -> dict[str, str]:
    """The name, and what the row has only in the name's cell. `record`: what its other cells say.

    Raises:
        Wrong: The cell holds more than what can be told apart, or what another cell denies.
    """
    if not _has_digits(text):
        return {field: _name(text, at, person=_person(field, record))}
    found: dict[str, str] = {}
    for kind, column in COLUMNS[field].items():
        known = {**record, **found}
        text, number = _without(kind, text, known.get(column), company=_company(field, known))
        if number is None:
            continue
        if known.get(column, number) != number or (OTHER.get(kind) in known and column == kind):
            hint = "Confira as duas células e deixe na do nome só o nome."
            raise Wrong("contradicts", f"A célula do nome traz {TITLES[kind]}, e outra célula diz outra coisa.", hint)
        if column not in record:
            found[column] = number
            at.remark("merged", f"A célula do nome traz {TITLES[kind]}, que fica valendo para a linha.", "Confira.")
        else:
            at.remark("merged", f"A célula do nome traz também {TITLES[kind]}: fica só o nome.")
    _must_not_fail(text)
    return {**found, field: _name(text, at, person=_person(field, {**record, **found}))}


def _company(field: str, record: Mapping[str, Any]) -> bool:
    return "cnpj" in COLUMNS[field] and "cnpj" in record


def _person(field: str, record: Mapping[str, Any]) -> bool:
    """Not where the row does not say whose the name is: that is an error of its own."""
    return COLUMNS[field]["cpf"] in record and not _company(field, record)


def _has_digits(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def _without(kind: Kind, text: str, known: str | None, *, company: bool) -> tuple[str, str | None]:
    """The text without the number of this kind that is merged into it, and the number."""
    meant = [
        match
        for match in PATTERNS[kind].finditer(text)
        if VALID.get(kind, bool)(_plain(match)) and (_certain(kind, match) or _likely(match, known, company=company))
    ]
    if len({_plain(match) for match in meant}) > 1:
        raise Wrong(
            "several", f"A célula do nome traz {TITLES[kind]} mais de uma vez, e não é o mesmo número.", ONE_NAME
        )
    for match in reversed(meant):
        text = f"{text[: match.start() if match['own'] else match.start('number')]} {text[match.end() :]}"
    return text, _plain(meant[0]) if meant else None


def _plain(match: re.Match[str]) -> str:
    return re.sub(r"[^0-9A-Z]", "", match["number"].upper())


def _certain(kind: Kind, match: re.Match[str]) -> bool:
    """Called so, or written as only such numbers are."""
    own = match["own"] is not None or not match["number"].isalnum()
    return own or (kind == "cnpj" and match["number"].isdigit())


def _likely(match: re.Match[str], known: str | None, *, company: bool) -> bool:
    """A bare number, not called otherwise. A company may be called by its owner's CPF: there it is of the name."""
    if known == _plain(match):
        return True
    return not company and bare(match["other"] or "") not in other_numbers()


def _must_not_fail(text: str) -> None:
    for kind in OTHER:
        if any(_certain(kind, match) for match in PATTERNS[kind].finditer(text)):
            hint = "Confira o número e escreva-o na coluna dele."
            raise Wrong("check_digits", f"A célula do nome traz {TITLES[kind]}, e os dígitos não conferem.", hint)


def _name(text: str, at: Setting, *, person: bool) -> str:
    try:
        name = identity.name(re.sub(r"\(\W*\)", " ", text).strip(EDGES))
    except Invalid as error:
        raise Wrong(error.problem, str(error), ONLY_NAME) from error
    if not person:
        return name
    if _has_digits(name):
        raise Wrong("digits", "O nome de uma pessoa não leva algarismos.", ONLY_NAME)
    if not OF_ONE.fullmatch(name):
        raise Wrong("several", "A célula do nome traz mais que o nome de uma pessoa.", ONE_NAME)
    if OF_TWO.search(name):
        at.remark("two_names", "O nome pode ser de duas pessoas, e vai inteiro para o cadastro.", ONE_NAME)
    return name
