# ruff: noqa: E501  (a row of a pack stands on one line)
"""Steps of a process, and when a person counts as served."""

from datetime import date

import pytest

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import ProcessQuestion, ServedQuestion, StepQuestion
from tests.support.law import facts_of, law_of

COTRIGUACU = """
[[parameter]]
rows = [{ code = "julgador", type = "office", ask = "Quem julga em primeira instância?", cite = "art. 58" }]
[[reading]]
rows = [{ code = "rolar", cite = "art. 52, § ún.", ask = "Rola?", options = { sim = "sim", nao = "não" }, default = "sim" }]
[[counting]]
rows = [{ code = "comum", cite = "art. 52, § ún.", first = "out", roll = { reading = "rolar", sim = "next", nao = "none" } }]
[[process]]
code = "administrativo"
cite = "art. 45"
counting = "comum"
judge = { param = "julgador" }
keep = "5 years"
one_file_per_fact = true
step = [
  { code = "defesa", actor = "party", term = "8 days", after = "service", suspends = true, silence = "decide", contents = ["pedido"], cite = ["art. 52", "art. 54"] },
  { code = "decisao", actor = "authority", term = "30 days", after = "defesa", cite = "art. 58" },
  { code = "recurso", instance = 2, actor = "party", to = "prefeito", term = "10 days", after = "service", suspends = true, silence = "final", whole_or_part = true, cite = "art. 60" },
  { code = "julgamento", instance = 2, actor = "authority", to = "prefeito", after = "recurso", cite = "art. 63" },
  { code = "conselho", instance = 3, actor = "party", to = "conselho", term = "3 working days", after = "service", silence = "final", cite = "art. 64" },
]
[[service]]
rows = [
  { way = "person", done = "signed", refusal_noted = true, cite = "art. 67, I" },
  { way = "post", done = "received", else = { from = "posted", add = "10 days" }, cite = "art. 67, II" },
  { way = "edict", title = "o edital", done = { from = "published", add = "30 days" }, after = ["person", "post"], where_unknown = true, cite = "art. 67, III" },
]
"""
BARRA = """
[[parameter]]
rows = [{ code = "prazo_defesa", type = "length", ask = "Em quanto tempo se defende?", cite = "art. 29" }]
[[process]]
code = "administrativo"
cite = "art. 29"
counting = "civil"
step = [{ code = "defesa", actor = "party", term = { param = "prazo_defesa" }, after = "service", suspends = true }]
[[counting]]
rows = [{ code = "civil", cite = "art. 29" }]
"""


def ask(question: object, on: date = date(2011, 5, 12), text: str = COTRIGUACU) -> Decision:
    law = law_of(text, on)
    return decide(law, question, facts_of(law))


def defence(served: date, text: str = COTRIGUACU) -> Decision:
    return ask(StepQuestion("administrativo", "defesa", served), served, text)


@pytest.mark.parametrize(
    ("served", "last"),
    [
        (date(2011, 5, 12), date(2011, 5, 20)),
        (date(2011, 5, 13), date(2011, 5, 23)),
        (date(2011, 6, 11), date(2011, 6, 20)),
        (date(2011, 7, 1), date(2011, 7, 11)),
    ],
)
def test_the_defence_has_eight_days_and_rolls(served: date, last: date) -> None:
    decision = defence(served)

    answer = decision.value
    assert (decision.outcome, answer.last_day) == (Outcome.VALUE, last)
    assert (answer.suspends, answer.silence, answer.following) == (True, "decide", "decisao")
    assert [reading.code for reading in decision.readings] == ["rolar"]
    assert {"Lei 1/2000, art. 52", "Lei 1/2000, art. 54"} <= {str(cited) for cited in decision.citations}


def test_without_the_roll_the_defence_ends_on_the_saturday() -> None:
    straight = COTRIGUACU + '[[choice]]\nrows = [{ code = "rolar", option = "nao", by = "prefeito", why = "parecer" }]'

    assert defence(date(2011, 5, 13), straight).value.last_day == date(2011, 5, 21)


def test_a_judge_that_the_town_has_not_named_is_what_is_missing() -> None:
    decision = ask(StepQuestion("administrativo", "decisao", date(2011, 5, 20)))

    assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNDETERMINED, ["julgador"])
    assert "Quem julga em primeira instância?" in decision.message
    named = COTRIGUACU + '[[supplied]]\nrows = [{ code = "julgador", value = "financas", source = "decreto" }]'
    answered = ask(StepQuestion("administrativo", "decisao", date(2011, 5, 20)), text=named)
    assert (answered.value.to, answered.value.last_day) == ("financas", date(2011, 6, 20))


def test_the_second_instance_suspends_and_the_third_does_not() -> None:
    second = ask(StepQuestion("administrativo", "recurso", date(2011, 5, 12))).value
    third = ask(StepQuestion("administrativo", "conselho", date(2011, 5, 12))).value

    assert (second.instance, second.to, second.suspends, second.last_day) == (2, "prefeito", True, date(2011, 5, 23))
    assert (third.instance, third.to, third.suspends, third.last_day) == (3, "conselho", False, date(2011, 5, 17))


def test_a_step_to_which_the_law_gives_no_term_has_none() -> None:
    decision = ask(StepQuestion("administrativo", "julgamento", date(2011, 5, 12)))

    assert (decision.outcome, decision.value.last_day) == (Outcome.VALUE, None)
    assert "sem prazo na lei" in decision.message


def test_a_defence_without_a_term_is_undetermined_until_the_town_gives_one() -> None:
    decision = ask(StepQuestion("administrativo", "defesa", date(2010, 5, 12)), date(2010, 5, 12), BARRA)

    assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNDETERMINED, ["prazo_defesa"])
    given = BARRA + '[[supplied]]\nrows = [{ code = "prazo_defesa", value = "15 days", source = "decreto" }]'
    assert ask(StepQuestion("administrativo", "defesa", date(2010, 5, 12)), text=given).value.last_day == date(
        2010, 5, 27
    )


def test_without_the_day_of_service_the_step_is_unproven() -> None:
    assert ask(StepQuestion("administrativo", "defesa")).outcome is Outcome.UNPROVEN


def test_the_process_says_its_steps_and_its_open_judge() -> None:
    decision = ask(ProcessQuestion("administrativo"))

    assert decision.outcome is Outcome.UNDETERMINED
    assert decision.value.steps == ("defesa", "decisao", "recurso", "julgamento", "conselho")
    assert (str(decision.value.keep), decision.value.deposit, decision.value.one_file_per_fact) == (
        "5 years",
        False,
        True,
    )


def test_a_letter_without_a_date_of_receipt_counts_ten_days_after_its_posting() -> None:
    posted = {"posted": date(2011, 6, 1)}

    undated = ask(ServedQuestion("post", posted)).value
    assert (undated.served_on, undated.by) == (date(2011, 6, 11), "posted")
    dated = ask(ServedQuestion("post", {**posted, "received": date(2011, 6, 3)})).value
    assert (dated.served_on, dated.by) == (date(2011, 6, 3), "received")


def test_a_public_notice_counts_thirty_days_after_publication_and_only_after_the_others() -> None:
    published = {"published": date(2011, 6, 1)}

    assert ask(ServedQuestion("edict", published)).value.served_on == date(2011, 7, 1)
    assert ask(ServedQuestion("edict", published, tried=["person", "post"])).outcome is Outcome.VALUE
    early = ask(ServedQuestion("edict", published, tried=["person"]))
    assert (early.outcome, "post" in early.message) == (Outcome.DENIED, True)
    assert ask(ServedQuestion("edict", published, tried=[], where_unknown=True)).outcome is Outcome.VALUE


def test_a_service_without_any_date_asks_for_each() -> None:
    decision = ask(ServedQuestion("post", {}))

    assert (decision.outcome, [m.code for m in decision.missing]) == (
        Outcome.UNPROVEN,
        ["service.received", "service.posted"],
    )


def test_a_way_that_the_law_does_not_know_is_denied() -> None:
    assert ask(ServedQuestion("email", {"received": date(2011, 6, 1)})).outcome is Outcome.DENIED
