"""What the register's mutations take: each field is an argument of its use case."""

from datetime import date

import strawberry

from api.facts import FactInput

UNSET = strawberry.UNSET
REQUEST = "A name of the caller's for this request: a repeat is answered, not done again."


@strawberry.input(description="A natural person to register (pessoa física).")
class RegisterPersonInput:
    cpf: str
    name: str
    email: str | None = UNSET
    birth_on: date | None = UNSET
    attributes: list[FactInput] | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What changes of a person (atualizar pessoa). What is not sent stays.")
class UpdatePersonInput:
    person_id: strawberry.ID
    version: int = strawberry.field(description="The person as the caller saw them.")
    name: str | None = UNSET
    email: str | None = UNSET
    birth_on: date | None = UNSET
    attributes: list[FactInput] | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="What changes of a company (atualizar empresa). What is not sent stays.")
class UpdateCompanyInput:
    company_id: strawberry.ID
    version: int = strawberry.field(description="The company as the caller saw it.")
    name: str | None = UNSET
    email: str | None = UNSET
    attributes: list[FactInput] | None = UNSET
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Facts told of a holder that change (atualizar titular).")
class UpdateHolderInput:
    holder_id: strawberry.ID
    version: int = strawberry.field(description="The holder as the caller saw them.")
    attributes: list[FactInput]
    why: str | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A legal person to register (pessoa jurídica).")
class RegisterCompanyInput:
    name: str
    cnpj: str = strawberry.field(description="Digits, or the alphanumeric form.")
    email: str | None = UNSET
    attributes: list[FactInput] | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Who asks for a permit (candidato): a person or a company.")
class RegisterHolderInput:
    kind: str = strawberry.field(description="A code of the law's list of holder kinds.")
    person_id: strawberry.ID | None = UNSET
    company_id: strawberry.ID | None = UNSET
    attributes: list[FactInput] | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A driver to register (condutor).")
class RegisterDriverInput:
    person_id: strawberry.ID
    cnh_number: str
    cnh_categories: list[str] = strawberry.field(default_factory=list)
    cnh_ear: bool | None = UNSET
    cnh_first_on: date | None = UNSET
    cnh_until: date | None = UNSET
    attributes: list[FactInput] | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A vehicle to register (veículo).")
class RegisterVehicleInput:
    plate: str = strawberry.field(description="Old form or Mercosul, with or without a hyphen.")
    renavam: str | None = UNSET
    holder_id: strawberry.ID | None = strawberry.field(default=UNSET, description="In whose name it stands.")
    manufacture_year: int | None = UNSET
    model_year: int | None = UNSET
    first_registration: date | None = UNSET
    doors: int | None = UNSET
    seats: int | None = UNSET
    fuel: str | None = UNSET
    attributes: list[FactInput] | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A paper to file (documento).")
class FilePaperInput:
    subject_id: strawberry.ID = strawberry.field(description="A holder, a driver or a vehicle.")
    code: str = strawberry.field(description="A code of the law's list of papers.")
    number: str | None = UNSET
    issued_on: date | None = UNSET
    valid_until: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A permit to grant (outorga).")
class GrantPermitInput:
    category: str
    holder_id: strawberry.ID
    vehicle_id: strawberry.ID
    stand: str | None = UNSET
    granted_on: date | None = strawberry.field(default=UNSET, description="The legal day, which picks the law.")
    judged: bool = strawberry.field(
        default=False, description="The office has decided what the law leaves to its judgement."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A yearly licence to issue or renew (alvará).")
class IssueLicenceInput:
    permit_id: strawberry.ID
    issued_on: date | None = UNSET
    judged: bool = False
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="Another vehicle for a permit (substituição do veículo).")
class SwapVehicleInput:
    permit_id: strawberry.ID
    vehicle_id: strawberry.ID
    version: int | None = strawberry.field(default=UNSET, description="The permit as the caller saw it.")
    on: date | None = UNSET
    acquired_on: date | None = strawberry.field(
        default=UNSET, description="From when the term for the new vehicle counts; the day of the swap."
    )
    judged: bool = False
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A stand for a permit (ponto).")
class AssignStandInput:
    permit_id: strawberry.ID
    stand: str = strawberry.field(description="The stand's code in the law.")
    version: int | None = strawberry.field(default=UNSET, description="The permit as the caller saw it.")
    on: date | None = UNSET
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)


@strawberry.input(description="A fine to issue (multa): the day of the fact picks the law.")
class IssueFineInput:
    permit_id: strawberry.ID
    seen_on: date
    infractions: list[str] = strawberry.field(description="All that the one fact is; the law's overlaps keep one.")
    notified_on: date | None = strawberry.field(default=UNSET, description="Sets the payment term running; today.")
    facts: list[FactInput] | None = strawberry.field(
        default=UNSET, description="What was seen of the fact, where an amount depends on it."
    )
    request_id: str | None = strawberry.field(default=UNSET, description=REQUEST)
