"""Who may hold, and what bars a person."""

from datetime import date
from typing import Any

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.questions import EligibilityQuestion, HolderQuestion, PastEnding
from tests.support.eligibility import DAY, LISTS, ask, demand
from tests.support.law import facts_of, law_of

POLICY = """
[[holder_policy]]
code = "quem_pode"
title = "Quem pode"
cite = ["art. 3", "art. 7"]
applies = { category = "taxi" }
allow = [{ holder = "autonomo", permits = 1, vehicles = 1 }]
"""


class TestHolders:
    def test_a_company_may_not_hold(self) -> None:
        decision = ask(POLICY, holder="empresa")

        assert decision.outcome is Outcome.DENIED
        assert "Empresa" in decision.message
        assert [c.short for c in demand(decision, "quem_pode").citations] == ["art. 3", "art. 7"]

    @pytest.mark.parametrize(("held", "outcome"), [(0, Outcome.ALLOWED), (1, Outcome.DENIED)])
    def test_one_permit_for_each_holder(self, held: int, outcome: Outcome) -> None:
        assert ask(POLICY, holder__permits=held, holder__vehicles=held).outcome is outcome

    def test_at_renewal_the_one_held_is_no_second(self) -> None:
        assert ask(POLICY, at="renewal", holder__permits=1, holder__vehicles=1).outcome is Outcome.ALLOWED
        assert ask(POLICY, at="renewal", holder__permits=2, holder__vehicles=1).outcome is Outcome.DENIED

    def test_a_title_may_have_its_own_condition_and_end(self) -> None:
        text = """
[list.title]
dono = "Proprietário"
locatario = "Locatário"
[[fact]]
code = "local.ate"
type = "day"
of = "vehicle"
ask = "Até que dia vale o contrato?"
[[holder_policy]]
code = "quem_pode"
cite = "art. 3"
allow = [
  { holder = "autonomo", title = "dono" },
  { holder = "autonomo", title = "locatario", must = "local.ate >= on", ends = { fact = "local.ate" } },
]
"""
        law = law_of(LISTS + text, DAY)
        question = EligibilityQuestion("taxi", "autonomo")

        owner = decide(law, question, facts_of(law, holder__title="dono"))
        lessee = decide(law, question, facts_of(law, holder__title="locatario", local__ate=date(2011, 12, 31)))
        late = decide(law, question, facts_of(law, holder__title="locatario", local__ate=date(2011, 1, 1)))

        assert owner.outcome is Outcome.ALLOWED
        assert demand(lessee, "quem_pode").value.title_until == date(2011, 12, 31)
        assert late.outcome is Outcome.DENIED
        assert decide(law, question, facts_of(law)).outcome is Outcome.UNPROVEN

    def test_a_holder_may_have_at_most_a_share_of_all(self) -> None:
        text = POLICY.replace("permits = 1, vehicles = 1", 'share = "20%"')

        assert ask(text, holder__permits=1, town__active_permits=9).outcome is Outcome.ALLOWED
        assert ask(text, holder__permits=2, town__active_permits=9).outcome is Outcome.DENIED


JOB = """
[[exclusion]]
code = "vinculo"
title = "Vínculo empregatício"
cite = "art. 11"
applies = { category = ["taxi", "escolar"] }
if = "local.vinculo"
transition = { if = "permit.granted_on < day('2009-12-28')", keeps = "exempt", cite = "art. 11, § 2" }
"""
ENDED = """
[[exclusion]]
code = "cassado"
title = "Outorga cassada"
cite = "art. 12, § ún."
endings = ["cassacao"]
"""


class TestBars:
    def test_a_job_bars_and_its_absence_is_said(self) -> None:
        new: dict[str, Any] = {"permit__granted_on": date(2011, 1, 1)}
        barred, free = ask(JOB, local__vinculo=True, **new), ask(JOB, local__vinculo=False, **new)

        assert (barred.outcome, free.outcome) == (Outcome.DENIED, Outcome.ALLOWED)
        assert demand(free, "vinculo").message == "Vínculo empregatício: não impede."

    def test_those_registered_before_are_exempt_and_the_article_is_cited(self) -> None:
        decision = ask(JOB, local__vinculo=True, permit__granted_on=date(2009, 12, 27))

        assert decision.outcome is Outcome.ALLOWED
        assert "art. 11, § 2" in [c.short for c in demand(decision, "vinculo").citations]

    def test_an_ending_bars_by_its_cause(self) -> None:
        punished, asked_for = PastEnding("cassacao", date(2005, 1, 1)), PastEnding("pedido", date(2010, 1, 1))

        assert ask(ENDED, endings=[punished]).outcome is Outcome.DENIED
        assert ask(ENDED, endings=[asked_for]).outcome is Outcome.ALLOWED
        assert [m.code for m in ask(ENDED, endings=None).missing] == ["holder.endings"]
        assert ask(ENDED, endings=None, holder__endings=["cassacao"]).outcome is Outcome.DENIED

    @pytest.mark.parametrize(
        ("on", "outcome"), [(date(2013, 1, 1), Outcome.DENIED), (date(2013, 1, 2), Outcome.ALLOWED)]
    )
    def test_a_bar_may_end(self, on: date, outcome: Outcome) -> None:
        text = ENDED + 'lasts = "2 years"\n'

        assert ask(text, endings=[PastEnding("cassacao", date(2011, 1, 1))], on=on).outcome is outcome


PAPER = '[[requirement]]\ncode = "saude"\ncite = "art. 11"\nof = "holder"\npaper = "atestado"\n'


def test_a_denial_comes_before_what_is_unproven() -> None:
    decision = ask(PAPER + POLICY, holder__permits=1, holder__vehicles=0)

    assert decision.outcome is Outcome.DENIED
    assert [m.code for m in decision.missing] == ["paper.atestado"]


def test_the_caps_can_be_asked_for_alone() -> None:
    law = law_of(LISTS + POLICY, DAY)
    facts = facts_of(law, holder__permits=0, holder__vehicles=0)

    decision = decide(law, HolderQuestion("taxi", "autonomo"), facts)

    assert decision.outcome is Outcome.ALLOWED
    assert (decision.value.permits, decision.value.vehicles) == (1, 1)
