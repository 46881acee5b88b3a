"""A name's cell into which a number, a plate or somebody else was merged: taken apart only where it has one reading."""

from datetime import date
from typing import Any

import pytest

from services.importing.cells import Setting, Wrong
from services.importing.merged import taken_apart

CPF, OTHER_CPF, CNPJ, PLATE = "12345678909", "11144477735", "11222333000181", "ABC1D23"
TODAY = date(2026, 3, 10)


def apart(text: str, field: str = "name", **record: Any) -> tuple[dict[str, str], list[str]]:
    setting = Setting(TODAY)
    found = taken_apart(field, text, record, setting)
    return found, [remark.code for remark in setting.remarks]


@pytest.mark.parametrize(
    "cell",
    [
        "JOÃO DA SILVA - CPF 123.456.789-09",
        "JOÃO DA SILVA - CPF nº 123.456.789-09",
        "JOÃO DA SILVA (C.P.F.: 12345678909)",
        "CPF 123.456.789-09 - JOÃO DA SILVA",
        "JOÃO DA SILVA, CPF/MF 123456789-09",
        "JOÃO DA SILVA 12345678909",
        "JOÃO DA SILVA / 123.456.789-09",
    ],
)
def test_a_cpf_is_taken_out_of_the_name_and_is_the_row_s_where_it_has_none(cell: str) -> None:
    assert apart(cell) == ({"name": "JOÃO DA SILVA", "cpf": CPF}, ["merged"])
    assert apart(cell, cpf=CPF) == ({"name": "JOÃO DA SILVA"}, ["merged"])
    assert apart(cell, "driver_name", cnpj=CNPJ) == ({"driver_name": "JOÃO DA SILVA", "driver_cpf": CPF}, ["merged"])


@pytest.mark.parametrize("cell", ["JOSÉ SOUZA / ABC1D23", "JOSÉ SOUZA - placa abc-1d23", "JOSÉ SOUZA (ABC1D23)"])
def test_so_is_a_plate(cell: str) -> None:
    assert apart(cell, cpf=CPF) == ({"name": "JOSÉ SOUZA", "plate": PLATE}, ["merged"])
    assert apart(cell, cpf=CPF, plate=PLATE) == ({"name": "JOSÉ SOUZA"}, ["merged"])


def test_several_things_are_taken_out_at_once() -> None:
    found, remarks = apart("JOSÉ SOUZA - CPF 123.456.789-09 - ABC1D23")

    assert found == {"name": "JOSÉ SOUZA", "cpf": CPF, "plate": PLATE}
    assert remarks == ["merged", "merged"]


@pytest.mark.parametrize(
    ("cell", "record"),
    [
        ("JOÃO DA SILVA - CPF 123.456.789-09", {"cpf": OTHER_CPF}),
        ("JOÃO DA SILVA - CPF 123.456.789-09", {"cnpj": CNPJ}),
        ("JOÃO DA SILVA - 11.222.333/0001-81", {"cpf": CPF}),
        ("JOSÉ SOUZA / ABC1D23", {"cpf": CPF, "plate": "ABC1D24"}),
    ],
)
def test_what_another_cell_denies_is_an_error(cell: str, record: dict[str, str]) -> None:
    with pytest.raises(Wrong) as wrong:
        apart(cell, **record)

    assert wrong.value.code == "contradicts"


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("JOÃO DA SILVA 1234", "digits"),
        ("JOÃO DA SILVA - RG 11144477735", "digits"),
        ("JOÃO DA SILVA - (66) 99999-1234", "digits"),
        ("JOÃO DA SILVA - CPF 123.456.789-00", "check_digits"),
        ("João da Silva (Maria, cônjuge)", "several"),
        ("JOÃO SILVA / MARIA SILVA", "several"),
        ("João Silva; Maria Silva", "several"),
        ("João Silva - titular", "several"),
        ("JOÃO CPF 123.456.789-09 / MARIA CPF 111.444.777-35", "several"),
        ("123.456.789-09", "empty"),
    ],
)
def test_what_has_no_one_reading_is_an_error_that_says_nothing_of_the_cell(cell: str, code: str) -> None:
    with pytest.raises(Wrong) as wrong:
        apart(cell, cpf=CPF)

    said = f"{wrong.value} {wrong.value.hint}"
    assert wrong.value.code == code
    assert "célula" in said or "nome" in said
    assert not any(sign.isdigit() for sign in said)
    assert not {"joão", "maria", "silva"} & set(said.lower().split())


@pytest.mark.parametrize(
    ("name", "remarks"),
    [
        ("João Silva e Maria Silva", ["two_names"]),
        ("João Silva ou Maria Silva", ["two_names"]),
        ("Arthur da Costa e Silva", []),
        ("Ana d'Ávila Sant'Anna-Reis Jr.", []),
        ("Espólio de João da Silva", []),
    ],
)
def test_two_names_joined_by_a_word_may_be_one_person_s_and_are_only_remarked(name: str, remarks: list[str]) -> None:
    assert apart(name, cpf=CPF) == ({"name": name}, remarks)


@pytest.mark.parametrize("name", ["Táxi 24 Horas Ltda", "Silva & Reis (Táxis) S/A", "JOAO DA SILVA 12345678909"])
def test_a_company_s_name_is_its_own_with_digits_and_signs(name: str) -> None:
    """One of them is called by its owner's CPF, as small ones are."""
    assert apart(name, cnpj=CNPJ) == ({"name": name}, [])


def test_a_company_s_number_is_taken_out_of_its_name() -> None:
    assert apart("Táxi 24 Horas Ltda (CNPJ 11.222.333/0001-81)") == (
        {"name": "Táxi 24 Horas Ltda", "cnpj": CNPJ},
        ["merged"],
    )
