"""What is wrong with one row, as it is found."""

from dataclasses import dataclass, field

from services.importing.cleaning import Issue


@dataclass(slots=True)
class Problems:
    row: int
    found: list[Issue] = field(default_factory=list)

    @property
    def errors(self) -> bool:
        return any(issue.severity == "error" for issue in self.found)

    def error(self, code: str, message: str, hint: str, field: str) -> None:
        self.found.append(Issue(self.row, "error", code, message, hint, field=field))

    def warning(self, code: str, message: str, hint: str, field: str) -> None:
        self.found.append(Issue(self.row, "warning", code, message, hint, field=field))
