"""Every table, gathered: importing this module completes `metadata`."""

from sqlmodel import SQLModel

from services.accounts.tables import Account, Appointment
from services.acts.tables import Act, ActUnsealed, Seal
from services.campaigns.tables import Campaign, CampaignCall
from services.dead_letters.tables import DeadLetter, RelayTurn
from services.deadlines.tables import Deadline
from services.drivers.tables import DriverBar, Enrolment
from services.enforcement.tables import Complaint, Fine, Occurrence, Penalty
from services.escalations.tables import Escalation
from services.evidence.tables import Evidence
from services.fleet.tables import Approval, Sale
from services.importing.tables import ImportFile, ImportIssue, ImportKey, ImportRow
from services.inspections.tables import Inspection
from services.jobs.tables import Job
from services.money.tables import ActiveDebt, Payment
from services.municipalities.tables import LawItem, Municipality, Publication
from services.nights.tables import Run
from services.notices.tables import ClerkTask, Notice, NoticeAttempt, NoticeReading
from services.numbers.tables import Counter
from services.permits.tables import (
    Absence,
    Extension,
    Licence,
    Permit,
    PermitVehicle,
    Proposal,
    RenewalRequest,
    Substitute,
    Suspension,
    Transfer,
)
from services.proceedings.tables import Charge, Party, Piece, Proceeding, Service
from services.recomputing.tables import Review
from services.registry.tables import Company, Driver, Holder, Paper, Person, Vehicle
from services.selection.tables import (
    SelectionCall,
    SelectionCandidate,
    SelectionJudgement,
    SelectionList,
    SelectionObjection,
)
from services.stands.rosters.tables import Roster, RosterMember, RosterShift, RosterSwap
from services.stands.tables import StandAssignment
from services.tariffs.tables import Tariff, TariffReview, TariffStep

metadata = SQLModel.metadata

__all__ = [
    "Absence",
    "Account",
    "Act",
    "ActUnsealed",
    "ActiveDebt",
    "Appointment",
    "Approval",
    "Campaign",
    "CampaignCall",
    "Charge",
    "ClerkTask",
    "Company",
    "Complaint",
    "Counter",
    "DeadLetter",
    "Deadline",
    "Driver",
    "DriverBar",
    "Enrolment",
    "Escalation",
    "Evidence",
    "Extension",
    "Fine",
    "Holder",
    "ImportFile",
    "ImportIssue",
    "ImportKey",
    "ImportRow",
    "Inspection",
    "Job",
    "LawItem",
    "Licence",
    "Municipality",
    "Notice",
    "NoticeAttempt",
    "NoticeReading",
    "Occurrence",
    "Paper",
    "Party",
    "Payment",
    "Penalty",
    "Permit",
    "PermitVehicle",
    "Person",
    "Piece",
    "Proceeding",
    "Proposal",
    "Publication",
    "RelayTurn",
    "RenewalRequest",
    "Review",
    "Roster",
    "RosterMember",
    "RosterShift",
    "RosterSwap",
    "Run",
    "Sale",
    "Seal",
    "SelectionCall",
    "SelectionCandidate",
    "SelectionJudgement",
    "SelectionList",
    "SelectionObjection",
    "Service",
    "StandAssignment",
    "Substitute",
    "Suspension",
    "Tariff",
    "TariffReview",
    "TariffStep",
    "Transfer",
    "Vehicle",
    "metadata",
]
