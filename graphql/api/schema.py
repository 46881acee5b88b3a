"""The schema: each subject's queries and mutations, gathered."""

import strawberry
from strawberry.schema.config import StrawberryConfig

import api.campaigns.nodes
import api.contests.nodes
import api.dead_letters.nodes
import api.fleet.nodes
import api.importing.nodes
import api.notices.nodes
import api.office.nodes
import api.permits.nodes
import api.proceedings.nodes
import api.register.nodes
import api.service.nodes  # noqa: F401 - each says how its records are fetched again
from api.campaigns.fields import CampaignMutation, CampaignQuery
from api.contests.mutations import ContestMutation
from api.contests.queries import ContestQuery
from api.dead_letters.fields import DeadLetterMutation, DeadLetterQuery
from api.deadlines import DeadlineKindQuery
from api.enforcement.mutations import EnforcementMutation
from api.enforcement.queries import EnforcementQuery
from api.fleet.mutations import FleetMutation
from api.fleet.queries import FleetQuery
from api.importing.mutations import ImportingMutation
from api.importing.queries import ImportingQuery
from api.law import LawQuery
from api.municipality import MunicipalityQuery
from api.nodes import NodeQuery
from api.notices.mutations import NoticeMutation
from api.notices.queries import NoticeQuery
from api.office.escalations import EscalationQuery
from api.office.lawmaking import LawmakingMutation, LawmakingQuery
from api.office.oversight import OversightMutation, OversightQuery
from api.office.runs import RunQuery
from api.permits.mutations import PermitLifeMutation
from api.permits.queries import PermitLifeQuery
from api.proceedings.mutations import ProceedingMutation
from api.proceedings.queries import ProceedingQuery
from api.progress.fields import Subscription
from api.questions.penalties import PenaltyQuestions
from api.questions.service import ServiceQuestions
from api.recomputing.fields import RecomputingMutation, RecomputingQuery
from api.register.mutations import RegisterMutation
from api.register.queries import RegisterQuery
from api.service.mutations import ServiceMutation
from api.service.queries import RosterQuery, StandQuery, TariffQuery
from api.types.scalars import SCALARS


@strawberry.type(description="What can be asked (consultas). One operation is one snapshot.")
class Query(
    StandQuery,
    RosterQuery,
    TariffQuery,
    PermitLifeQuery,
    EnforcementQuery,
    ProceedingQuery,
    FleetQuery,
    MunicipalityQuery,
    LawQuery,
    DeadlineKindQuery,
    PenaltyQuestions,
    ServiceQuestions,
    RegisterQuery,
    ContestQuery,
    LawmakingQuery,
    RecomputingQuery,
    EscalationQuery,
    OversightQuery,
    RunQuery,
    NoticeQuery,
    DeadLetterQuery,
    CampaignQuery,
    ImportingQuery,
    NodeQuery,
):
    pass


@strawberry.type(description="What can be done (atos). One operation is one act in one transaction.")
class Mutation(
    ServiceMutation,
    PermitLifeMutation,
    FleetMutation,
    RegisterMutation,
    ContestMutation,
    LawmakingMutation,
    RecomputingMutation,
    OversightMutation,
    NoticeMutation,
    DeadLetterMutation,
    CampaignMutation,
    ImportingMutation,
    EnforcementMutation,
    ProceedingMutation,
):
    pass


schema = strawberry.Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    config=StrawberryConfig(scalar_map=SCALARS, disable_field_suggestions=False),
)
