"""The deadline kinds of a law: each with its opener, what meets or ends it, and who carries out what follows."""

from datetime import date
from pathlib import Path

import pytest

from services.inventory import OPENERS, executors, lacking
from tenants.law.book import Book
from tenants.law.deadline_kinds import DeadlineKind
from tenants.law.inventory import inventory
from tenants.law.kinds.registry import RULES
from tenants.law.law import Law
from tenants.law.quantity import Length
from tenants.law.rule import walk
from tenants.law.values import Const
from tests.support.law import law_of, published

PACKS = Path("tenants/municipalities")
LAWS = [*sorted(PACKS.glob("*.toml")), Path("tests/third_town/pack.toml")]
DAY = date(2026, 3, 10)
# What a rule counts that no deadline is: how old something may be, how long it must have been, how long a bar lasts.
COUNTS_NO_DEADLINE = {
    "exclusion": "how long an ending bars: asked of whoever applies",
    "transfer": "how long a permit is held or locked: asked of the day of a transfer",
    "infraction": "how long a suspension lasts, which its decision fixes",
    "sanction": "the same",
    "points": "the same",
    "measure": "the window in which the past counts",
    "service": "when a service of process counts as done",
    "tariff_policy": "when a review is due, which the terms of the tariff count",
    "fee": "how often it is due again, which whoever issues what it is for looks at",
    "share": "no length of its own",
    "crew": "how long ahead one is told, looked at on the day",
    "unit": "no length of its own",
    "ladder": "no length of its own",
    "tariff": "no length of its own",
}


def law_from(pack: Path) -> Law:
    return Book.of(published(pack.read_text(encoding="utf-8"))).on(DAY)


def of(law: Law, kind: str) -> DeadlineKind:
    return next(each for each in inventory(law) if each.kind == kind)


@pytest.mark.parametrize("pack", LAWS, ids=lambda pack: pack.stem)
def test_nothing_is_lacking_in_a_law_that_we_have(pack: Path) -> None:
    kinds = inventory(law_from(pack))

    assert list(lacking(kinds)) == []
    assert all(each.cite for each in kinds)
    assert {each.rule_kind for each in kinds} <= set(OPENERS)


@pytest.mark.parametrize("pack", LAWS, ids=lambda pack: pack.stem)
def test_every_kind_of_rule_that_counts_days_is_told_of(pack: Path) -> None:
    """A kind of rule that comes with a length of its own either sets deadlines running, or it is said why not."""
    law = law_from(pack)
    counting = {
        cls.kind
        for cls in RULES
        for _, item in law.all(cls)
        if any(isinstance(leaf, Const) and isinstance(leaf.literal, Length) for leaf in walk(item))
    }

    assert counting - set(COUNTS_NO_DEADLINE) <= set(OPENERS)


COTRIGUACU = law_from(PACKS / "cotriguacu.toml")
BARRA = law_from(PACKS / "barra-do-garcas.toml")


def test_a_kind_says_by_which_article_it_runs_and_what_follows() -> None:
    paying = of(COTRIGUACU, "pagar_multa")

    assert "Lei 624/2009, art. 73" in [str(citation) for citation in paying.cite]
    assert (paying.length.said, paying.opens, paying.meets) == ("30 dias", ("fine.notified",), ("fine.paid",))
    assert [(each.do, each.office) for each in paying.follows] == [
        ("notify", None),
        ("draw", "divida_ativa"),
        ("draw", "prefeito"),
    ]
    assert [[lead.said for lead in told.leads] for told in paying.told] == [["7 dias"]]


def test_what_the_town_has_not_said_is_named() -> None:
    assert [each.code for each in of(BARRA, "defesa").length.missing] == ["prazo_defesa"]
    assert [each.code for each in of(BARRA, "afericao").length.missing] == ["meses_afericao"]
    assert of(BARRA, "carteira_saude").length.missing == (), "the paper says it"
    assert of(COTRIGUACU, "intimacao").length.said == "fixado por fiscalizacao"


def test_the_authority_s_own_terms_come_before_somebody() -> None:
    authority = {each.kind: each for each in inventory(COTRIGUACU) if each.binds == "authority"}

    assert set(authority) == {
        *("primeiro_alvara", "reclamacao", "revisao_tarifas", "nova_revisao_tarifas"),
        *("replica", "diligencia", "decisao"),
    }
    assert all(any(f.do == "escalate" and f.office for f in each.follows) for each in authority.values())
    assert not [each for each in inventory(BARRA) if each.binds == "authority"], "that law gives it no days"


TERM = """
[[term]]
code = "prazo"
title = "Prazo"
cite = "art. 9"
of = "fine"
starts = "notified"
length = "30 days"
late = [{ after = "0 days", infraction = "I-1", cite = "art. 10" }]
[[infraction]]
rows = [{ code = "I-1", title = "Atraso", do = "fine", amount = "1 BRL", cite = "art. 10" }]
"""


def test_a_term_that_nothing_meets_is_lacking() -> None:
    (found,) = lacking(inventory(law_of(TERM)))
    met = law_of(TERM.replace('length = "30 days"', 'length = "30 days"\nmet_by = ["paid"]'))

    assert "nothing meets it" in found
    assert list(lacking(inventory(met))) == []


def test_a_term_whose_consequence_nobody_carries_out_is_lacking() -> None:
    without = set(executors()) - {"escalate"}
    found = list(lacking(inventory(COTRIGUACU), without))

    assert len(found) == 7
    assert all("nothing carries out 'escalate'" in each for each in found)


def test_a_kind_of_rule_that_nothing_opens_is_lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(OPENERS, "campaign")

    assert [each.split(",")[0] for each in lacking(inventory(BARRA))] == [
        "campaign 'recadastramento'",
        "campaign 'manifestacao'",
    ]
