"""A town's file as rows of text: a workbook (XLSX) or CSV, in the encodings and with the separators that are met."""

import codecs
import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.utils.exceptions import InvalidFileException

from services.errors import Invalid
from services.importing.columns import LOOKED_AT

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SEPARATORS = ";,\t|"


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest file that is read."""

    rows: int
    columns: int
    unpacked_bytes: int


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text with their numbers as a spreadsheet shows them. `epoch_1904`: how its days are counted."""

    rows: Sequence[tuple[int, list[str]]]
    epoch_1904: bool = False


def read(content: bytes, media_type: str, limits: Limits, sheet: str | None = None) -> Table:
    """Every row that is not empty.

    Raises:
        Invalid: It is no such file, or larger than is read.
    """
    return _workbook(content, limits, sheet) if media_type == XLSX else _csv(content, limits)


# --- workbooks -------------------------------------------------------------------------------------------------


def _workbook(content: bytes, limits: Limits, sheet: str | None) -> Table:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > limits.unpacked_bytes:
                raise Invalid("file", "too_large", "A planilha, descompactada, é grande demais.")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, OSError) as error:
        raise Invalid("file", "form", "O arquivo não é uma planilha XLSX. Salve-a de novo como XLSX ou CSV.") from error
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise Invalid("sheet", "unknown", f"A planilha tem as abas: {', '.join(book.sheetnames)}.")
        page = book[sheet] if sheet else book.worksheets[0]
        page.reset_dimensions()  # what a file says of its own size is often wrong
        rows = page.iter_rows(max_col=limits.columns, values_only=True)
        texts = ((number, [text_of(cell) for cell in row]) for number, row in enumerate(rows, start=1))
        return Table(list(_few(texts, limits.rows)), book.epoch == CALENDAR_MAC_1904)
    finally:
        book.close()


def text_of(cell: Any) -> str:
    """A cell as someone would type it; whole numbers without a point, days as 2026-01-31."""
    match cell:
        case None:
            return ""
        case bool():
            return "sim" if cell else "não"
        case datetime():
            return cell.date().isoformat()
        case date():
            return cell.isoformat()
        case time():
            return ""  # a day that a formula emptied
        case float() if cell.is_integer():
            return str(int(cell))
    return str(cell).strip()


# --- CSV -------------------------------------------------------------------------------------------------------


def _csv(content: bytes, limits: Limits) -> Table:
    text = decoded(content)
    if "\0" in text:
        raise Invalid("file", "form", "O arquivo não é CSV. Envie XLSX ou CSV.")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator(text))
    rows = ((number, [cell.strip() for cell in row[: limits.columns]]) for number, row in enumerate(reader, start=1))
    try:
        return Table(list(_few(rows, limits.rows)))
    except csv.Error as error:
        raise Invalid("file", "form", f"O CSV não pôde ser lido: {error}.") from error


def decoded(content: bytes) -> str:
    """UTF-8, else what Windows in Brazil writes; UTF-16 where its mark says so."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def separator(text: str) -> str:
    """The one that splits the first lines into the most cells."""
    lines = [line for line in text.splitlines() if line.strip()][:LOOKED_AT]
    return max(SEPARATORS, key=lambda sign: sum(len(row) for row in csv.reader(lines, delimiter=sign)))


def _few(rows: Iterator[tuple[int, list[str]]], most: int) -> Iterator[tuple[int, list[str]]]:
    """Those that hold something. Raises Invalid when they are too many."""
    kept = 0
    for number, row in rows:
        if any(row):
            kept += 1
            if kept > most:
                raise Invalid("file", "too_many", f"A planilha tem mais de {most} linhas. Divida-a.")
            while not row[-1]:
                row.pop()
            yield number, row
