"""The text of an act, exactly as it is stored and hashed.

That of a seal, and of the act of a deadline that is over, is written in SQL (`set_seal`, `expire`), in the same form.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tenants.law.decision import Decision, plain

# Columns whose values stay out of acts, which cannot be erased: that they changed is recorded, not what they hold.
PRIVATE = frozenset({"cpf", "name", "email", "birth_on", "cnh_number", "attributes", "address"})
WITHHELD = "[dado pessoal]"


@dataclass(frozen=True, slots=True)
class Stated:
    """What an act says, apart from its columns. A decision that many acts rest on may come in its plain form."""

    decision: Decision | Mapping[str, Any] | None = None
    changes: Mapping[str, Any] | None = None
    why: str | None = None


def canonical(value: Any) -> str:
    """One text for one value: keys in order, no spaces, letters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def simple(value: Any) -> Any:
    """In JSON's own types, exactly; ids and moments as text."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(key): simple(inner) for key, inner in value.items()}
        case list() | tuple():
            return [simple(inner) for inner in value]
    return plain(value)


def shown(changes: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: WITHHELD if name in PRIVATE else simple(value) for name, value in (changes or {}).items()}


def columns_of(row: Any) -> dict[str, Any]:
    """The columns of an act that its body repeats, so that an edited column shows."""
    return {
        "verb": row.verb,
        "actor": row.actor,
        "office": row.office,
        "at": row.at.isoformat(),
        "localDay": row.local_day.isoformat(),
        "legalDay": row.legal_day.isoformat(),
        "on": {"kind": row.subject_kind, "id": None if row.subject_id is None else str(row.subject_id)},
        "request": row.request_id,
        "result": row.result,
    }


def act_body(row: Any, stated: Stated) -> str:
    decision = stated.decision.plain() if isinstance(stated.decision, Decision) else stated.decision
    said = {"decision": decision, "changes": shown(stated.changes), "why": stated.why}
    return canonical({**columns_of(row), **said})


def digest(body: str, salt: bytes = b"") -> bytes:
    return hashlib.sha256(salt + body.encode()).digest()
