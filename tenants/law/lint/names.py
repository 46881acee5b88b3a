"""Which fields of which models name what: an item of a kind, or a code of one of the pack's lists."""

from pydantic import BaseModel

from tenants.law.kinds.effects import Effect
from tenants.law.kinds.grants import Allowed, Category, Ending, Exclusion, Instrument
from tenants.law.kinds.infractions import Infraction, Ladder, Overlap, Points
from tenants.law.kinds.requirements import (
    Conduct,
    Equipment,
    Inspection,
    Requirement,
    Restriction,
    VehicleAge,
)
from tenants.law.kinds.tariffs import TariffPolicy
from tenants.law.kinds.terms import Late, Term
from tenants.law.kinds.transfers import Crew, Substitute, Transfer
from tenants.law.rule import Demand, Missed, OfficeRef
from tenants.law.values import Ranged

# Model, field, the kinds in which its code is looked up.
KINDS_NAMED: tuple[tuple[type[BaseModel], str, tuple[str, ...]], ...] = (
    (OfficeRef, "office", ("office",)),
    (Ranged, "office", ("office",)),
    (Infraction, "by", ("office",)),
    (Infraction, "may_open", ("infraction",)),
    (Overlap, "order", ("infraction",)),
    (Effect, "reports_as", ("infraction",)),
    (Effect, "opens", ("infraction", "process")),
    (Demand, "missed", ("infraction",)),
    (Missed, "infraction", ("infraction",)),
    (Missed, "opens", ("infraction", "process")),
    (Restriction, "infraction", ("infraction",)),
    (Conduct, "infraction", ("infraction",)),
    (VehicleAge, "late", ("infraction",)),
    (Late, "infraction", ("infraction",)),
    (Late, "also", ("infraction",)),
    (Term, "incomplete", ("infraction",)),
    (Late, "opens", ("infraction", "process")),
    (Category, "parent", ("category",)),
    (Category, "converts_to", ("category",)),
    (Instrument, "term", ("term",)),
    (Ladder, "measure", ("measure",)),
    (Points, "measure", ("measure",)),
    (BaseModel, "counting", ("counting",)),
)
# Model, field, the lists in which its code is looked up.
LISTS_NAMED: tuple[tuple[type[BaseModel], str, tuple[str, ...]], ...] = (
    (Allowed, "holder", ("holder",)),
    (Allowed, "title", ("title",)),
    (Exclusion, "endings", ("ending",)),
    (Effect, "cause", ("ending",)),
    (Missed, "cause", ("ending",)),
    (Ending, "cause", ("ending",)),
    (Requirement, "paper", ("paper",)),
    (Inspection, "needs", ("paper",)),
    (Transfer, "papers", ("paper",)),
    (Transfer, "cause", ("cause",)),
    (Transfer, "to", ("holder", "recipient")),
    (Substitute, "paper", ("paper",)),
    (Crew, "papers", ("paper",)),
    (Crew, "role", ("role",)),
    (Crew, "card", ("paper",)),
    (Equipment, "item", ("equipment",)),
    (TariffPolicy, "raise_only_for", ("occasion",)),
)
# Kinds of rule that open deadlines, on which a reminder can ride.
RIDES_ON = ("term", "inspection", "campaign", "requirement", "equipment", "vehicle_age", "substitute", "process")
