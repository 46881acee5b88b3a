"""Two times: the law of a day as it was known on another; and which of several rules counts."""

from datetime import date
from typing import Any

import pytest

from tenants.law.book import Book
from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.kinds.grants import Exclusion
from tenants.law.law import Law
from tenants.law.questions import EligibilityQuestion, QuotaAnswer, QuotaQuestion
from tests.support.law import TOWN, book_of, facts_of, law_of, published

QUOTA = '[[quota]]\ncode = "vagas"\ncite = "art. 2"\n'


def limit(law: Law, category: str = "taxi") -> int | None:
    """What the quota of a law comes to; None: it says nothing."""
    decision = decide(law, QuotaQuestion(category, 0), facts_of(law))
    return decision.value.limit if isinstance(decision.value, QuotaAnswer) else None


def room(law: Law) -> Decision:
    return decide(law, QuotaQuestion("taxi", 0), facts_of(law))


class TestAmendments:
    def test_a_future_one_leaves_earlier_days_as_they_were(self) -> None:
        book = book_of(QUOTA + "value = 10\n", [(date(2015, 6, 1), QUOTA + "value = 20\nfrom = 2016-01-01\n")])

        assert [limit(book.on(day)) for day in (date(2015, 6, 1), date(2015, 12, 31), date(2016, 1, 1))] == [10, 10, 20]

    def test_a_retroactive_one_counts_for_the_past_once_it_is_known(self) -> None:
        book = book_of(QUOTA + "value = 10\n", [(date(2015, 6, 1), QUOTA + "value = 20\nfrom = 2012-01-01\n")])
        day = date(2013, 5, 5)

        assert limit(book.on(day)) == 20
        assert limit(book.on(day, known_at=date(2015, 5, 31))) == 10
        assert limit(book.on(day, known_at=date(2015, 6, 1))) == 20
        assert limit(book.on(date(2011, 12, 31))) == 10

    def test_a_retroactive_one_after_a_future_one_hides_nothing(self) -> None:
        future = (date(2015, 1, 1), QUOTA + "value = 30\nfrom = 2017-01-01\n")
        late = (date(2016, 1, 1), QUOTA + "value = 20\nfrom = 2014-01-01\nuntil = 2016-12-31\n")
        book = book_of(QUOTA + "value = 10\n", [future, late])

        days = [date(2013, 12, 31), date(2014, 1, 1), date(2016, 12, 31), date(2017, 1, 1)]
        assert [limit(book.on(day)) for day in days] == [10, 20, 20, 30]
        assert limit(book.on(date(2014, 1, 1), known_at=date(2015, 12, 31))) == 10

    def test_the_official_day_counts_not_the_order_of_recording(self) -> None:
        second = (date(2016, 1, 1), QUOTA + "value = 30\n")
        first = (date(2015, 1, 1), QUOTA + "value = 20\n")
        book = book_of(QUOTA + "value = 10\n", [second, first])

        assert limit(book.on(date(2018, 1, 1))) == 30

    def test_a_pack_may_bring_a_whole_history(self) -> None:
        text = QUOTA + "value = 10\nuntil = 2009-12-31\n" + QUOTA + "value = 20\nfrom = 2010-01-01\n"
        book = book_of(text)

        assert [limit(book.on(day)) for day in (date(2009, 12, 31), date(2010, 1, 1))] == [10, 20]

    def test_on_a_day_on_which_no_version_counts_the_rule_does_not_exist(self) -> None:
        book = book_of(QUOTA + "value = 10\nfrom = 2010-01-01\nuntil = 2010-12-31\n")

        assert [limit(book.on(day)) for day in (date(2009, 12, 31), date(2011, 1, 1))] == [None, None]

    def test_a_version_that_is_off_ends_its_rule_from_its_own_day_on(self) -> None:
        """And only for those who know of it."""
        end = (date(2015, 6, 1), QUOTA + 'value = 10\nfrom = 2016-01-01\noff = "yes"\n')
        book = book_of(QUOTA + "value = 10\n", [end])

        assert [limit(book.on(day)) for day in (date(2015, 12, 31), date(2016, 1, 1))] == [10, None]
        assert limit(book.on(date(2016, 1, 1), known_at=date(2015, 5, 31))) == 10
        assert book.on(date(2016, 1, 1)).find("quota", "vagas") is None

    def test_a_rule_that_ended_may_begin_again(self) -> None:
        end = (date(2015, 6, 1), QUOTA + 'value = 10\nfrom = 2016-01-01\noff = "yes"\n')
        again = (date(2017, 6, 1), QUOTA + "value = 30\nfrom = 2018-01-01\n")
        book = book_of(QUOTA + "value = 10\n", [end, again])

        assert [limit(book.on(day)) for day in (date(2017, 12, 31), date(2018, 1, 1))] == [None, 30]

    def test_a_reading_is_chosen_from_a_day_on(self) -> None:
        text = """
[[reading]]
code = "quantas"
cite = "art. 2"
ask = "Quantas?"
options = { poucas = "10", muitas = "20" }
default = "poucas"
[[quota]]
code = "vagas"
cite = "art. 2"
value = { reading = "quantas", poucas = 10, muitas = 20 }
"""
        choice = '[[choice]]\ncode = "quantas"\noption = "muitas"\nby = "prefeito"\nwhy = "d"\nfrom = 2014-01-01\n'
        book = book_of(text, [(date(2013, 11, 1), choice)])

        before, after = room(book.on(date(2013, 12, 31))), room(book.on(date(2014, 1, 1)))
        assert [(r.option, r.chosen) for d in (before, after) for r in d.readings] == [
            ("poucas", False),
            ("muitas", True),
        ]

    def test_a_decision_says_since_when_and_by_which_publication(self) -> None:
        book = book_of(QUOTA + "value = 10\n", [(date(2015, 6, 1), QUOTA + "value = 20\nfrom = 2016-01-01\n")])

        (rule,) = room(book.on(date(2017, 1, 1))).parts[0].rules

        assert (rule.code, rule.since, rule.publication) == ("vagas", date(2016, 1, 1), "amendment 2")


PUBLICATION = '[[parameter]]\ncode = "publicacao"\ntype = "day"\nask = "Em que dia se publicou?"\ncite = "art. 9"\n'
SUPPLIED = '[[supplied]]\ncode = "publicacao"\nvalue = 2010-03-01\nsource = "Diário 7"\n'


class TestParameters:
    def test_a_rule_that_begins_on_an_unknown_day_is_undetermined_and_asks_for_it(self) -> None:
        text = PUBLICATION + QUOTA + 'value = 10\nfrom = { param = "publicacao" }\n'
        decision = room(law_of(text))

        assert decision.outcome is Outcome.UNDETERMINED
        assert [(m.kind, m.code, m.ask) for m in decision.missing] == [
            ("parameter", "publicacao", "Em que dia se publicou?")
        ]

    def test_once_supplied_it_begins_that_day_or_so_long_after(self) -> None:
        text = PUBLICATION + SUPPLIED + QUOTA + 'value = 10\nfrom = { param = "publicacao", add = "5 years" }\n'

        assert limit(law_of(text, date(2015, 2, 28))) is None
        assert limit(law_of(text, date(2015, 3, 1))) == 10

    def test_a_norm_of_unknown_publication_leaves_its_rules_undetermined(self) -> None:
        town = TOWN.replace("from = 2000-01-01", 'from = { param = "publicacao" }')

        unknown = room(law_of(PUBLICATION + QUOTA + "value = 10\n", town=town))
        known = law_of(PUBLICATION + SUPPLIED + QUOTA + "value = 10\n", date(2010, 3, 1), town=town)

        assert (unknown.outcome, [m.code for m in unknown.missing]) == (Outcome.UNDETERMINED, ["publicacao"])
        assert limit(known) == 10

    def test_a_day_before_the_first_law_is_an_answer_that_says_so(self) -> None:
        decision = room(law_of(QUOTA + "value = 10\n", date(1999, 12, 31)))

        assert decision.outcome is Outcome.UNDETERMINED
        assert "01/01/2000" in decision.message

    def test_a_supplied_value_counts_from_its_own_day(self) -> None:
        text = '[[parameter]]\ncode = "teto"\ntype = "number"\nask = "Quantas?"\ncite = "art. 9"\n'
        text += QUOTA + 'value = { param = "teto" }\n'
        for period, value in (("from = 2010-01-01\nuntil = 2011-12-31", 5), ("from = 2012-01-01", 8)):
            text += f'[[supplied]]\ncode = "teto"\nvalue = {value}\n{period}\nsource = "Decreto"\n'
        assert [limit(law_of(text, day)) for day in (date(2011, 1, 1), date(2012, 1, 1))] == [5, 8]
        assert room(law_of(text, date(2009, 1, 1))).outcome is Outcome.UNDETERMINED


class TestStatusOfNorms:
    """What a norm is, as a whole or in one of its devices, from one day to another."""

    def law(self, status: str, on: date) -> Law:
        begun = '{ is = "in_force", from = 2000-01-01 }'
        return law_of(QUOTA + "value = 10\n", on, town=TOWN.replace(begun, f"{begun}, {status}"))

    @pytest.mark.parametrize(
        ("status", "before", "after"),
        [
            ('{ is = "suspended", from = 2010-01-01, devices = ["art. 2"] }', 10, None),
            ('{ is = "revoked", from = 2010-01-01 }', 10, None),
            ('{ is = "void", from = 2010-01-01, devices = ["art. 2"] }', 10, None),
            ('{ is = "revoked", from = 2010-01-01, devices = ["art. 20"] }', 10, 10),
            ('{ is = "revoked", from = 2010-01-01, devices = ["art. 2, § 1"] }', 10, 10),
        ],
    )
    def test_a_device_without_force_has_no_rule(self, status: str, before: int | None, after: int | None) -> None:
        assert limit(self.law(status, date(2009, 12, 31))) == before
        assert limit(self.law(status, date(2010, 1, 1))) == after

    def test_a_suspension_ends_and_a_norm_is_revived(self) -> None:
        ended = '{ is = "suspended", from = 2010-01-01, until = 2010-12-31 }'
        revived = '{ is = "suspended", from = 2010-01-01 }, { is = "revived", from = 2011-01-01 }'

        for status in (ended, revived):
            assert [limit(self.law(status, day)) for day in (date(2010, 6, 1), date(2011, 1, 1))] == [None, 10]

    def test_a_bill_binds_nobody(self) -> None:
        town = TOWN.replace("in_force", "bill")

        assert limit(law_of(QUOTA + "value = 10\n", town=town)) is None

    def test_a_revocation_of_unknown_day_is_a_doubt_not_a_fact(self) -> None:
        begun = '{ is = "in_force", from = 2000-01-01 }'
        town = TOWN.replace(begun, f'{begun}, {{ is = "revoked", from = {{ param = "publicacao" }} }}')

        decision = room(law_of(PUBLICATION + QUOTA + "value = 10\n", town=town))

        assert (decision.outcome, [m.code for m in decision.missing]) == (Outcome.UNDETERMINED, ["publicacao"])

    def test_what_a_later_publication_says_of_the_past_is_known_only_then(self) -> None:
        void = TOWN[TOWN.index("[[norm]]") : TOWN.index("[[category]]")].replace("in_force", "void")
        book = book_of(QUOTA + "value = 10\n", [(date(2015, 1, 1), void)])

        assert limit(book.on(date(2012, 1, 1), known_at=date(2014, 12, 31))) == 10
        assert limit(book.on(date(2012, 1, 1))) is None


FEDERAL = """
[municipality]
slug = "br"
name = "Brasil"
uf = "DF"
ibge = "0000000"
zone = "America/Sao_Paulo"
money = { round = "half-up", digits = 2 }
[[norm]]
label = "Lei federal 9/1990"
rank = "lei"
urn = "urn:lex:br:federal:lei:1990-01-01;9"
status = [{ is = "in_force", from = 1990-01-01 }]
"""


class TestPrecedence:
    def answer(self, *rules: str) -> Decision:
        return room(law_of("".join(f"[[quota]]\n{rule}\n" for rule in rules)))

    def test_a_higher_norm_counts_on_the_same_point(self) -> None:
        rule = '[[quota]]\ncode = "nacional"\ncite = "art. 7"\npoint = "vagas"\nvalue = 3\n'
        above = published(FEDERAL + rule, label="federal", pack="br")
        book = Book.of(published(TOWN + QUOTA + "value = 10\n"), above=above)

        decision = room(book.on(date(2020, 1, 1)))

        assert decision.value.limit == 3
        assert [str(c) for c in decision.citations] == ["Lei federal 9/1990, art. 7"]

    def test_rules_on_different_points_add_up(self) -> None:
        above = published(FEDERAL + '[[quota]]\ncode = "nacional"\ncite = "art. 7"\nvalue = 3\n', pack="br")
        book = Book.of(published(TOWN + QUOTA + "value = 10\n"), above=above)

        decision = room(book.on(date(2020, 1, 1)))

        assert sorted(part.value.limit for part in decision.parts) == [3, 10]
        assert {str(c) for c in decision.citations} == {"Lei federal 9/1990, art. 7", "Lei 1/2000, art. 2"}

    def test_the_towns_bare_articles_and_first_day_are_its_own_laws(self) -> None:
        book = Book.of(published(TOWN + QUOTA + "value = 10\n"), above=published(FEDERAL, pack="br"))

        assert book.own_norms == ("Lei 1/2000",)
        assert room(book.on(date(1995, 1, 1))).outcome is Outcome.UNDETERMINED
        assert book.town.slug == "vila-nova"

    def test_the_narrower_rule_counts(self) -> None:
        wide = 'code = "a"\npoint = "p"\ncite = "art. 2"\napplies = { category = ["taxi", "escolar"] }\nvalue = 1'
        narrow = 'code = "b"\npoint = "p"\ncite = "art. 3"\napplies = { category = "taxi" }\nvalue = 2'

        assert self.answer(wide, narrow).value.limit == self.answer(narrow, wide).value.limit == 2

    def test_the_same_with_a_condition_is_narrower(self) -> None:
        plain = 'code = "a"\npoint = "p"\ncite = "art. 2"\nvalue = 1'
        conditional = 'code = "b"\npoint = "p"\ncite = "art. 3"\nif = "on >= day(\'2001-01-01\')"\nvalue = 2'

        assert self.answer(plain, conditional).value.limit == 2

    def test_of_two_alike_the_later_counts_and_then_the_priority(self) -> None:
        first = 'code = "a"\npoint = "p"\ncite = "art. 2"\nfrom = 2001-01-01\nvalue = 1\n'
        later = 'code = "b"\npoint = "p"\ncite = "art. 3"\nfrom = 2002-01-01\nvalue = 2\n'
        urgent = 'code = "c"\npoint = "p"\ncite = "art. 4"\nfrom = 2002-01-01\nvalue = 3\npriority = 1\n'

        assert self.answer(first, later).value.limit == 2
        assert self.answer(first, later, urgent).value.limit == 3

    def test_undecided_rivals_are_both_shown_and_nothing_is_guessed(self) -> None:
        one, two = (f'code = "{code}"\npoint = "p"\ncite = "art. {n}"\nvalue = {n}' for n, code in ((2, "a"), (3, "b")))

        decision = self.answer(one, two)

        assert decision.outcome is Outcome.UNDETERMINED
        assert "a (Lei 1/2000, art. 2)" in decision.message
        assert "b (Lei 1/2000, art. 3)" in decision.message
        assert [c.short for c in decision.citations] == ["art. 2", "art. 3"]

    def test_a_rule_for_the_parent_reaches_the_child(self) -> None:
        child = '[[category]]\ncode = "taxi_acessivel"\nparent = "taxi"\ncite = "art. 1"\n'
        law = law_of(child + QUOTA + 'applies = { category = "taxi" }\nvalue = 4\n')

        assert (limit(law, "taxi_acessivel"), limit(law, "escolar")) == (4, None)


class TestTransitions:
    OLD = '[[vehicle_spec]]\ncode = "portas"\ncite = "art. 5"\nmust = "vehicle.doors == 2"\n'
    NEW = '[[vehicle_spec]]\ncode = "portas"\ncite = "art. 5"\nfrom = 2010-01-01\nmust = "vehicle.doors == 4"\n'
    KEEPS = 'transition = { if = "permit.granted_on < day(\'2010-01-01\')", keeps = "KEEPS", until = 2012-12-31 }\n'

    def outcome(self, text: str, on: date, ended: str = "", **facts: object) -> Outcome:
        book = book_of(self.OLD + ended, [(date(2009, 12, 1), self.NEW + text)])
        law = book.on(on)
        question = EligibilityQuestion("taxi", "autonomo", of=("vehicle",))
        return decide(law, question, facts_of(law, **{"vehicle__doors": 2, **facts})).outcome

    def test_those_of_before_keep_the_old_rule_until_the_transition_ends(self) -> None:
        keeps = self.KEEPS.replace("KEEPS", "old")
        old: dict[str, Any] = {"permit__granted_on": date(2009, 1, 1)}
        new: dict[str, Any] = {"permit__granted_on": date(2010, 1, 1)}

        assert self.outcome(keeps, date(2012, 12, 31), **old) is Outcome.ALLOWED
        assert self.outcome(keeps, date(2013, 1, 1), **old) is Outcome.DENIED
        assert self.outcome(keeps, date(2010, 1, 1), **new) is Outcome.DENIED
        assert self.outcome(keeps, date(2012, 12, 31), **{**old, "vehicle__doors": 3}) is Outcome.DENIED

    @pytest.mark.parametrize(("doors", "outcome"), [(2, Outcome.ALLOWED), (3, Outcome.DENIED)])
    def test_the_old_rule_is_kept_even_where_it_has_ended(self, doors: int, outcome: Outcome) -> None:
        keeps, ended = self.KEEPS.replace("KEEPS", "old"), "until = 2009-12-31\n"
        facts: dict[str, Any] = {"permit__granted_on": date(2009, 1, 1), "vehicle__doors": doors}

        assert self.outcome(keeps, date(2012, 12, 31), ended, **facts) is outcome

    def test_whether_it_reaches_them_has_to_be_known(self) -> None:
        for keeps in ("old", "exempt"):
            assert self.outcome(self.KEEPS.replace("KEEPS", keeps), date(2011, 1, 1)) is Outcome.UNPROVEN

    def test_the_exempt_need_not_meet_it(self) -> None:
        exempt = self.KEEPS.replace("KEEPS", "exempt")
        old: dict[str, Any] = {"permit__granted_on": date(2009, 1, 1)}

        assert self.outcome(exempt, date(2011, 1, 1), **old) is Outcome.ALLOWED


def test_a_holiday_counts_on_the_days_of_its_version_whatever_day_one_asks_on() -> None:
    feast = '[[holiday]]\ntitle = "Festa"\nday = "09-15"\nact = "Lei 3"\n'
    moved = '[[holiday]]\ntitle = "Festa"\nday = "09-16"\nact = "Lei 8"\nfrom = 2015-01-01\nuntil = 2016-12-31\n'
    book = book_of(feast, [(date(2014, 6, 1), moved)])

    calendar = book.on(date(2014, 12, 1)).calendar

    assert [day for day in range(2014, 2018) if not calendar.is_working(date(day, 9, 15))] == [2014, 2017]
    assert not calendar.is_working(date(2015, 9, 16))
    assert not book.on(date(2014, 12, 1), known_at=date(2014, 5, 31)).calendar.is_working(date(2015, 9, 15))


def test_a_rule_with_its_own_day_reaches_back_before_its_norm() -> None:
    """A law published late may have effects from an earlier day; what names no day begins with the norm."""
    amendment = """
[[norm]]
rows = [{ label = "Lei 2/2026", rank = "lei", urn = "urn:lex:br;mato.grosso;vila.nova:municipal:lei:2026-12-15;2", status = [{ is = "in_force", from = 2026-12-15 }] }]
[[exclusion]]
rows = [
  { code = "retroativa", title = "Retroage", cite = "Lei 2/2026, art. 1", from = 2026-06-01 },
  { code = "comum", title = "Não retroage", cite = "Lei 2/2026, art. 2" },
]
"""  # noqa: E501 - a norm is one row
    book = book_of("", [(date(2026, 12, 15), amendment)])

    def in_force(day: date) -> list[str]:
        return [item.code for _, item in book.on(day).all(Exclusion)]

    assert in_force(date(2026, 5, 31)) == []
    assert in_force(date(2026, 6, 1)) == ["retroativa"]
    assert in_force(date(2026, 12, 15)) == ["retroativa", "comum"]
