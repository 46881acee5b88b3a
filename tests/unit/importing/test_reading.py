"""Files as towns have them: encodings, separators, headers that are not on the first row, workbooks that lie."""

import io
import zipfile
from datetime import date, datetime

import pytest

from services.errors import Invalid
from services.importing import cells
from services.importing.cells import Setting, Wrong
from services.importing.columns import bare, columns_of, fields, header_row, known, letters
from services.importing.reading import CSV, XLSX, Limits, read
from tests.support.sheets import as_csv, xlsx

LIMITS = Limits(rows=100, columns=30, unpacked_bytes=10_000_000)
ROWS = [["Nome", "CPF"], ["José Conceição", "111.444.777-35"], ["", ""], ["Ana; Souza", "1"]]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_csv_is_read_in_every_encoding_with_every_separator(separator: str, encoding: str) -> None:
    table = read(as_csv(ROWS, separator=separator, encoding=encoding), CSV, LIMITS)

    assert list(table.rows) == [(1, ROWS[0]), (2, ROWS[1]), (4, ROWS[3])]


def test_a_workbook_s_cells_are_what_someone_would_type() -> None:
    row = [12345678901, 7.0, 1.5, datetime(2026, 3, 10, 12), date(2026, 3, 11), True, None, "  x "]  # noqa: DTZ001 - a workbook knows no zones
    (found,) = read(xlsx([row]), XLSX, LIMITS).rows

    assert found == (1, ["12345678901", "7", "1.5", "2026-03-10", "2026-03-11", "sim", "", "x"])


def test_row_numbers_are_the_spreadsheet_s_own() -> None:
    assert [number for number, _ in read(xlsx([["a"], [None], [None], ["b"]]), XLSX, LIMITS).rows] == [1, 4]


@pytest.mark.parametrize("content", [b"PK\x03\x04 no archive", b"", b"\xd0\xcf\x11\xe0 an old workbook"])
def test_what_is_no_workbook_is_said_so(content: bytes) -> None:
    with pytest.raises(Invalid, match="XLSX"):
        read(content, XLSX, LIMITS)


def test_an_archive_without_a_workbook_and_one_too_large_are_refused() -> None:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", b"0" * 20_000_000)

    with pytest.raises(Invalid, match="grande demais"):
        read(kept.getvalue(), XLSX, LIMITS)
    with pytest.raises(Invalid, match="XLSX"):
        read(kept.getvalue(), XLSX, Limits(100, 30, 10**9))


def test_more_rows_than_are_read_are_refused() -> None:
    with pytest.raises(Invalid, match="mais de 100 linhas"):
        read(as_csv([["a", "b"]] * 101), CSV, LIMITS)


def test_the_header_is_found_under_a_title_and_its_columns_by_what_towns_call_them() -> None:
    rows = [["PREFEITURA MUNICIPAL"], ["Relação de taxistas", "2026"], ["Nº ORDEM", "Permissionário", "C.P.F.", "Cor"]]
    at = header_row(rows, {})

    assert at == 2
    assert [(c.letter, c.field) for c in columns_of(rows[at], {})] == [
        ("A", "permit_number"),
        ("B", "name"),
        ("C", "cpf"),
        ("D", None),
    ]


def test_what_the_caller_says_of_a_column_wins() -> None:
    header = ["Ordem", "Nome", "Código", "CPF"]
    found = columns_of(header, {"Código": "permit_number", "CPF": ""})

    assert [column.field for column in found] == [None, "name", "permit_number", None]


def test_without_a_header_nothing_is_guessed() -> None:
    with pytest.raises(Invalid, match="cabeçalho"):
        header_row([["a", "b"], ["c", "d"]], {})


def test_every_header_that_is_known_is_written_as_it_is_compared_and_names_one_field() -> None:
    said = [(header, code) for code, each in known()["field"].items() for header in each["headers"]]

    assert [header for header, _ in said if bare(header) != header] == []
    assert len({header for header, _ in said}) == len(said)
    assert set(known()["field"]) == set(fields())


def test_columns_are_lettered_as_a_spreadsheet_does() -> None:
    assert [letters(at) for at in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]


SETTING = Setting(date(2026, 3, 10))


@pytest.mark.parametrize(
    ("reader", "text", "code"),
    [
        (cells.cpf, "1,23457E+10", "lost_digits"),
        (cells.cpf, "111.444.777-36", "check_digits"),
        (cells.cpf, "ABC", "form"),
        (cells.plate, "AB-1234", "form"),
        (cells.day, "31/02/2020", "no_such_day"),
        (cells.day, "2020", "form"),
        (cells.birth, "01/01/2030", "future"),
        (cells.yes_no, "talvez", "form"),
        (cells.status, "Cancelado", "not_active"),
        (cells.cnh_categories, "X", "form"),
        (cells.year, "20x9", "form"),
        (cells.count, "zero", "form"),
        (cells.email, "ana@", "form"),
    ],
)
def test_a_cell_that_cannot_be_read_says_why_and_what_to_do(reader: object, text: str, code: str) -> None:
    with pytest.raises(Wrong) as wrong:
        reader(text, SETTING)  # type: ignore[operator]

    assert wrong.value.code == code
    assert wrong.value.hint


def test_small_words_are_read_as_people_mean_them() -> None:
    assert [cells.yes_no(text, SETTING) for text in ("Sim", "S", "x", "NÃO", "n", "0")] == [True] * 3 + [False] * 3
    assert cells.cnh_categories("Categoria A/D", SETTING) == ["A", "D"]
    assert cells.cnh_categories("ACC e B", SETTING) == ["ACC", "B"]
    assert cells.years("2019/2020", SETTING) == (2019, 2020)
    assert cells.years("2019", SETTING) == (2019, 2019)
    assert cells.count("4 portas", SETTING) == 4
    assert cells.name("  JOSE   DA\u00a0SILVA ", SETTING) == "JOSE DA SILVA"
    assert cells.is_blank(" Não informado ")
    assert cells.is_blank("-")
    assert not cells.is_blank("0")
