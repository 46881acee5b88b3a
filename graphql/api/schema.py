"""The schema: each subject's queries and mutations, gathered."""

import strawberry
from strawberry.schema.config import StrawberryConfig

from api.law import LawQuery
from api.municipality import MunicipalityQuery
from api.types.scalars import SCALARS


@strawberry.type(description="What can be asked (consultas). One operation is one snapshot.")
class Query(MunicipalityQuery, LawQuery):
    pass


schema = strawberry.Schema(
    query=Query,
    config=StrawberryConfig(scalar_map=SCALARS, disable_field_suggestions=False),
)
