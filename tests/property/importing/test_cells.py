"""Whatever a spreadsheet does to a number, a plate or a day on the way, the same value comes out; nothing else does."""

import contextlib
from datetime import date, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils.datetime import CALENDAR_MAC_1904, to_excel

from deploy.fictitious.numbers import Numbers
from services.importing import cells
from services.importing.cells import Setting, Wrong
from services.importing.cleaning import READERS

TODAY = date(2026, 3, 10)
SEEDS = st.integers(0, 10_000)
DAYS = st.dates(date(1955, 1, 1), date(2099, 12, 31))
SPACES = st.text(" \u00a0\t", max_size=3)


def numbers(seed: int) -> Numbers:
    return Numbers(Random(seed))  # noqa: S311 - the same every time


def at(*, epoch_1904: bool = False) -> Setting:
    return Setting(TODAY, epoch_1904, codes={"stand": {"1": "1", "ponto 1": "1"}})


@given(SEEDS, SPACES, st.sampled_from(["plain", "dots", "number"]))
def test_a_cpf_comes_back_whole_with_dots_spaces_or_zeros_lost(seed: int, space: str, form: str) -> None:
    cpf = numbers(seed).cpf()
    shapes = {"plain": cpf, "dots": f"{cpf[:3]}.{cpf[3:6]}.{cpf[6:9]}-{cpf[9:]}", "number": str(int(cpf))}

    assert cells.cpf(f"{space}{shapes[form]}{space}", at()) == cpf
    assert cells.document(shapes[form], at()) == ("cpf", cpf)


@given(SEEDS, st.integers(1, 9))
def test_a_cpf_whose_last_digit_slipped_is_refused(seed: int, by: int) -> None:
    cpf = numbers(seed).cpf()
    slipped = cpf[:-1] + str((int(cpf[-1]) + by) % 10)

    with contextlib.suppress(Wrong):
        raise AssertionError(cells.cpf(slipped, at()))


@given(SEEDS, st.booleans())
def test_a_cnpj_comes_back_whole(seed: int, letters: bool) -> None:
    cnpj = numbers(seed).cnpj(letters=letters)
    lost = cnpj.lstrip("0") if cnpj.isdigit() else cnpj

    assert cells.cnpj(lost, at()) == cnpj
    assert cells.document(f"{cnpj[:2]}.{cnpj[2:5]}.{cnpj[5:8]}/{cnpj[8:12]}-{cnpj[12:]}", at()) == ("cnpj", cnpj)


@given(SEEDS, st.booleans(), st.sampled_from(["", "-", " ", " - ", "."]), st.booleans())
def test_a_plate_is_the_same_with_hyphen_space_and_small_letters(
    seed: int, mercosul: bool, sign: str, lower: bool
) -> None:
    plate = numbers(seed).plate(mercosul=mercosul)
    written = f"{plate[:3]}{sign}{plate[3:]}"

    assert cells.plate(written.lower() if lower else written, at()) == plate


@given(SEEDS)
def test_renavam_and_cnh_get_their_zeros_back(seed: int) -> None:
    renavam, cnh = numbers(seed).renavam(), numbers(seed).cnh()
    setting = at()

    assert cells.renavam(str(int(renavam)), setting) == renavam
    assert cells.cnh(str(int(cnh)), setting) == cnh
    assert {remark.code for remark in setting.remarks} <= {"zeros"}


@given(SEEDS)
def test_a_cnh_whose_digits_fail_is_kept_and_marked(seed: int) -> None:
    failing, setting = numbers(seed).failing_cnh(), at()

    assert cells.cnh(failing, setting) == failing.zfill(11)
    assert "check_digits" in {remark.code for remark in setting.remarks}


@given(DAYS, st.sampled_from("/.-"))
def test_a_day_is_the_same_in_every_form(day: date, sign: str) -> None:
    forms = [day.isoformat(), f"{day:%d{sign}%m{sign}%Y}", f"{day.day}{sign}{day.month}{sign}{day.year}"]
    forms += [f"{day:%d%m%Y}", f"{day:%d/%m/%Y} 00:00:00", f"{day.isoformat()} 00:00:00"]

    assert {cells.day(form, at()) for form in forms} == {day}
    assert cells.day(str(int(to_excel(day))), at()) == day
    if int(to_excel(day, CALENDAR_MAC_1904)) >= 20_000:
        assert cells.day(str(int(to_excel(day, CALENDAR_MAC_1904))), at(epoch_1904=True)) == day


@given(st.dates(TODAY - timedelta(days=365 * 79), TODAY + timedelta(days=365 * 19)))
def test_a_year_of_two_digits_is_the_nearest_and_remarked(day: date) -> None:
    setting = at()

    assert cells.day(f"{day:%d/%m/%y}", setting) == day
    assert [remark.code for remark in setting.remarks] == ["two_digit_year"]


@given(st.text(max_size=30), st.sampled_from(sorted(READERS)))
def test_no_text_breaks_a_reader(text: str, kind: str) -> None:
    """It gives a value or says what is wrong, in words."""
    said = ["a value"]
    try:
        READERS[kind](text, at())
    except Wrong as wrong:
        said = [wrong.code, wrong.message]

    assert all(said)
