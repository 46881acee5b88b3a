"""Spreadsheets as towns have them, made of people and cars that are nobody's."""

import csv
import io
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import openpyxl

from deploy.fictitious import names
from deploy.fictitious.numbers import Numbers

HEADERS = (
    *("Nº Permissão", "PERMISSIONÁRIO", "C.P.F.", "Nascimento", "CNH nº", "Cat. CNH", "Validade CNH"),
    *("Placa", "RENAVAM", "Ano/Modelo", "Portas", "Data da Permissão", "Validade Permissão"),
    *("Alvará nº", "Data do Alvará", "Validade do Alvará", "Observações"),
)


def person(chance: Random, numbers: Numbers, at: int, today: date) -> dict[str, Any]:
    """One row by its headers, every value as it should be."""
    made = today.year - chance.randint(1, 4)
    granted = today - timedelta(days=chance.randint(400, 1400))
    issued = today - timedelta(days=chance.randint(20, 300))
    return {
        "Nº Permissão": f"{at:04d}",
        "PERMISSIONÁRIO": names.person(chance, woman=at % 2 == 0).upper(),
        "C.P.F.": numbers.cpf(),
        "Nascimento": date(1950 + at % 50, 1 + at % 12, 1 + at % 28),
        "CNH nº": numbers.cnh(),
        "Cat. CNH": chance.choice(["B", "AB", "A/D", "D"]),
        "Validade CNH": today + timedelta(days=chance.randint(-30, 2000)),
        "Placa": numbers.plate(mercosul=at % 2 == 0),
        "RENAVAM": numbers.renavam(),
        "Ano/Modelo": f"{made}/{made + at % 2}",
        "Portas": 4,
        "Data da Permissão": granted,
        "Validade Permissão": today + timedelta(days=chance.randint(30, 900)),
        "Alvará nº": f"A-{at}",
        "Data do Alvará": issued,
        "Validade do Alvará": issued + timedelta(days=chance.randint(25, 365)),
        "Observações": "",
    }


def people(how_many: int, today: date, seed: str = "sheet") -> list[dict[str, Any]]:
    chance = Random(seed)  # noqa: S311 - the same every time
    numbers = Numbers(chance)
    return [person(chance, numbers, at, today) for at in range(1, how_many + 1)]


def xlsx(rows: Sequence[Sequence[Any]]) -> bytes:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Cadastro")
    for row in rows:
        sheet.append(list(row))
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def table(rows: Sequence[dict[str, Any]], headers: Sequence[str] = HEADERS) -> list[list[Any]]:
    """The header and the rows under it."""
    return [list(headers), *([row.get(header, "") for header in headers] for row in rows)]


def as_csv(rows: Sequence[Sequence[Any]], *, separator: str = ";", encoding: str = "cp1252") -> bytes:
    """Days as people write them."""
    kept = io.StringIO()
    writer = csv.writer(kept, delimiter=separator)
    for row in rows:
        writer.writerow([f"{cell:%d/%m/%Y}" if isinstance(cell, date) else cell for cell in row])
    return kept.getvalue().encode(encoding)
