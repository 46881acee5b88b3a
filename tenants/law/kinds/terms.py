"""Terms (what must happen by when), fees."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from tenants.law.events import EVENTS
from tenants.law.kinds.effects import Effect
from tenants.law.kinds.escalations import Escalate
from tenants.law.loading import Cel, Cites, Codes, Many
from tenants.law.rule import OfficeRef, Rule, Table
from tenants.law.values import Value


class Late(Table):
    """What follows so long after the last day: an infraction, a process that may (or must) be opened, an effect.

    ``counting`` where it differs from the term's. ``also``: infractions that the same lateness is besides.
    """

    after: Value
    counting: str | None = None
    infraction: str | None = None
    also: Codes = ()
    opens: str | None = None  # the infraction whose process may be opened
    must_open: bool = False
    effect: Effect | None = None
    decides: OfficeRef | None = None
    cite: Cites = ()


class Term(Rule):
    """A term. ``starts`` is the event that sets it running, ``met_by`` the event that meets it.

    ``length`` from the event, or ``ends`` on a day of each year (of so many years as ``length`` says) or on the day
    of a fact; neither: what is counted is lateness, from the event itself. A validity day never rolls.
    ``follows``: an end that depends on a fact moves with it; otherwise it is fixed when the term opens.
    ``binds``: the party who must act, or the authority, whom silence never decides for.
    ``escalates``: before whom a term that binds the authority comes when it lets it pass.
    ``incomplete``: the infraction that an act is which meets the term without its papers.
    """

    kind: ClassVar[str] = "term"
    of: str  # the subject: permit, licence, vehicle, driver, paper, fine, case, complaint, selection, tariff
    starts: str
    length: Value | None = None
    ends: Value | None = None
    counting: str | None = None
    met_by: Codes = ()
    binds: Literal["party", "authority"] = "party"
    escalates: Annotated[tuple[Escalate, ...], Many] = ()
    validity: bool = False
    follows: bool = False
    renewals: Value | None = None
    window: Value | None = None  # how long before the end renewal may be asked
    late: tuple[Late, ...] = ()
    incomplete: str | None = None

    @model_validator(mode="after")
    def _runs_by_known_events(self) -> Self:
        """A term that no event of the register sets running, or meets, would never run."""
        if self.of not in EVENTS:
            raise PydanticCustomError("event", "a term is of one of {known}", {"known": ", ".join(sorted(EVENTS))})
        known = EVENTS[self.of]
        for event in (self.starts, *self.met_by):
            if event not in known:
                why = {"event": event, "of": self.of, "known": ", ".join(sorted(known))}
                raise PydanticCustomError("event", "{event!r} is no event of a {of}: {known}", why)
        return self


class Waiver(Table):
    """When a fee is not due: for cases with these keys, under this condition; who asks for it proves it."""

    applies: dict[str, Codes] = Field(default_factory=dict)
    when: Cel | None = Field(default=None, alias="if")
    part: Value | None = None  # the percentage waived; absent: all of it
    cite: Cites = ()


class Fee(Rule):
    """A fee of an act. ``instalments``: at most so many; ``every``: due again each time."""

    kind: ClassVar[str] = "fee"
    of: str
    amount: Value | None = None  # absent: as the town's tax law says
    every: Value | None = None
    instalments: int = Field(default=1, ge=1)
    waive: Annotated[tuple[Waiver, ...], Many] = ()
