"""What a code of a failure means, in Portuguese; what is no code has been written for people already."""

import pytest

from services.watching.saying import meaning


@pytest.mark.parametrize(
    ("error", "part"),
    [
        ("NoLawInForce NO_LAW_IN_FORCE", "não tem lei"),
        ("DBAPIError 57014", "demorou mais"),
        ("Contended CONFLICT", "simultânea"),
        ("OperationalError 57P01", "fora do ar"),
        ("ConnectionRefusedError", "fora do ar"),
        ("DBAPIError 08006", "fora do ar"),
        ("WorkerLostError", "interrompido"),
        ("gave up", "interrompido"),
        ("Refused REFUSED", "não permite"),
        ("RuntimeError", "(RuntimeError)"),
        ("DBAPIError P0001", "(DBAPIError P0001)"),
    ],
)
def test_a_code_is_told_in_words(error: str, part: str) -> None:
    said = meaning(error)

    assert said is not None
    assert part in said
    assert said[-1] == "."


@pytest.mark.parametrize("error", [None, "O arquivo não serve.", "A coluna Placa falta."])
def test_words_for_people_stay(error: str | None) -> None:
    assert meaning(error) == error
