"""Numbers that name people, companies and vehicles in Brazil: written the one way that the register keeps them.

Check digits are two libraries' business; what we add is the message, and which failures are only for review.
"""

import re

from stdnum.br import cnpj as cnpj_numbers
from stdnum.br import cpf as cpf_numbers
from stdnum.exceptions import ValidationError
from validate_docbr import CNH, RENAVAM

from services.errors import Invalid

CNH_CHECK_DIGITS = "cnh.check_digits"  # what stands in a driver's `review`
_OLD_PLATE = r"[A-Z]{3}\d{4}"
_MERCOSUL_PLATE = r"[A-Z]{3}\d[A-Z]\d{2}"
_PLATE = re.compile(f"{_OLD_PLATE}|{_MERCOSUL_PLATE}")
_NAME_MOST = 300  # law-free: letters of a name, longer than any
_DEVICE_NAME_MOST = 200  # law-free: letters of what a device calls a record
_RENAVAM_DIGITS = 11  # law-free: the length of the federal number; old ones had leading zeros taken off


def cpf(text: str) -> str:
    """Eleven digits."""
    try:
        return str(cpf_numbers.validate(text))
    except ValidationError as error:
        raise Invalid("cpf", "check_digits", "CPF inválido: confira os dígitos.") from error


def cnpj(text: str) -> str:
    """Fourteen digits, or the alphanumeric form."""
    try:
        return str(cnpj_numbers.validate(text.upper()))
    except ValidationError as error:
        raise Invalid("cnpj", "check_digits", "CNPJ inválido: confira letras e dígitos.") from error


def plate(text: str) -> str:
    """Seven characters, of the old form or the Mercosul one."""
    bare = re.sub(r"[\s-]", "", text).upper()
    if not _PLATE.fullmatch(bare):
        raise Invalid("plate", "form", "Placa inválida: escreva AAA9999 ou AAA9A99.")
    return bare


def renavam(text: str) -> str:
    """Eleven digits, leading zeros put back."""
    bare = re.sub(r"\D", "", text).zfill(_RENAVAM_DIGITS)
    if len(bare) != _RENAVAM_DIGITS or not RENAVAM().validate(bare):
        raise Invalid("renavam", "check_digits", "RENAVAM inválido: confira os dígitos.")
    return bare


def cnh(text: str) -> tuple[str, list[str]]:
    """The number as digits, and what someone must look at: a failing check digit is no refusal."""
    bare = re.sub(r"\D", "", text)
    if not bare:
        raise Invalid("cnhNumber", "form", "Número da CNH inválido: escreva os dígitos.")
    return bare, [] if CNH().validate(bare) else [CNH_CHECK_DIGITS]


def name(text: str) -> str:
    """Inner spaces once, ends bare."""
    bare = " ".join(text.split())
    if not bare:
        raise Invalid("name", "empty", "Informe o nome.")
    if len(bare) > _NAME_MOST:
        raise Invalid("name", "length", f"Um nome tem até {_NAME_MOST} letras.")
    return bare


def person_name(text: str) -> str:
    """The same, of a natural person: without digits, which a company's may have."""
    bare = name(text)
    if any(sign.isdigit() for sign in bare):
        raise Invalid("name", "digits", "O nome de uma pessoa não leva algarismos: escreva só o nome.")
    return bare


def device_name(text: str, field: str) -> str:
    """What a device calls a record of its own, as it is."""
    if not text.strip():
        raise Invalid(field, "missing", "Diga o nome que o aparelho dá ao registro.")
    if len(text) > _DEVICE_NAME_MOST or "\0" in text:
        raise Invalid(field, "length", f"O nome que o aparelho dá ao registro tem até {_DEVICE_NAME_MOST} letras.")
    return text


def email(text: str | None) -> str | None:
    if text is None or not text.strip():
        return None
    bare = text.strip()
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", bare):
        raise Invalid("email", "form", "E-mail inválido.")
    return bare
