"""What is demanded of holders, drivers, vehicles and candidates."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from tenants.law.loading import Cel, Cites, Codes, FactCode
from tenants.law.quantity import MonthDay, parse_literal
from tenants.law.rule import Demand, OfficeRef, Rule, Table
from tenants.law.values import Value, Word

# The last digits of plates ("1", "12": one or two) and the last day of each.
PlateDays = dict[Annotated[str, Field(pattern=r"^\d+$")], Annotated[MonthDay, BeforeValidator(parse_literal)]]


class Requirement(Demand):
    """A paper (``paper``, with its validity or greatest age) or a condition (``must``), at entry, renewal or always."""

    kind: ClassVar[str] = "requirement"
    of: Literal["holder", "driver", "vehicle", "candidate", "permit"]
    at: Codes = ("always",)  # entry, renewal, transfer, swap, always
    paper: str | None = None
    age_under: Value | None = None  # the paper's age on the day of the request, less than
    valid_for: Value | None = None  # the paper's validity counted from its issue
    must: Cel | None = None
    judge: OfficeRef | None = None  # left to an office's judgement
    on_missing: Literal["refuse", "review"] = "refuse"
    proves: FactCode | None = None  # the fact (yes or no) that holds while this paper is valid


class VehicleSpec(Demand):
    """An attribute that a vehicle must have."""

    kind: ClassVar[str] = "vehicle_spec"
    must: Cel
    at: Codes = ("always",)


class Equipment(Demand):
    """An item that a vehicle must carry, and the condition it must be in."""

    kind: ClassVar[str] = "equipment"
    item: str
    must: Cel | None = None
    at: Codes = ("always",)


class Restriction(Rule):
    """What must not be (or only under a condition): publicity, fuel, dress, vehicles of other towns …

    ``at``: also tested when a permit is asked for, renewed, a vehicle sold … ``matter``: what an office approves under
    all restrictions of that name. ``most``: of whatever is measured. ``banned``: contents.
    """

    kind: ClassVar[str] = "restriction"
    at: Codes = ()
    matter: str = ""
    must: Cel | None = None
    judge: OfficeRef | None = None
    infraction: str | None = None
    most: Value | None = None
    banned: Codes = ()
    except_for: Codes = ()


class Excuse(Table):
    """When a duty does not bind: in these hours, under this condition."""

    code: str
    title: str = ""
    when: Cel | None = Field(default=None, alias="if")
    hours: Value | None = None
    cite: Cites = ()


class Conduct(Rule):
    """A duty of conduct and the infraction that breaking it is."""

    kind: ClassVar[str] = "conduct"
    of: Literal["holder", "driver", "authority"]
    infraction: str | None = None
    except_for: Codes = ()
    excuses: tuple[Excuse, ...] = ()


class Extension(Table):
    """More time for a vehicle past its limit: for what, on what proof."""

    add: Value
    at: Codes
    needs: str  # a paper's code, or "request"
    judge: OfficeRef | None = None
    off: Word = Word(word="no")  # "yes": not granted, by a reading
    cite: Cites = ()


class VehicleAge(Rule):
    """How old a vehicle may be to enter, to be renewed, to stay, to come by transfer.

    A basis is a fact of the vehicle: a day, or a year, of which whole calendar years are counted.
    """

    kind: ClassVar[str] = "vehicle_age"
    at: Codes
    limit: Value
    basis: Codes  # manufacture_year, model_year, manufacture_year_end, first_registration
    take: Word = Word(word="first_known")  # first_known | strictest | a basis by its name
    count: Literal["years", "days"] = "years"
    boundary: Word = Word(word="in")  # is the anniversary itself within the limit: in | out
    extend: tuple[Extension, ...] = ()
    extend_most: Value | None = None
    late: str | None = None  # the infraction of staying beyond

    @model_validator(mode="after")
    def _days_from_days(self) -> Self:
        years = [basis for basis in self.basis if basis.endswith("_year")]
        if self.count == "days" and years:
            raise ValueError(f"{years[0]} is no day to count days from: take {years[0]}_end")
        return self


class Inspection(Demand):
    """A periodic inspection (vistoria): how often, by whom, the term to mend faults, what it presupposes.

    With ``by_plate_ending`` (digits to a day of the year) each year has its own, by the last digit of the plate.
    """

    kind: ClassVar[str] = "inspection"
    by: OfficeRef | None = None
    displayed: bool = False
    needs: Codes = ()  # papers that must be there before
    by_plate_ending: PlateDays = Field(default_factory=dict)
    of: Literal["vehicle", "taximeter", "driver"] = "vehicle"


class Campaign(Demand):
    """A call to all of a group (re-registration), once or yearly: from a day, for a term, or by the plate's ending."""

    kind: ClassVar[str] = "campaign"
    whom: Literal["holders", "drivers", "vehicles"]
    once: bool = True
    opens_on: Value | None = None
    term: Value | None = None
    by_plate_ending: PlateDays = Field(default_factory=dict)
