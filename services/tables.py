"""Every table, gathered: importing this module completes `metadata`."""

from sqlmodel import SQLModel

from services.accounts.tables import Account, Appointment
from services.acts.tables import Act, ActUnsealed, Seal
from services.deadlines.tables import Deadline
from services.enforcement.tables import Fine
from services.municipalities.tables import LawItem, Municipality, Publication
from services.nights.tables import Run
from services.notices.tables import Notice, NoticeAttempt
from services.numbers.tables import Counter
from services.permits.tables import Licence, Permit, PermitVehicle
from services.registry.tables import Company, Driver, Holder, Paper, Person, Vehicle
from services.stands.tables import StandAssignment

metadata = SQLModel.metadata

__all__ = [
    "Account",
    "Act",
    "ActUnsealed",
    "Appointment",
    "Company",
    "Counter",
    "Deadline",
    "Driver",
    "Fine",
    "Holder",
    "LawItem",
    "Licence",
    "Municipality",
    "Notice",
    "NoticeAttempt",
    "Paper",
    "Permit",
    "PermitVehicle",
    "Person",
    "Publication",
    "Run",
    "Seal",
    "StandAssignment",
    "Vehicle",
    "metadata",
]
