"""People, vehicles, permits and what hangs on them: plain attributes, loaded by set before they are completed."""

from dataclasses import field
from datetime import date
from decimal import Decimal

import strawberry

from api.selection import Related, page_of
from api.types.nodes import Node
from api.types.output import output


@output(description="A natural person (pessoa física). Seen by the town's offices only.")
class Person(Node):
    cpf: str
    name: str
    email: str | None
    birth_on: date | None
    version: int


@output(description="A legal person (pessoa jurídica).")
class Company(Node):
    name: str
    email: str | None
    version: int
    cnpj: str = strawberry.field(description="Digits, or the alphanumeric form.")


@output(description="Who holds, or asks for, a permit (titular, permissionário, autorizatário, candidato).")
class Holder(Node):
    name: str
    version: int
    kind: str = strawberry.field(description="A code of the law's list of holder kinds.")


@output(description="A driver (condutor) and the licence to drive (CNH).")
class Driver(Node):
    name: str
    cnh_number: str | None
    cnh_categories: list[str]
    cnh_first_on: date | None
    cnh_until: date | None
    version: int
    cnh_ear: bool | None = strawberry.field(description="Paid work is noted on the licence (EAR).")
    review: list[str] = strawberry.field(description="What someone must look at: a check digit that fails.")


@output(description="A vehicle (veículo).")
class Vehicle(Node):
    plate: str
    renavam: str | None
    manufacture_year: int | None
    model_year: int | None
    first_registration: date | None
    doors: int | None
    seats: int | None
    fuel: str | None
    version: int


@output(description="A paper on file (documento).")
class Paper(Node):
    code: str
    number: str | None
    issued_on: date | None
    valid_until: date | None


@output(description="A permit's place at a stand (ponto): the stand as the law of the day describes it.")
class StandPlace:
    code: str
    number: int
    place: str


@output(description="The yearly licence (alvará). The fee is as it was charged: units, rate of the day, reais.")
class Licence(Node):
    number: str
    since: date
    until: date | None
    fee_units: Decimal | None
    fee_unit: str | None
    fee_brl: Decimal | None
    state: str = strawberry.field(description="On the day asked: future, active, expired.")


@output(description="A legal term that runs, or has run (prazo).")
class Deadline(Node):
    kind: str
    rule: str
    opened_on: date
    last_day: date
    article: str
    state: str = strawberry.field(description="On the day asked: open, suspended, met, expired, replaced.")


@output(description="A fine (multa): units of the law, the rate used, reais.")
class Fine(Node):
    number: str
    infraction: str
    seen_on: date
    units: Decimal | None
    unit: str | None
    rate: Decimal | None
    brl: Decimal


@output(description="A permit (permissão, autorização): state and relations are of the day asked.")
class Permit(Node):
    number: str
    category: str
    instrument: str
    granted_on: date
    since: date
    until: date | None
    ended_on: date | None
    ended_cause: str | None
    version: int
    state: str = strawberry.field(description="On the day asked: future, active, ended.")
    holder: Holder | None = None
    vehicle: Vehicle | None = None
    stand: StandPlace | None = None
    licence: Licence | None = strawberry.field(default=None, description="The last one (alvará mais recente).")
    deadlines: list[Deadline] = strawberry.field(default_factory=list, description="The permit's and its licence's.")
    fines: list[Fine] = strawberry.field(resolver=page_of, description="The latest ones first.")
    related: strawberry.Private[Related] = field(default_factory=dict)


@output(description="Days on which a permit in service may not be used (suspensão), both counted.")
class PublicSuspension:
    since: date
    until: date


@output(description="What anybody may know of a permit in service: no name, no document.")
class PublicPermit:
    number: str
    category: str
    plate: str
    stand: StandPlace | None
    state: str
    licence_until: date | None = strawberry.field(description="The last day of the yearly licence (alvará).")
    suspension: PublicSuspension | None = strawberry.field(description="In force on the day asked: it must not serve.")
