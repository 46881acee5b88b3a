"""The noes that are expected, each with a message for people; whatever else is raised is a bug and stays masked.

Expected
├── Refused        the law says no, or has not said; carries the decision
├── Invalid        an input is wrong; names the field
├── NotFound       also for what belongs to another town
├── Conflict       somebody was faster, or a request was repeated with other input
│   └── Contended  two transactions stood in each other's way: trying again may succeed
├── Forbidden      the actor holds no office that may do this
└── NoLawInForce   the town has no law on that day
"""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tenants.law.decision import Decision


class Expected(Exception):
    """An expected no. `code` is for programs; `str()` is for people, in Portuguese."""

    code = "EXPECTED"


class Refused(Expected):
    code = "REFUSED"

    def __init__(self, decision: "Decision") -> None:
        super().__init__(decision.message)
        self.decision = decision


class Invalid(Expected):
    """`field` as the input names it; `problem` is a stable word for programs."""

    code = "INVALID"

    def __init__(self, field: str, problem: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.problem = problem


class NotFound(Expected):
    code = "NOT_FOUND"

    def __init__(self, kind: str = "", key: object = None) -> None:
        super().__init__("Registro não encontrado.")
        self.kind = kind
        self.key = key


class Conflict(Expected):
    """Versions as the caller knew it and as it is; both absent when the conflict is not one of versions."""

    code = "CONFLICT"

    def __init__(
        self,
        expected: int | None = None,
        actual: int | None = None,
        *,
        message: str | None = None,
        constraint: str = "",
    ) -> None:
        super().__init__(message or "O registro foi alterado por outra pessoa. Atualize e tente de novo.")
        self.expected = expected
        self.actual = actual
        self.constraint = constraint


class Contended(Conflict):
    def __init__(self, cause: str) -> None:
        super().__init__(message="Outra operação simultânea impediu esta. Tente de novo.")
        self.cause = cause


class Forbidden(Expected):
    """The power is one of the system's words; the citations say who does have it."""

    code = "FORBIDDEN"

    def __init__(self, power: str, citations: Sequence[str] = ()) -> None:
        why = f" Competência: {'; '.join(citations)}." if citations else ""
        super().__init__(f"Você não tem competência para este ato.{why}")
        self.power = power
        self.citations = tuple(citations)


class NoLawInForce(Expected):
    code = "NO_LAW_IN_FORCE"

    def __init__(self, day: date) -> None:
        super().__init__(f"O município não tem lei publicada que vigore em {day:%d/%m/%Y}.")
        self.day = day
