"""The draft of the decree (minuta) that sets a roster upon which its drivers do not agree."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from services.database import Reader, Town
from services.errors import Refused
from services.permits.unforeseen import not_provided
from services.stands.rosters import agreeing, checking
from services.stands.rosters.checking import Plan
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds import stands as rules
from tenants.law.kinds.basis import Office
from tenants.law.kinds.grants import Category
from tenants.law.law import Law


@dataclass(frozen=True, slots=True)
class Draft:
    """``office``: whom the law lets sign it, by its code."""

    office: str
    text: str
    decision: Decision


async def draft(tx: Reader, row: Row[Any]) -> Draft:
    """A text with articles, for the office that the law names where there is no agreement.

    Raises:
        Refused: The law provides no such decree; the roster breaks the law; or the drivers do agree.
    """
    law = await tx.law(on=row.since)
    plan = await checking.plan_in(tx, row)
    keys = {"category": plan.category}
    if not any(law.concerns(rule, keys) and rule.otherwise for _, rule in law.all(rules.Roster)):
        raise not_provided(law, "escala por decreto", rules.Roster.kind)
    decision = await agreeing.judged(tx, law, plan, row.id)
    if decision.outcome is not Outcome.NEEDS_DECISION or decision.office is None:
        raise Refused(decision)
    return Draft(decision.office, "\n".join(_lines(tx.town, law, plan, decision, decision.office)), decision)


def _lines(town: Town, law: Law, plan: Plan, decision: Decision, office: str) -> Iterator[str]:
    holder, category = law.get(Office, office), law.get(Category, plan.category)
    signs = holder.title if holder and holder.title else office
    service = category.title if category and category.title else plan.category
    cited = "; ".join(str(citation) for citation in decision.citations)
    yield f"MINUTA DE DECRETO: {signs}, {town.name}/{town.uf}"
    yield ""
    yield f"{signs}, com fundamento em {cited}, e considerando que os taxistas não chegaram a acordo sobre a escala,"
    yield "DECRETA:"
    yield from _articles(
        f"Fica estabelecida a escala de revezamento do serviço de {service}, "
        f"de {plan.since:%d/%m/%Y} a {plan.until:%d/%m/%Y}.",
        "Cumprem os turnos, pelo número da outorga:",
        "Os titulares de dois turnos podem trocá-los de comum acordo, se a escala continua a cumprir a lei.",
        "Este Decreto entra em vigor na data de sua publicação.",
        shifts=list(_shifts(plan)),
    )


def _articles(*articles: str, shifts: list[str]) -> Iterator[str]:
    for number, text in enumerate(articles, start=1):
        yield ""
        yield f"Art. {number}º {text}"
        if text.endswith(":"):
            yield from shifts


def _shifts(plan: Plan) -> Iterator[str]:
    days: dict[str, list[str]] = defaultdict(list)
    for shift in sorted(plan.shifts, key=lambda each: (each.start, each.vehicle)):
        clock = f"{shift.start:%H:%M} às {shift.end:%H:%M}"
        days[f"{shift.start:%d/%m/%Y}"].append(f"{clock}, outorga {shift.vehicle}")
    for day, lines in days.items():
        yield f"  {day}: {'; '.join(lines)}"
