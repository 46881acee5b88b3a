"""Every question that the law answers. Each stands beside its answer: who can ask it has its rules evaluated."""

from tenants.law.kinds.crew_answers import CrewAnswer, CrewQuestion, SubstituteAnswer, SubstituteQuestion
from tenants.law.kinds.demands import Demanded, Draws
from tenants.law.kinds.duties import ConductQuestion, DutyAnswer, RestrictionQuestion
from tenants.law.kinds.effects import Drawn
from tenants.law.kinds.eligibility import EligibilityQuestion
from tenants.law.kinds.exclusions import ExclusionAnswer, PastEnding
from tenants.law.kinds.fare_answers import FareAnswer, FareLine, FareQuestion
from tenants.law.kinds.fee_answers import FeeAnswer, FeeQuestion
from tenants.law.kinds.holders import HolderAnswer, HolderQuestion
from tenants.law.kinds.inspections import CampaignAnswer, CampaignQuestion, InspectionAnswer, InspectionQuestion
from tenants.law.kinds.instruments import InstrumentAnswer, InstrumentQuestion
from tenants.law.kinds.papers import PaperFact
from tenants.law.kinds.penalties import InfractionsQuestion, Penalty, PenaltyAnswer, Struck
from tenants.law.kinds.points import Fired, Living, PointsAnswer, PointsQuestion
from tenants.law.kinds.process_answers import (
    ProcessAnswer,
    ProcessQuestion,
    ServedAnswer,
    ServedQuestion,
    StepAnswer,
    StepQuestion,
)
from tenants.law.kinds.quotas import QuotaAnswer, QuotaQuestion, ShareAnswer, ShareQuestion
from tenants.law.kinds.repetition import Event, LadderAnswer, LadderQuestion
from tenants.law.kinds.roster_answers import Breach, DutyQuestion, RosterAnswer, RosterQuestion, Shift
from tenants.law.kinds.roster_demands import Presence, RosterDemandsAnswer, RosterDemandsQuestion, Work
from tenants.law.kinds.sanctions import Offered, RevealedAnswer, RevealedQuestion, SanctionsQuestion
from tenants.law.kinds.selection import Candidate, Judgement, Ranked, SelectionAnswer, SelectionQuestion
from tenants.law.kinds.stand_answers import (
    StandActAnswer,
    StandActQuestion,
    StandRoomAnswer,
    StandRoomQuestion,
    StandUseAnswer,
    StandUseQuestion,
)
from tenants.law.kinds.suspensions import SuspensionAnswer, SuspensionQuestion
from tenants.law.kinds.tariff_policy_answers import (
    AgreementQuestion,
    ReviewAnswer,
    ReviewQuestion,
    TariffChangeAnswer,
    TariffChangeQuestion,
)
from tenants.law.kinds.term_answers import LateStep, TermAnswer, TermQuestion
from tenants.law.kinds.transfer_answers import TransferAnswer, TransferQuestion
from tenants.law.kinds.undoing import UndoingAnswer, UndoingQuestion
from tenants.law.kinds.vehicle_age import VehicleAgeAnswer, VehicleAgeQuestion

__all__ = [
    "AgreementQuestion",
    "Breach",
    "CampaignAnswer",
    "CampaignQuestion",
    "Candidate",
    "ConductQuestion",
    "CrewAnswer",
    "CrewQuestion",
    "Demanded",
    "Drawn",
    "Draws",
    "DutyAnswer",
    "DutyQuestion",
    "EligibilityQuestion",
    "Event",
    "ExclusionAnswer",
    "FareAnswer",
    "FareLine",
    "FareQuestion",
    "FeeAnswer",
    "FeeQuestion",
    "Fired",
    "HolderAnswer",
    "HolderQuestion",
    "InfractionsQuestion",
    "InspectionAnswer",
    "InspectionQuestion",
    "InstrumentAnswer",
    "InstrumentQuestion",
    "Judgement",
    "LadderAnswer",
    "LadderQuestion",
    "LateStep",
    "Living",
    "Offered",
    "PaperFact",
    "PastEnding",
    "Penalty",
    "PenaltyAnswer",
    "PointsAnswer",
    "PointsQuestion",
    "Presence",
    "ProcessAnswer",
    "ProcessQuestion",
    "QuotaAnswer",
    "QuotaQuestion",
    "Ranked",
    "RestrictionQuestion",
    "RevealedAnswer",
    "RevealedQuestion",
    "ReviewAnswer",
    "ReviewQuestion",
    "RosterAnswer",
    "RosterDemandsAnswer",
    "RosterDemandsQuestion",
    "RosterQuestion",
    "SanctionsQuestion",
    "SelectionAnswer",
    "SelectionQuestion",
    "ServedAnswer",
    "ServedQuestion",
    "ShareAnswer",
    "ShareQuestion",
    "Shift",
    "StandActAnswer",
    "StandActQuestion",
    "StandRoomAnswer",
    "StandRoomQuestion",
    "StandUseAnswer",
    "StandUseQuestion",
    "StepAnswer",
    "StepQuestion",
    "Struck",
    "SubstituteAnswer",
    "SubstituteQuestion",
    "SuspensionAnswer",
    "SuspensionQuestion",
    "TariffChangeAnswer",
    "TariffChangeQuestion",
    "TermAnswer",
    "TermQuestion",
    "TransferAnswer",
    "TransferQuestion",
    "UndoingAnswer",
    "UndoingQuestion",
    "VehicleAgeAnswer",
    "VehicleAgeQuestion",
    "Work",
]
