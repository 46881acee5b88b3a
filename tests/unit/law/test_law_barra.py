"""What the real pack of Barra do Garças answers beside its worked cases: who may enter, terms, sanctions, conduct."""

from datetime import date, time

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import (
    CampaignQuestion,
    ConductQuestion,
    EligibilityQuestion,
    HolderQuestion,
    PaperFact,
    QuotaQuestion,
    RevealedQuestion,
    SanctionsQuestion,
    StepQuestion,
    TermQuestion,
)
from tests.support.barra import CASE_DAY, TAXI, also_said, articles, asked, book, choosing
from tests.support.law import facts_of

# --- who may hold ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("category", "holder", "outcome"),
    [
        ("taxi", "autonomo", Outcome.ALLOWED),
        ("taxi", "escola", Outcome.DENIED),
        ("taxi", "pessoa_juridica", Outcome.DENIED),
        ("escolar", "autonomo", Outcome.ALLOWED),
        ("escolar", "escola", Outcome.ALLOWED),
        ("escolar", "pessoa_juridica", Outcome.DENIED),
    ],
)
def test_taxis_are_for_persons_and_schools_may_own_their_van(category: str, holder: str, outcome: Outcome) -> None:
    decision = asked(HolderQuestion(category, holder), CASE_DAY, holder__permits=0, holder__vehicles=0)

    assert decision.outcome is outcome


def eligible(category: str = "taxi", at: str = "entry", /, **changed: object) -> Decision:
    facts: dict[str, object] = {
        **{"holder__permits": 0, "holder__vehicles": 0, "local__vinculo": False, "local__parente_taxista": False},
        **{"driver__cnh__categories": ("B",), "driver__cnh__ear": True, "driver__cnh__first_on": date(2008, 10, 15)},
        **{"driver__cnh__until": date(2012, 1, 1), "driver__age": 30},
        **{"vehicle__own_name": True, "vehicle__doors": 4, "vehicle__first_registration": date(2008, 1, 1)},
        **{"vehicle__fuel": "flex", "local__conforme_ctb": True, "local__graves_12_meses": 0},
        **{"local__medias_12_meses": 1, **changed},
    }
    personal = ("cnh", "carteira_saude", "residencia", "antecedentes", "cpf", "rg", "curso_escolar")
    papers = [*(PaperFact(code, "driver", date(2010, 10, 1), date(2011, 10, 1)) for code in personal)]
    papers += [PaperFact("certidao_negativa", "holder", date(2010, 10, 1))]
    papers += [PaperFact("documento_veiculo", "vehicle", date(2010, 10, 1))]
    return asked(EligibilityQuestion(category, "autonomo", at, papers), CASE_DAY, **facts)


def test_a_candidate_who_brings_all_that_the_law_asks_may_enter() -> None:
    decision = eligible()

    assert decision.outcome is Outcome.ALLOWED, decision.message


@pytest.mark.parametrize(
    ("category", "changed", "article"),
    [
        ("taxi", {"local__vinculo": True}, "art. 11"),
        ("taxi", {"local__parente_taxista": True}, "art. 3, § 1"),
        ("taxi", {"holder__vehicles": 1}, "art. 22"),
        ("taxi", {"driver__cnh__first_on": date(2008, 10, 16)}, "art. 4, I"),
        ("taxi", {"driver__cnh__categories": ("A",)}, "art. 4, I"),
        ("taxi", {"vehicle__first_registration": date(2004, 10, 14)}, "art. 4, VII"),
        ("taxi", {"vehicle__own_name": False}, "art. 4, VII"),
        ("taxi", {"vehicle__doors": 3}, "art. 18"),
        ("taxi", {"vehicle__fuel": "gas", "local__gas_adaptado": False}, "art. 13, § 3"),
        ("escolar", {"driver__cnh__categories": ("B",)}, "art. 5, II"),
        ("escolar", {"driver__cnh__categories": ("D",), "driver__age": 20}, "art. 5, I"),
        ("escolar", {"driver__cnh__categories": ("D",), "local__graves_12_meses": 1}, "art. 5, III"),
        ("escolar", {"driver__cnh__categories": ("D",), "local__medias_12_meses": 2}, "art. 5, III"),
    ],
)
def test_each_bar_is_told_with_its_article(category: str, changed: dict[str, object], article: str) -> None:
    decision = eligible(category, **changed)

    refused = [part for part in decision.parts if part.outcome is Outcome.DENIED]
    assert decision.outcome is Outcome.DENIED
    assert [part for part in refused if article in articles(part)], [part.message for part in refused]


def test_who_had_a_bond_and_a_permit_before_the_law_keeps_it() -> None:
    decision = eligible(
        "taxi", "renewal", holder__permits=1, local__vinculo=True, permit__granted_on=date(2009, 12, 27)
    )

    after = eligible("taxi", "renewal", holder__permits=1, local__vinculo=True, permit__granted_on=date(2009, 12, 28))

    assert decision.outcome is Outcome.ALLOWED, decision.message
    assert "art. 11, § 2" in articles(decision)
    assert after.outcome is Outcome.DENIED


# --- terms, process, conduct -----------------------------------------------------------------------------------------


def test_a_licence_lasts_a_year_and_not_renewing_it_is_an_infraction() -> None:
    decision = asked(TermQuestion("alvara", date(2010, 2, 10), TAXI), date(2011, 2, 11))

    assert decision.value.last_day == date(2011, 2, 10)
    assert [(step.infraction, step.begun) for step in decision.value.late] == [("I-04", True)]


def test_absence_is_punished_from_the_sixteenth_day() -> None:
    late = asked(TermQuestion("ausencia", date(2010, 3, 1), TAXI), date(2010, 3, 17)).value.late

    assert [(step.infraction, step.first_day) for step in late] == [("I-18", date(2010, 3, 17))]


@pytest.mark.parametrize("campaign", ["recadastramento", "manifestacao"])
def test_the_calls_of_the_law_run_fifteen_days_from_publication(campaign: str) -> None:
    decision = asked(CampaignQuestion(campaign), date(2010, 1, 5), local__em_uso=False)

    assert (decision.value.opens_on, decision.value.last_day) == (date(2009, 12, 28), date(2010, 1, 12))


def test_the_defence_has_no_term_until_the_town_names_one() -> None:
    question = StepQuestion("administrativo", "defesa", date(2010, 3, 5))
    named = also_said("prazo_defesa", '"15 days"')

    silent, told = asked(question, CASE_DAY), asked(question, CASE_DAY, named)

    assert (silent.outcome, [m.code for m in silent.missing]) == (Outcome.UNDETERMINED, ["prazo_defesa"])
    assert told.value.last_day == date(2010, 3, 22)  # the 20th is a Saturday


def test_the_gravest_sanction_is_the_mayors_after_process_and_opinion() -> None:
    question = SanctionsQuestion("I-21", "cassacao", TAXI)
    ready = SanctionsQuestion("I-21", "cassacao", TAXI, filed=["parecer_juridico"], in_process=True)

    refused, open_ = asked(question, CASE_DAY), asked(ready, CASE_DAY)

    assert (refused.outcome, len(refused.value.lacks)) == (Outcome.DENIED, 2)
    assert (open_.outcome, open_.office, open_.value.reasoned) == (Outcome.NEEDS_DECISION, "prefeito", True)
    assert {"art. 28, IV", "art. 34, § 2"} <= articles(open_)


def test_sanctions_are_graded_from_what_the_annex_draws() -> None:
    first = asked(SanctionsQuestion("I-21", keys=TAXI), CASE_DAY).value
    again = asked(SanctionsQuestion("I-21", keys=TAXI, earlier=["multa"]), CASE_DAY).value

    assert [(each.sanction, each.reasoned) for each in first] == [
        ("advertencia", False),
        ("multa", False),
        ("suspensao", True),
        ("cassacao", True),
    ]
    assert [each.sanction for each in again if each.reasoned] == ["cassacao"]
    assert [each.sanction for each in again if each.open_term] == ["suspensao"]


@pytest.mark.parametrize(("option", "outcome"), [("processo", Outcome.NEEDS_DECISION), ("imediato", Outcome.VALUE)])
def test_automatic_cancellation_is_a_duty_to_open_a_process(option: str, outcome: Outcome) -> None:
    decision = asked(RevealedQuestion("parentesco"), CASE_DAY, choosing("automatico", option))

    assert decision.outcome is outcome
    assert (decision.value.effect.cause, decision.value.effect.opens) == ("cancelamento", "cassacao")
    assert "art. 3, § 2" in articles(decision)


def test_a_bar_that_draws_nothing_later_is_told_so() -> None:
    assert asked(RevealedQuestion("outra_renda"), CASE_DAY).outcome is Outcome.DENIED


@pytest.mark.parametrize(
    ("hour", "outcome"), [(time(0, 0), Outcome.ALLOWED), (time(5, 59), Outcome.ALLOWED), (time(6, 0), Outcome.DENIED)]
)
def test_who_does_not_say_who_he_is_may_be_refused_before_six(hour: time, outcome: Outcome) -> None:
    question = ConductQuestion("recusa", occasion="sem_identificacao", at=hour)

    assert asked(question, CASE_DAY, local__sem_identificacao=True).outcome is outcome


def test_before_its_publication_the_law_answers_nothing() -> None:
    decision = asked(QuotaQuestion("taxi", 40), date(2009, 12, 27), town__populacao=52_001)

    assert decision.outcome is Outcome.UNDETERMINED


def test_without_its_publication_day_the_law_says_that_this_is_missing() -> None:
    law = book("").on(CASE_DAY)

    decision = decide(law, QuotaQuestion("taxi", 40), facts_of(law, town__populacao=52_001))

    assert decision.outcome is Outcome.UNDETERMINED
    assert "publicacao" in {missing.code for part in (decision, *decision.parts) for missing in part.missing}
