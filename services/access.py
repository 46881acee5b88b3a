"""The only place that decides who may. The token proves who; offices are in the register; competence is the law's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from services.accounts import store
from services.errors import Forbidden
from tenants.law.kinds.basis import Office

if TYPE_CHECKING:
    from services.database import Reader
    from tenants.law.law import Law

Kind = Literal["operator", "office", "holder", "driver", "public", "system"]

# What the platform's operator may do in any town: bring towns and their law, and appoint whom the town names.
OPERATOR_POWERS = frozenset({"onboard", "publish", "appoint", "read"})
OPERATOR_OFFICE = "operator"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, in one town. `powers`: each one held, and the office that has it; `articles`: which say who has it."""

    subject: str
    kind: Kind
    tenant_id: UUID | None
    offices: tuple[str, ...] = ()
    person_id: UUID | None = None
    company_id: UUID | None = None
    powers: Mapping[str, str] = field(default_factory=dict)
    articles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def may(self, power: str) -> bool:
        return power in self.powers or (self.kind == "operator" and power in OPERATOR_POWERS)

    def must(self, power: str) -> str:
        """The office in which the actor has the power. Raises Forbidden, citing who has it."""
        if power in self.powers:
            return self.powers[power]
        if self.may(power):
            return OPERATOR_OFFICE
        raise Forbidden(power, self.articles.get(power, ()))

    def must_hold(self, office: str, power: str) -> str:
        """For an act that the law gives to one office by name. Raises Forbidden."""
        if office in self.offices:
            return office
        raise Forbidden(power, self.articles.get(power, ()))

    def must_unless_own(self, power: str, *, person_id: UUID | None, company_id: UUID | None) -> str | None:
        """For what holders may do for themselves and an office for them: None is the holder. Raises Forbidden."""
        own = person_id is not None and person_id == self.person_id
        own = own or (company_id is not None and company_id == self.company_id)
        return None if own and not self.may(power) else self.must(power)

    def must_operate(self) -> str:
        """For what is the platform's, not a town's. Raises Forbidden."""
        if self.kind != "operator":
            raise Forbidden("operate")
        return OPERATOR_OFFICE

    def must_be_in(self, tenant_id: UUID) -> None:
        """A token of one town is worth nothing in another. Raises Forbidden."""
        if self.kind != "operator" and self.tenant_id != tenant_id:
            raise Forbidden("enter")


PUBLIC = Actor(subject="public", kind="public", tenant_id=None)


def system(tenant_id: UUID) -> Actor:
    """The night and other work that nobody asked for: it records what the law has already brought about."""
    return Actor(subject="system", kind="system", tenant_id=tenant_id)


def operator(subject: str) -> Actor:
    return Actor(subject=subject, kind="operator", tenant_id=None)


async def actor_of(tx: "Reader", subject: str) -> Actor:
    """Whom a verified token's subject means here today. Unknown to the town: one of the public, by that name."""
    account = await store.account(tx, subject, tx.today)
    if account is None:
        return Actor(subject=subject, kind="public", tenant_id=tx.tenant_id)
    offices = tuple(account.offices)
    powers, articles = powers_of(await tx.law(on=tx.today), offices) if offices else ({}, {})
    return Actor(
        subject=subject,
        kind=kind_of(offices, holds=account.holds, drives=account.drives),
        tenant_id=tx.tenant_id,
        offices=offices,
        person_id=account.person_id,
        company_id=account.company_id,
        powers=powers,
        articles=articles,
    )


def kind_of(offices: tuple[str, ...], *, holds: bool, drives: bool) -> Kind:
    if offices:
        return "office"
    if holds:
        return "holder"
    return "driver" if drives else "public"


def powers_of(law: "Law", offices: tuple[str, ...]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Of each power, the held office that has it; and the articles that say which offices do."""
    powers: dict[str, str] = {}
    articles: dict[str, tuple[str, ...]] = {}
    for _, office in law.all(Office):
        for power in office.may:
            articles[power] = articles.get(power, ()) + tuple(str(citation) for citation in office.cite)
            if office.code in offices:
                powers.setdefault(power, office.code)
    return powers, articles
