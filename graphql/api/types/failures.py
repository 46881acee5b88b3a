"""The noes that are answers: what a mutation returns when it did nothing, with a message in Portuguese."""

from collections.abc import Mapping

import strawberry

from api.types.decisions import Decision, Norms
from api.types.output import interface, output
from services import errors
from tenants.law import decision as law


@interface(description="Why nothing was done (motivo): a code for programs, a message for people.")
class Problem:
    code: str
    message: str


@output(description="The law says no, or has not said, or something is still to be proven (indeferido).")
class Refused(Problem):
    decision: Decision


@output(description="An input is wrong (dado inválido); `field` names it.")
class Invalid(Problem):
    field: str
    problem: str


@output(description="There is no such record (não encontrado), also when it is another town's.")
class NotFound(Problem):
    pass


@output(description="Somebody was faster (conflito): look again, then repeat.")
class Conflict(Problem):
    expected: int | None = strawberry.field(description="The version that the caller knew.")
    actual: int | None = strawberry.field(description="The version that it has now.")


@output(description="The office held does not have this power (sem competência).")
class Forbidden(Problem):
    power: str
    citations: list[str] = strawberry.field(description="The articles that say who has it.")


Failure = Refused | Invalid | NotFound | Conflict | Forbidden


def failure_of(error: errors.Expected, norms: Norms) -> Failure:
    """An expected no as an answer; `norms` give the articles of a refusal their URNs."""
    code, message = error.code, str(error)
    match error:
        case errors.Refused(decision=decision):
            return Refused(code=code, message=message, decision=Decision.of(decision.plain(), norms))
        case errors.NoLawInForce():
            unknown = law.Decision(law.Outcome.UNDETERMINED, message)
            return Refused(code=code, message=message, decision=Decision.of(unknown.plain(), {}))
        case errors.Invalid():
            return Invalid(code=code, message=message, field=camel(error.field), problem=error.problem)
        case errors.NotFound():
            return NotFound(code=code, message=message)
        case errors.Conflict():
            return Conflict(code=code, message=message, expected=error.expected, actual=error.actual)
        case errors.Forbidden():
            return Forbidden(code=code, message=message, power=error.power, citations=list(error.citations))
    raise TypeError(f"no answer for {type(error).__name__}") from error


def extensions_of(error: errors.Expected) -> Mapping[str, object]:
    """What a query's error says beside its message, where there is no union to answer with."""
    match error:
        case errors.Invalid():
            return {"code": error.code, "field": camel(error.field), "problem": error.problem}
        case errors.Forbidden():
            return {"code": error.code, "power": error.power, "citations": list(error.citations)}
        case errors.Refused(decision=decision):
            return {"code": error.code, "decision": decision.plain()}
    return {"code": error.code}


def camel(name: str) -> str:
    """A field as the schema spells it."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
