# ruff: noqa: E501  (a row of a pack stands on one line)
"""Transfers, substitutes and crews."""

from datetime import date
from decimal import Decimal

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import CrewQuestion, SubstituteQuestion, TransferQuestion
from tests.support.law import facts_of, law_of

BARRA = """
[[parameter]]
rows = [{ code = "publicacao", type = "day", ask = "Em que dia a lei foi publicada?", cite = "art. 38" }]
[list]
paper = { atestado = "Atestado médico" }
[[fact]]
rows = [{ code = "local.parente_taxista", type = "bool", of = "candidate", ask = "Algum parente já tem táxi?" }]
[[transfer]]
rows = [
  { code = "morte", cite = ["art. 8, II", "art. 3, § 1"], cause = "death", to = "named_by_heirs", must = "heirs.waived && !local.parente_taxista", fee = "0 BRL" },
  { code = "terceiros", cite = "art. 3, § 3", cause = "sale", to = "third_party", from = { param = "publicacao", add = "5 years" }, fee = "0 BRL" },
]
[[substitute]]
code = "incapacidade"
cite = ["art. 6, IV", "art. 9, I", "art. 9, III"]
paper = "atestado"
provers = ["inss", "junta"]
least = "15 days"
must = "vehicle.same_as_holder && substitute.meets_driver_rules"
"""
PUBLISHED = '[[supplied]]\nrows = [{ code = "publicacao", value = 2009-12-28, source = "Diário" }]\n'


def ask(question: object, on: date, text: str = BARRA + PUBLISHED, /, **facts: object) -> Decision:
    law = law_of(text, on)
    return decide(law, question, facts_of(law, **facts))


def cited(decision: Decision) -> list[str]:
    return [str(citation) for citation in decision.citations]


def test_a_sale_is_denied_before_the_fifth_anniversary_of_publication_and_free_after_it() -> None:
    early = ask(TransferQuestion("taxi", "sale"), date(2014, 12, 20))
    later = ask(TransferQuestion("taxi", "sale"), date(2014, 12, 29))

    assert (early.outcome, cited(early)) == (Outcome.DENIED, ["Lei 1/2000, art. 3, § 3"])
    assert "28/12/2014" in early.message
    assert (later.outcome, later.value.free, later.value.qualifies) == (Outcome.ALLOWED, True, True)


def test_the_day_of_the_request_counts_not_the_laws() -> None:
    asked = TransferQuestion("taxi", "sale", requested_on=date(2014, 12, 20))

    assert ask(asked, date(2015, 3, 1)).outcome is Outcome.DENIED


def test_a_sale_is_undetermined_until_the_day_of_publication_is_known() -> None:
    decision = ask(TransferQuestion("taxi", "sale"), date(2014, 12, 29), BARRA)

    assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNDETERMINED, ["publicacao"])


def test_a_death_passes_to_whom_the_heirs_name_unless_the_family_holds_one() -> None:
    death = TransferQuestion("taxi", "death", event_on=date(2011, 3, 1))
    day = date(2011, 3, 10)

    unproven = ask(death, day)
    assert (unproven.outcome, sorted(m.code for m in unproven.missing)) == (
        Outcome.UNPROVEN,
        ["heirs.waived", "local.parente_taxista"],
    )
    allowed = ask(death, day, heirs__waived=True, local__parente_taxista=False)
    assert (allowed.outcome, cited(allowed)) == (
        Outcome.ALLOWED,
        ["Lei 1/2000, art. 8, II", "Lei 1/2000, art. 3, § 1"],
    )
    assert ask(death, day, heirs__waived=True, local__parente_taxista=True).outcome is Outcome.DENIED


def test_a_cause_that_the_law_does_not_know_is_denied_citing_what_it_admits() -> None:
    decision = ask(TransferQuestion("taxi", "gift"), date(2015, 3, 1))

    assert decision.outcome is Outcome.DENIED
    assert "Lei 1/2000, art. 8, II" in cited(decision)


def test_a_certificate_of_ten_days_admits_no_substitute() -> None:
    decision = ask(SubstituteQuestion("taxi", date(2010, 6, 1), days=10), date(2010, 6, 1))

    assert decision.outcome is Outcome.DENIED
    assert "15 dias" in decision.message


def test_one_of_twenty_days_does_to_its_last_day_both_days_counted() -> None:
    facts = {"vehicle__same_as_holder": True, "substitute__meets_driver_rules": True}
    asked = SubstituteQuestion("taxi", date(2010, 6, 1), days=20, requested=True, proved_by=["junta"], paper="atestado")

    decision = ask(asked, date(2010, 6, 1), **facts)

    assert (decision.outcome, decision.value.until) == (Outcome.ALLOWED, date(2010, 6, 20))
    assert cited(decision) == ["Lei 1/2000, art. 6, IV", "Lei 1/2000, art. 9, I", "Lei 1/2000, art. 9, III"]
    assert ask(asked, date(2010, 6, 1), **{**facts, "vehicle__same_as_holder": False}).outcome is Outcome.DENIED


def test_fifteen_days_are_enough_and_fourteen_are_not() -> None:
    def outcome(last: int) -> Outcome:
        return ask(SubstituteQuestion("taxi", date(2010, 6, 1), date(2010, 6, last)), date(2010, 6, 1)).outcome

    assert (outcome(14), outcome(15)) == (Outcome.DENIED, Outcome.UNPROVEN)


def test_what_is_not_proven_is_listed_whole() -> None:
    decision = ask(SubstituteQuestion("taxi", date(2010, 6, 1), days=20), date(2010, 6, 1))

    assert decision.outcome is Outcome.UNPROVEN
    assert sorted(missing.code for missing in decision.missing) == [
        "substitute.meets_driver_rules",
        "substitute.papers.atestado",
        "substitute.proved_by",
        "substitute.requested",
        "vehicle.same_as_holder",
    ]


def test_proof_by_somebody_else_is_none() -> None:
    asked = SubstituteQuestion("taxi", date(2010, 6, 1), days=20, proved_by=["vizinho"])

    assert ask(asked, date(2010, 6, 1)).outcome is Outcome.DENIED


COTRIGUACU = """
[[transfer]]
code = "venda"
cite = "art. 14, II"
cause = "venda"
to = "empresa"
held_for = "2 years"
within = "90 days"
locks = "3 years"
bars = "1 year"
most_times = 2
fee = "50.00 BRL"
papers = ["contrato"]
[[substitute]]
rows = [{ code = "invalidez", cite = "art. 14, § 2", licence_again = true, fee = "0 BRL" }]
[[crew]]
rows = [
  { code = "auxiliares", cite = "art. 13", role = "auxiliar", most = 2, hours = "8 hours", papers = ["cnh"], ahead = "3 working days", must = "driver.registered" },
]
"""
SOLD = {"requested_on": date(2012, 3, 1), "event_on": date(2012, 1, 10), "granted_on": date(2009, 5, 1), "times": 0}


def sale(**more: object) -> TransferQuestion:
    return TransferQuestion("taxi", "venda", **{"papers": ["contrato"], **SOLD, **more})  # type: ignore[arg-type]


def test_each_bar_of_a_transfer_denies_alone() -> None:
    day = date(2012, 3, 1)

    allowed = ask(sale(), day, COTRIGUACU)
    assert (allowed.outcome, allowed.value.fee.brl, allowed.value.free) == (Outcome.ALLOWED, Decimal("50.00"), False)
    assert (allowed.value.locked_until, allowed.value.barred_until) == (date(2015, 3, 1), date(2013, 3, 1))
    barred = {
        "a partir de": sale(granted_on=date(2010, 3, 2)),
        "devia ser feito até": sale(event_on=date(2011, 12, 1)),
        "não passa adiante até": sale(acquired=("venda", date(2009, 3, 2))),
        "só se transfere 2": sale(times=2),
        "a quem a recebe": sale(to="pessoa_fisica"),
    }
    for why, question in barred.items():
        decision = ask(question, day, COTRIGUACU)
        assert decision.outcome is Outcome.DENIED, why
        assert why in decision.message


def test_what_a_bar_needs_to_know_is_asked() -> None:
    decision = ask(TransferQuestion("taxi", "venda"), date(2012, 3, 1), COTRIGUACU)

    assert (decision.outcome, sorted(m.code for m in decision.missing)) == (
        Outcome.UNPROVEN,
        ["permit.granted_on", "permit.transfers", "transfer.on", "transfer.papers.contrato"],
    )


def test_a_substitute_while_the_cause_lasts_needs_a_new_licence_and_pays_nothing() -> None:
    decision = ask(SubstituteQuestion("taxi", date(2012, 3, 1), requested=True), date(2012, 3, 1), COTRIGUACU)

    assert decision.outcome is Outcome.ALLOWED
    assert (decision.value.until, decision.value.licence_again, decision.value.free) == (None, True, True)


def test_a_law_that_admits_no_substitute_denies_one() -> None:
    assert ask(SubstituteQuestion("taxi", date(2012, 3, 1)), date(2012, 3, 1), "").outcome is Outcome.DENIED


def helper(**more: object) -> CrewQuestion:
    told = {"told_on": date(2012, 3, 1), "begins_on": date(2012, 3, 6)}
    usual = {"category": "taxi", "role": "auxiliar", "count": 2, "hours": 8, "papers": ["cnh"], **told}
    return CrewQuestion(**{**usual, **more})  # type: ignore[arg-type]


def test_a_crew_has_its_number_hours_papers_and_notice() -> None:
    day = date(2012, 3, 1)

    assert ask(helper(), day, COTRIGUACU, driver__registered=True).outcome is Outcome.ALLOWED
    for denied in (helper(count=3), helper(hours=9), helper(begins_on=date(2012, 3, 5)), helper(role="ajudante")):
        assert ask(denied, day, COTRIGUACU, driver__registered=True).outcome is Outcome.DENIED
    assert ask(helper(), day, COTRIGUACU, driver__registered=False).outcome is Outcome.DENIED
    unproven = ask(helper(papers=[]), day, COTRIGUACU)
    assert sorted(m.code for m in unproven.missing) == ["crew.papers.cnh", "driver.registered"]
