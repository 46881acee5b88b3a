"""What the fictitious register of a town is made of: one TOML file a town, beside which no code knows any of it.

All days are told as days before the town's today, so that the register shows every state whenever it is made.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

PLANS = Path(__file__).parent / "plans"
SAMPLES = Path(__file__).parent / "samples"
PACKS = Path(__file__).resolve().parents[2] / "tenants" / "municipalities"

Ago = tuple[int, int]  # days before today, the longer ago first; a day between them is drawn


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Account(_Table):
    """A token's subject. ``role`` is what the welcome calls it; without offices it is somebody of the register."""

    role: str
    subject: str
    name: str
    offices: tuple[str, ...] = ()


class Ended(_Table):
    """How permits of a cohort ended: the cause, and how long ago."""

    cause: str
    ago: Ago


class Fined(_Table):
    """Fines of a cohort. ``every``: one member in so many; the offence was ``ago``, and told on the same day."""

    infractions: tuple[str, ...]
    ago: Ago
    every: int = Field(default=1, ge=1)


class Inspected(_Table):
    """Inspections of a cohort's vehicles. ``rejected``: rules found not met; ``lacking``: items; none: it passes."""

    rule: str
    ago: Ago
    rejected: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    every: int = Field(default=1, ge=1)  # one member in so many
    first: int = Field(default=0, ge=0)  # beginning with this one

    def concerns(self, at: int) -> bool:
        return at >= self.first and (at - self.first) % self.every == 0


class Cohort(_Table):
    """People of one story.

    Args:
        facts: Beside or instead of the plan's own; an empty text leaves a fact unproven.
        without: Papers that are missing.
        aged: Of the vehicle, in years, when the permit was granted (without one: today); a pair is drawn between.
        swapped: A newer vehicle came in, so long ago.
        licensed: The licences, the first first.
        account: The subject of a token that means the first of them.
    """

    code: str
    count: int = Field(ge=1)
    category: str = ""
    holder: str = ""  # a kind of holder of the law; none: drivers who hold nothing
    company: bool = False
    cnh: tuple[str, ...] = ()
    review: bool = False  # a CNH number whose check digits fail
    facts: dict[str, str] = Field(default_factory=dict)
    without: tuple[str, ...] = ()
    vehicle: bool = True
    aged: tuple[int, int] = (0, 2)
    doors: tuple[int, ...] = (4,)
    seats: int = 5
    granted: Ago | None = None
    stand: bool = False
    begins: tuple[int, int] | None = None  # the service, so many days after the grant
    swapped: Ago | None = None
    licensed: tuple[Ago, ...] = ()
    inspected: tuple[Inspected, ...] = ()
    fined: tuple[Fined, ...] = ()
    ended: Ended | None = None
    account: str | None = None


class Plan(_Table):
    """A town's. ``facts`` are what everybody can prove, of a person or company and of a vehicle."""

    slug: str
    infraction: str  # one to try
    account: tuple[Account, ...]
    person: dict[str, str]
    company: dict[str, str] = Field(default_factory=dict)
    drawn: dict[str, tuple[int, int]] = Field(default_factory=dict)  # whole numbers, each person's own
    car: dict[str, str]
    fuels: tuple[str, ...] = ()
    cohort: tuple[Cohort, ...]

    @property
    def pack(self) -> str:
        """The town's law, as it ships."""
        return (PACKS / f"{self.slug}.toml").read_text(encoding="utf-8")

    @property
    def candidate(self) -> Cohort:
        """The cohort whose first member an account means that asks for a permit."""
        asking = {account.subject for account in self.account if account.role == "candidate"}
        return next(cohort for cohort in self.cohort if cohort.account in asking)

    @property
    def samples(self) -> str:
        """An amendment that supplies sample values of what only the town can say."""
        return (SAMPLES / f"{self.slug}.toml").read_text(encoding="utf-8")


def plans() -> Iterator[Plan]:
    for path in sorted(PLANS.glob("*.toml")):
        yield Plan.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
