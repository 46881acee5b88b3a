"""Restrictions, duties of conduct, and what grants the service."""

from datetime import date, time
from typing import Any

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.quantity import Percent, parse_literal
from tenants.law.questions import ConductQuestion, InstrumentAnswer, InstrumentQuestion, RestrictionQuestion
from tests.support.law import facts_of, law_of

PUBLICITY = """
[[restriction]]
code = "publicidade"
title = "Publicidade"
cite = ["art. 21, § ún.", "art. 21, § ún., I"]
applies = { category = "taxi" }
most = "50%"
ask = "Que parte do espaço livre da lataria ocupa?"
banned = ["ofensiva", "vidro"]
except_for = ["campanha_publica"]
infraction = "II-22"
"""
JUDGED = PUBLICITY + 'judge = "fiscalizacao"\n'


def publicity(text: str, part: str | None, **more: Any) -> Decision:
    law = law_of(text)
    measured = parse_literal(part) if part else None
    return decide(law, RestrictionQuestion("taxi", "publicidade", measured=measured, **more), facts_of(law))


@pytest.mark.parametrize(("part", "outcome"), [("50%", Outcome.ALLOWED), ("50.5%", Outcome.DENIED)])
def test_publicity_may_cover_half_of_the_free_bodywork(part: str, outcome: Outcome) -> None:
    decision = publicity(PUBLICITY, part)

    assert (decision.outcome, decision.value.infraction) == (outcome, "II-22")
    assert [c.short for c in decision.citations] == ["art. 21, § ún.", "art. 21, § ún., I"]


def test_banned_contents_exceptions_and_what_nobody_measured() -> None:
    assert "vidro" in publicity(PUBLICITY, "10%", about=("vidro",)).message
    assert publicity(PUBLICITY, "90%", occasion="campanha_publica").outcome is Outcome.ALLOWED
    unknown = publicity(PUBLICITY, None)
    assert (unknown.outcome, unknown.missing[0].ask) == (
        Outcome.UNPROVEN,
        "Que parte do espaço livre da lataria ocupa?",
    )
    assert publicity(PUBLICITY, "3").outcome is Outcome.UNDETERMINED


def test_an_open_standard_is_judged_only_where_nothing_else_forbids() -> None:
    judged, banned = publicity(JUDGED, "10%"), publicity(JUDGED, "10%", about=("ofensiva",))

    assert (judged.outcome, judged.office) == (Outcome.NEEDS_DECISION, "fiscalizacao")
    assert banned.outcome is Outcome.DENIED


def test_all_restrictions_of_a_category_together() -> None:
    text = PUBLICITY + '\n[[restriction]]\ncode = "fora"\ncite = "art. 32"\nmust = "vehicle.in_town"\n'
    law = law_of(text)
    question = RestrictionQuestion("taxi", measured=Percent(parse_literal(10).value))  # type: ignore[union-attr]

    decision = decide(law, question, facts_of(law, vehicle__in_town=False))

    assert (decision.outcome, len(decision.parts)) == (Outcome.DENIED, 2)
    assert decide(law, RestrictionQuestion("escolar"), facts_of(law, vehicle__in_town=True)).outcome is Outcome.ALLOWED


REFUSAL = """
[[fact]]
code = "local.identificou_se"
type = "bool"
of = "ride"
ask = "O passageiro se identificou?"
[[conduct]]
code = "recusa"
title = "Não recusar passageiro"
cite = "art. 15"
of = "driver"
infraction = "II-13"
except_for = ["justa_causa"]
excuses = [
  { code = "madrugada", if = "!local.identificou_se", hours = [00:00:00, 06:00:00], cite = "art. 15, I" },
  { code = "animal", title = "animal doméstico", cite = "art. 15, II" },
]
"""


def refuse(at: time | None = None, occasion: str | None = None, **facts: Any) -> Decision:
    law = law_of(REFUSAL)
    return decide(law, ConductQuestion("recusa", occasion, at), facts_of(law, **facts))


def test_a_duty_binds_and_breaking_it_is_its_infraction() -> None:
    decision = refuse(time(12), local__identificou_se=True)

    assert (decision.outcome, decision.value.infraction, decision.value.excuse) == (Outcome.DENIED, "II-13", None)


def test_an_excuse_holds_in_its_hours_and_under_its_condition() -> None:
    night = refuse(time(5, 59), local__identificou_se=False)

    assert (night.outcome, night.value.excuse) == (Outcome.ALLOWED, "madrugada")
    assert "art. 15, I" in [c.short for c in night.citations]
    assert refuse(time(6), local__identificou_se=False).outcome is Outcome.DENIED
    assert refuse(time(1), local__identificou_se=True).outcome is Outcome.DENIED
    assert refuse(time(1)).outcome is Outcome.UNPROVEN


def test_an_excuse_by_its_name() -> None:
    assert refuse(occasion="animal").value.excuse == "animal"
    assert refuse(occasion="justa_causa").outcome is Outcome.ALLOWED


def test_a_duty_that_the_law_has_not() -> None:
    law = law_of(REFUSAL)

    assert decide(law, ConductQuestion("outro"), facts_of(law)).outcome is Outcome.UNDETERMINED


INSTRUMENT = """
[[instrument]]
code = "permissao"
title = "Termo de Permissão"
cite = ["art. 1", "art. 4", "art. 7"]
applies = { category = "taxi" }
chosen_by = "bidding"
license = "alvara"
license_title = "Alvará de Licença"
term = "cinco_anos"
precarious = true
granted_by = "prefeito"
steps = [
  { code = "adesao", title = "Termo de Adesão", actor = "holder", term = "5 days", after = "homologacao" },
  { code = "alvara", title = "Alvará", actor = "financas", term = "10 days", after = "adesao" },
]
"""


def test_what_grants_the_service_and_the_days_of_its_steps() -> None:
    law = law_of(INSTRUMENT, date(2011, 3, 1))
    events = {"homologacao": date(2011, 3, 1)}

    decision = decide(law, InstrumentQuestion("taxi", events), facts_of(law))

    answer = decision.value
    assert isinstance(answer, InstrumentAnswer)
    assert (answer.title, answer.chosen_by, answer.licence) == ("Termo de Permissão", "bidding", "alvara")
    assert (answer.granted_by, answer.precarious) == ("prefeito", True)
    assert [step.due and step.due.last_day for step in answer.steps] == [date(2011, 3, 6), None]
    assert decide(law, InstrumentQuestion("escolar"), facts_of(law)).outcome is Outcome.UNDETERMINED


OF_TWO_MATTERS = """
[[restriction]]
rows = [
  { code = "pintura", title = "Pintura", cite = "art. 22", matter = "pintura", must = "vehicle.doors == 4" },
  { code = "cartaz", cite = "art. 23", matter = "cartaz", at = ["sale"], must = "vehicle.doors == 2" },
]
"""


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        ({"matter": "pintura"}, Outcome.ALLOWED),
        ({"matter": "cartaz"}, Outcome.DENIED),
        ({"at": "sale"}, Outcome.DENIED),
    ],
)
def test_only_the_restrictions_of_a_matter_or_an_occasion_are_asked(asked: dict[str, Any], outcome: Outcome) -> None:
    law = law_of(OF_TWO_MATTERS)
    decision = decide(law, RestrictionQuestion("taxi", **asked), facts_of(law, vehicle__doors=4))

    assert decision.outcome is outcome


def test_an_occasion_that_no_restriction_is_tested_on_is_free() -> None:
    law = law_of(OF_TWO_MATTERS)
    decision = decide(law, RestrictionQuestion("taxi", at="entry"), facts_of(law))

    assert (decision.outcome, decision.parts) == (Outcome.ALLOWED, ())
