"""Numbers that pass their checks and are nobody's: drawn, then ended with the digits that their own check accepts."""

from collections.abc import Callable
from random import Random

from stdnum.br import cnpj, cpf
from validate_docbr import CNH, RENAVAM

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Numbers:
    """Draws numbers of each sort, none twice."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._drawn: set[str] = set()

    def cpf(self) -> str:
        return self._new(lambda: ended(self._of(DIGITS, 9), 2, cpf.is_valid))

    def cnpj(self, *, letters: bool = False) -> str:
        """``letters``: the alphanumeric form, given out since July 2026."""
        signs = DIGITS + LETTERS if letters else DIGITS
        return self._new(lambda: ended(f"{self._of(signs, 8)}0001", 2, cnpj.is_valid))

    def cnh(self) -> str:
        return self._new(lambda: ended(self._of(DIGITS, 9), 2, CNH().validate))

    def failing_cnh(self) -> str:
        """With a last digit that is one too low, as a slip of the finger makes it."""
        good = self.cnh()
        return good[:-1] + DIGITS[int(good[-1]) - 1]

    def renavam(self) -> str:
        return self._new(lambda: ended(f"0{self._of(DIGITS, 9)}", 1, RENAVAM().validate))

    def plate(self, *, mercosul: bool) -> str:
        """Of the old form (AAA9999) or the Mercosul one (AAA9A99)."""
        fifth = LETTERS if mercosul else DIGITS
        return self._new(
            lambda: f"ZZ{self._of(LETTERS, 1)}{self._of(DIGITS, 1)}{self._of(fifth, 1)}{self._of(DIGITS, 2)}"
        )

    def _of(self, signs: str, how_many: int) -> str:
        return "".join(self._chance.choices(signs, k=how_many))

    def _new(self, draw: Callable[[], str]) -> str:
        number = draw()
        while number in self._drawn:
            number = draw()
        self._drawn.add(number)
        return number


def ended(body: str, digits: int, valid: Callable[[str], bool]) -> str:
    """The body with its check digits: the ending that passes."""
    endings = (f"{body}{ending:0{digits}d}" for ending in range(len(DIGITS) ** digits))
    return next(number for number in endings if valid(number))
