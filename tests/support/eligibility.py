"""Asking the law of a fragment who is eligible, on one day and of one holder unless said."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from tenants.law.decide import decide
from tenants.law.decision import Decision
from tenants.law.questions import EligibilityQuestion, PaperFact, PastEnding
from tests.support.law import facts_of, law_of

DAY = date(2011, 3, 10)
LISTS = """
[list]
holder = { autonomo = "Profissional autônomo", empresa = "Empresa" }
paper = { atestado = "Atestado de sanidade", militar = "Quitação militar", vistoria = "Laudo de vistoria" }
equipment = { taximetro = "Taxímetro", extintor = "Extintor" }
ending = { cassacao = "Cassação", pedido = "A pedido" }
fuel = { gasolina = "Gasolina", gas = "Gás" }
[[fact]]
rows = [
  { code = "local.vinculo", type = "bool", of = "candidate", ask = "Tem vínculo empregatício?" },
  { code = "local.gas_adaptado", type = "bool", of = "vehicle", ask = "É adaptado para gás?" },
]
"""


def ask(text: str, papers: Sequence[PaperFact] = (), *, at: str = "entry", holder: str = "autonomo",
        endings: Sequence[PastEnding] | None = (), on: date = DAY, **facts: Any) -> Decision:  # fmt: skip
    law = law_of(LISTS + text, on)
    return decide(law, EligibilityQuestion("taxi", holder, at, papers, endings=endings), facts_of(law, **facts))


def demand(decision: Decision, code: str) -> Decision:
    """The part that answers one rule."""
    return next(part for part in decision.parts if any(rule.code == code for rule in part.rules))
