"""One cell of a town's file, made into a value of the register: whatever was lost or added on the way is put right.

Each reader takes the text of a cell and gives the value. What it puts right and somebody should look at is a remark.
"""

import calendar
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel
from stdnum.br import cnpj as cnpj_numbers
from stdnum.br import cpf as cpf_numbers

from services.errors import Invalid
from services.importing.columns import active, bare, blanks
from services.registry import identity

CPF_DIGITS, CNPJ_SIGNS = 11, 14  # law-free: federal numbers
YEARS_AHEAD = 20  # law-free: of two-digit years, how far ahead they may be meant
SERIAL = re.compile(r"[2-9]\d{4}")  # days as a spreadsheet counts them, from 1954 to 2173
DAY = re.compile(
    r"(?P<d>\d{1,2})\s*[/.\-]\s*(?P<m>\d{1,2})\s*[/.\-]\s*(?P<y>\d{4}|\d{2})(?:\s+\d{1,2}:\d\d(?::\d\d)?)?"
)
YEAR = re.compile(r"(?:19|20)\d\d")
ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d.*)?")
RUN_TOGETHER = re.compile(r"\d{7,8}")
LOST = re.compile(r"[+-]?\d+(?:[.,]\d+)?[eE]\+?\d+")
YES = frozenset({"sim", "s", "x", "yes", "y", "true", "verdadeiro", "v", "1", "ok"})
NO = frozenset({"nao", "n", "no", "false", "falso", "f", "0"})
CNH_LETTERS = ("ACC", "A", "B", "C", "D", "E")


class Wrong(Exception):
    """A cell that cannot be read: `code` for programs; what is wrong and what to do, for people."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


@dataclass(frozen=True, slots=True)
class Remark:
    code: str
    message: str
    hint: str = ""


@dataclass(slots=True)
class Setting:
    """What cells are read against: the day, how the file counts its days, the codes of the town's law.

    `codes`: of each list, each spelling that is known with its code. `remarks`: collected while a cell is read.
    """

    today: date
    epoch_1904: bool = False
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    def remark(self, code: str, message: str, hint: str = "") -> None:
        self.remarks.append(Remark(code, message, hint))


def is_blank(text: str) -> bool:
    """Also where people write something that means nothing."""
    return not text.strip() or text.strip().lower() in blanks() or bare(text) in blanks()


# --- numbers that name someone -----------------------------------------------------------------------------------


def cpf(text: str, at: Setting) -> str:
    bare_digits = _digits(text, CPF_DIGITS, "CPF", at)
    return _checked(identity.cpf, bare_digits, "Confira o número no documento.")


def cnpj(text: str, at: Setting) -> str:
    signs = re.sub(r"[^0-9A-Za-z]", "", text).upper()
    if signs.isdigit():
        signs = _digits(text, CNPJ_SIGNS, "CNPJ", at)
    return _checked(identity.cnpj, signs, "Confira o número no cartão do CNPJ.")


def document(text: str, at: Setting) -> tuple[str, str]:
    """`cpf` or `cnpj`, and the number: by its length and its check digits."""
    signs = re.sub(r"[^0-9A-Za-z]", "", text)
    if len(signs) > CPF_DIGITS:
        return "cnpj", cnpj(text, at)
    padded = signs.zfill(CPF_DIGITS)
    if not cpf_numbers.is_valid(padded) and cnpj_numbers.is_valid(signs.zfill(CNPJ_SIGNS)):
        return "cnpj", cnpj(text, at)
    return "cpf", cpf(text, at)


def plate(text: str, at: Setting) -> str:
    hint = "Sete letras e números: AAA-9999 ou AAA9A99, sem cidade nem UF."
    return _checked(identity.plate, re.sub(r"[^0-9A-Za-z]", "", text), hint)


def renavam(text: str, at: Setting) -> str:
    return _checked(identity.renavam, _digits(text, CPF_DIGITS, "RENAVAM", at), "Confira o número no CRLV.")


def cnh(text: str, at: Setting) -> str:
    number = _digits(text, CPF_DIGITS, "CNH", at)
    if identity.cnh(number)[1]:
        at.remark("check_digits", "Os dígitos da CNH não conferem: fica marcada para revisão.", "Confira na CNH.")
    return number


def _digits(text: str, length: int, what: str, at: Setting) -> str:
    """The digits, with leading zeros that a spreadsheet took off put back."""
    if LOST.fullmatch(text.strip()):
        hint = f"Formate a coluna como texto e digite o número inteiro do {what}."
        raise Wrong("lost_digits", f"O número está abreviado ({text.strip()}): perdeu dígitos.", hint)
    digits = re.sub(r"\D", "", text)
    if not digits or len(digits) > length or re.search(r"[A-Za-z]", text):
        raise Wrong("form", f"{what} inválido: “{text}”.", f"São {length} dígitos.")
    if len(digits) < length:
        at.remark("zeros", f"Zeros à esquerda repostos: {digits.zfill(length)}.")
    return digits.zfill(length)


def _checked(check: object, text: str, hint: str) -> str:
    try:
        return str(check(text))  # type: ignore[operator]
    except Invalid as error:
        raise Wrong(error.problem, str(error), hint) from error


# --- words -------------------------------------------------------------------------------------------------------


def name(text: str, at: Setting) -> str:
    """Spaces once."""
    return _checked(identity.name, text.replace(" ", " "), "")


def email(text: str, at: Setting) -> str:
    return _checked(identity.email, text.split(";")[0].split(",")[0].strip().lower(), "Escreva nome@provedor.")


def number(text: str, at: Setting) -> str:
    """A number as the town writes it; spaces off."""
    return "".join(text.split())


def listed(kind: str, text: str, at: Setting) -> str:
    """The code of a list of the town's law, by its code or its title."""
    codes = at.codes.get(kind, {})
    found = codes.get(bare(text)) or codes.get(re.sub(r"\b0+(?=\d)", "", bare(text)))
    if found is None:
        known = ", ".join(dict.fromkeys(codes.values()))
        raise Wrong("unknown_code", f"“{text}” não existe na lei do município.", f"A lei conhece: {known or 'nada'}.")
    return found


def status(text: str, at: Setting) -> str:
    if bare(text) not in active():
        raise Wrong("not_active", f"Situação “{text}”: só se importa o que está em vigor.", "Tire a linha da planilha.")
    return "active"


def yes_no(text: str, at: Setting) -> bool:
    plain = bare(text)
    if plain in YES or plain in NO:
        return plain in YES
    raise Wrong("form", f"“{text}” não é sim nem não.", "Escreva sim ou não.")


def cnh_categories(text: str, at: Setting) -> list[str]:
    """`AB`, `A/B`, `ACC e B`."""
    plain = re.sub(r"CATEGORIAS?|CAT\b| E ", " ", bare(text).upper())
    found = [letter for letter in CNH_LETTERS if _has(letter, plain)]
    left = re.sub(r"ACC|[A-E]|\s", "", plain)
    if not found or left:
        raise Wrong("form", f"Categoria de CNH inválida: “{text}”.", "Escreva as letras, como AB ou D.")
    return found


def _has(letter: str, plain: str) -> bool:
    return letter in (plain if letter == CNH_LETTERS[0] else plain.replace(CNH_LETTERS[0], ""))


# --- days and numbers --------------------------------------------------------------------------------------------


def day(text: str, at: Setting) -> date:
    """31/12/2026, 31.12.26, 31-12-2026, 2026-12-31, 31122026, or a spreadsheet's own count of days."""
    plain = text.strip()
    if found := ISO_DAY.fullmatch(plain):
        return _day(text, *(int(part) for part in found.groups()))
    if found := DAY.fullmatch(plain):
        return _day(text, _century(found["y"], text, at), int(found["m"]), int(found["d"]))
    if SERIAL.fullmatch(plain):
        epoch = CALENDAR_MAC_1904 if at.epoch_1904 else CALENDAR_WINDOWS_1900
        moment = from_excel(int(plain), epoch)
        return date(moment.year, moment.month, moment.day)
    if RUN_TOGETHER.fullmatch(plain):
        digits = plain.zfill(len("31122026"))
        return _day(text, int(digits[-len("2026") :]), int(digits[2 : -len("2026")]), int(digits[:2]))
    raise Wrong("form", f"Data inválida: “{text}”.", "Escreva dia/mês/ano, como 31/12/2026.")


def birth(text: str, at: Setting) -> date:
    found = day(text, at)
    if found > at.today:
        raise Wrong("future", f"A data de nascimento está no futuro: {found:%d/%m/%Y}.", "Escreva o ano inteiro.")
    return found


def _day(text: str, year: int, month: int, of_month: int) -> date:
    try:
        return date(year, month, of_month)
    except ValueError as error:
        hint = "Escreva dia/mês/ano, como 31/12/2026."
        if 1 <= month <= len(calendar.month_name) - 1 and year:
            hint = f"O mês {month} de {year} tem {calendar.monthrange(year, month)[1]} dias."
        raise Wrong("no_such_day", f"A data “{text}” não existe.", hint) from error


def _century(year: str, text: str, at: Setting) -> int:
    if len(year) > 2:
        return int(year)
    century = at.today.year // 100 * 100  # law-free: years of a century
    found = century + int(year)
    if found > at.today.year + YEARS_AHEAD:
        found -= 100  # law-free: years of a century
    at.remark("two_digit_year", f"O ano de “{text}” foi lido como {found}.", "Escreva o ano com quatro algarismos.")
    return found


def year(text: str, at: Setting) -> int:
    plain = text.strip()
    if plain.isdecimal() and len(plain) == 2:
        return _century(plain, text, at)
    if YEAR.fullmatch(plain):
        return int(plain)
    raise Wrong("form", f"Ano inválido: “{text}”.", "Escreva quatro algarismos.")


def years(text: str, at: Setting) -> tuple[int, int]:
    """2019/2020: made, and of the model."""
    parts = [part for part in re.split(r"[\s/\-]+", text.strip()) if part]
    if len(parts) not in (1, 2):
        raise Wrong("form", f"Anos inválidos: “{text}”.", "Escreva fabricação/modelo, como 2019/2020.")
    made = year(parts[0], at)
    return made, year(parts[-1], at)


def count(text: str, at: Setting) -> int:
    found = re.match(r"\d+", text.strip())
    if found is None or not int(found[0]) or len(found[0]) > 2:
        raise Wrong("form", f"Número inválido: “{text}”.", "Escreva só o número.")
    return int(found[0])


def spellings(codes: Iterator[tuple[str, str]]) -> dict[str, str]:
    """Codes by each way to write them; of two with one spelling, the first counts."""
    found: dict[str, str] = {}
    for spelling, code in codes:
        if plain := bare(spelling):
            found.setdefault(plain, code)
    return found
