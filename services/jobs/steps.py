"""What each kind of job does in one step. Subjects add theirs with `@step("…")`.

A step is one transaction: what it writes and where the next begins are committed together, so that whoever is killed
in the middle has done nothing of it, and nothing twice.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.access import Actor

if TYPE_CHECKING:
    from services.database import Transaction


@dataclass(frozen=True, slots=True)
class Task:
    """A job as its step sees it."""

    id: UUID
    subject_id: UUID
    done: int
    total: int | None
    cursor: Mapping[str, Any]
    requested_by: str
    office: str | None
    requested_act: UUID

    def actor(self, tenant_id: UUID) -> Actor:
        """Whoever asked for it: what they may was looked at when they asked."""
        offices = (self.office,) if self.office else ()
        return Actor(subject=self.requested_by, kind="office", tenant_id=tenant_id, offices=offices)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a step has come. `result`: of the whole job, with its last step."""

    done: int
    total: int | None = None
    cursor: Mapping[str, Any] = field(default_factory=dict)
    finished: bool = False
    result: Mapping[str, Any] | None = None


Step = Callable[["Transaction", Task], Awaitable[Progress]]
STEPS: dict[str, Step] = {}


def step(kind: str) -> Callable[[Step], Step]:
    """Name the function that does one step of a kind of job."""

    def register(function: Step) -> Step:
        STEPS[kind] = function
        return function

    return register
