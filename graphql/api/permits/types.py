"""What befalls a permit: plain attributes, loaded by set before they are completed."""

from datetime import date
from decimal import Decimal as Number

import strawberry
from strawberry.scalars import JSON

from api.register.types import Deadline
from api.types.decisions import Decision
from api.types.nodes import Node
from api.types.output import output


@output(description="A consequence of lateness that has begun (consequência do atraso).")
class LateConsequence:
    fined: bool = strawberry.field(description="The fine that it draws has been issued.")
    last_day_in_time: date = strawberry.field(description="Until this day nothing follows.")
    first_day: date = strawberry.field(description="From this day on it does: the day of the fact.")
    infractions: list[str] = strawberry.field(description="All that the one omission is.")
    opens: str | None = strawberry.field(description="What a process may be opened for; nothing ends by itself.")
    decides: str | None = strawberry.field(description="The office that decides it.")
    decision: Decision | None = strawberry.field(description="What it draws.")


@output(description="A term of a permit or its licence that has not been met (situação do prazo).")
class TermStanding:
    term: str
    title: str
    deadline: Deadline
    decision: Decision
    begun: list[LateConsequence]


@output(description="A request to renew the yearly licence (pedido de renovação do alvará).")
class RenewalRequest(Node):
    requested_on: date
    complete: bool = strawberry.field(description="With every paper and condition that a renewal asks for.")
    decision: Decision = strawberry.field(description="When it was due, what it lacks, what it draws.")


@output(description="Something that does not last to the end of the new licence (o que vence antes).")
class RenewalLapse:
    what: str = strawberry.field(description="The kind of rule that asks for it.")
    code: str
    title: str
    message: str
    articles: str
    last_day: date | None = strawberry.field(description="Its last day; none where it is missing already.")
    days: int | None = strawberry.field(description="Days left until then.")


@output(description="What a renewal needs (dossiê da renovação), and what will lapse before the new term ends.")
class RenewalPackage:
    since: date
    until: date
    lapses: list[RenewalLapse]
    decision: Decision = strawberry.field(description="May the licence be renewed on the day asked?")


@output(description="A further term of a permit (prorrogação, por aditivo).")
class Extension(Node):
    since: date
    until: date


@output(description="Who drives in a holder's stead, or for the heirs (substituto, condutor do espólio).")
class Substitute(Node):
    name: str
    rule: str
    role: str | None
    since: date | None
    until: date | None
    version: int
    state: str = strawberry.field(description="On the day asked: future, active, ended.")


@output(description="A permit passed on (transferência): the fee is as it was charged.")
class Transfer(Node):
    from_number: str
    to_number: str
    cause: str
    rule: str
    requested_on: date
    event_on: date | None
    transferred_on: date
    locked_until: date | None
    barred_until: date | None
    fee_units: Number | None
    fee_unit: str | None
    fee_brl: Number | None
    declared: JSON
    remaining: str = strawberry.field(description="`rest`: what was left of the term; `new`: a new one.")


@output(description="Days on which a holder was away from the service (ausência).")
class Absence(Node):
    since: date | None
    until: date | None
    justified: bool


@output(description="That a permit end or be suspended is proposed (proposta); it takes effect when it is final.")
class Proposal(Node):
    cause: str | None
    ground: str
    proposed_on: date
    office: str | None
    closed_on: date | None
    version: int
    decision: Decision
    effect: str = strawberry.field(description="end or suspend.")
    state: str = strawberry.field(description="open, applied, dismissed.")


@output(description="Days on which a permit's licence does not serve (suspensão do alvará).")
class Suspension(Node):
    since: date | None
    until: date | None
    version: int
    state: str = strawberry.field(description="On the day asked: future, active, ended.")


@output(description="The life of a permit so far (histórico da outorga), with where it stands on a day.")
class PermitLife:
    id: strawberry.ID
    number: str
    state: str
    version: int
    suspended: bool = False
    standing: list[TermStanding] = strawberry.field(default_factory=list, description="Terms that have not been met.")
    requests: list[RenewalRequest] = strawberry.field(default_factory=list)
    extensions: list[Extension] = strawberry.field(default_factory=list)
    substitutes: list[Substitute] = strawberry.field(default_factory=list)
    transfers: list[Transfer] = strawberry.field(default_factory=list)
    absences: list[Absence] = strawberry.field(default_factory=list)
    proposals: list[Proposal] = strawberry.field(default_factory=list)
    suspensions: list[Suspension] = strawberry.field(default_factory=list)
