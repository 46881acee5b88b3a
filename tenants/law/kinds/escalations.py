"""Before whom a matter comes when the authority lets its own term pass: nothing is decided by that alone."""

from typing import Any

from pydantic import model_validator

from tenants.law.loading import Cites
from tenants.law.rule import OfficeRef, Table
from tenants.law.values import Value


class Escalate(Table):
    """An office that the matter comes before, at once or so long ``after`` the last day; ``counting``: how."""

    to: OfficeRef
    after: Value | None = None
    counting: str | None = None
    cite: Cites = ()

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, raw: Any) -> Any:
        return {"to": raw} if isinstance(raw, str) else raw
