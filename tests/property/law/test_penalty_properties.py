"""True of any law's fines: money is whole cents, repetition never costs less, what an overlap strikes stays out."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import accumulate, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.law import Law
from tenants.law.money import instalments_of, shared
from tenants.law.quantity import Rounding
from tenants.law.questions import Event, InfractionsQuestion, LadderQuestion, PenaltyAnswer
from tests.support.law import facts_of, law_of

CENT = Decimal("0.01")
CODES = ("a", "b", "c", "d")
amounts = st.decimals(min_value=Decimal("0.01"), max_value=1000, places=2)
rates = st.decimals(min_value=Decimal("0.0001"), max_value=100, places=4)
ascending = st.lists(st.integers(min_value=1, max_value=50), min_size=1, max_size=4).map(lambda n: list(accumulate(n)))


def offences(amount: Decimal, rate: Decimal, more: str) -> str:
    rows = "".join(
        f'  {{ code = "{code}", amount = "{amount + at} UPM", cite = "art. 2" }},\n' for at, code in enumerate(CODES)
    )
    return f"""
[[unit]]
rows = [{{ code = "UPM", cite = "art. 3", values = [{{ from = 2000-01-01, brl = {rate} }}] }}]
[[infraction]]
do = "fine"
rows = [
{rows}]
{more}"""


@st.composite
def ladders(draw: st.DrawFn) -> str:
    """Steps that never grow lighter, a factor of one at least, a cap or none."""
    steps = ", ".join(
        f'{{ nth = {nth}, do = "fine", amount = "{units} UPM" }}' for nth, units in enumerate(draw(ascending), 1)
    )
    factor = draw(st.sampled_from(["", "factor = 1", "factor = 1.5", "factor = 2"]))
    most = draw(st.sampled_from(["", 'most = "300 UPM"'])) if factor else ""
    return f"""
[[measure]]
rows = [{{ code = "antes", match = ["infraction"] }}]
[[ladder]]
code = "sobe"
cite = "art. 4"
measure = "antes"
steps = [{steps if draw(st.booleans()) or not factor else ""}]
{factor}
{most}"""


@settings(max_examples=40, deadline=None)
@given(amount=amounts, rate=rates, ladder=ladders(), times=st.integers(0, 8))
def test_repeating_never_costs_less_and_cents_are_whole(
    amount: Decimal, rate: Decimal, ladder: str, times: int
) -> None:
    law = law_of(offences(min(amount, Decimal(1)), rate, ladder), date(2024, 6, 1))

    once, again = (_brl(law, n) for n in (times, times + 1))

    assert 0 <= once <= again
    assert once == once.quantize(CENT)
    assert again == again.quantize(CENT)


def _brl(law: Law, before: int) -> Decimal:
    events = [Event(law.on - timedelta(days=n + 1), {"infraction": "a"}, "fine") for n in range(before)]
    decision = decide(law, LadderQuestion("a", events=events), facts_of(law))
    assert decision.outcome is Outcome.VALUE
    brl: Decimal = decision.value.effects[0].money.brl
    return brl


orders = st.lists(
    st.permutations(CODES).flatmap(lambda p: st.integers(2, 4).map(lambda n: tuple(p[:n]))), min_size=1, max_size=3
)
keeps = st.sampled_from(["first", "lowest", "highest", "all"])


@settings(max_examples=60, deadline=None)
@given(
    listed=orders, kept_by=st.lists(keeps, min_size=3, max_size=3), codes=st.sets(st.sampled_from(CODES), min_size=1)
)
def test_an_overlap_never_keeps_two_of_its_own_and_what_any_strikes_stays_out(
    listed: list[tuple[str, ...]], kept_by: list[str], codes: set[str]
) -> None:
    overlaps = list(zip(listed, kept_by, strict=False))
    rows = "".join(
        f'  {{ code = "o{at}", cite = "art. 5", order = {list(order)}, keeps = "{keep}" }},\n'
        for at, (order, keep) in enumerate(overlaps)
    )
    law = law_of(
        offences(Decimal(10), Decimal(1), f"[[overlap]]\nrows = [\n{rows}]".replace("'", '"')), date(2024, 6, 1)
    )

    decision = decide(law, InfractionsQuestion(sorted(codes)), facts_of(law))

    answer = decision.value
    assert isinstance(answer, PenaltyAnswer)
    kept, struck = {p.infraction for p in answer.kept}, {s.infraction for s in answer.struck}
    assert (kept | struck, kept & struck) == (codes, set())
    for order, keep in overlaps:
        own = [code for code in order if code in codes]
        stays = {"first": own[:1], "lowest": [min(own, default="")], "highest": [max(own, default="")], "all": own}[
            keep
        ]
        assert kept & set(own) <= set(stays)
    assert kept or decision.outcome is Outcome.UNDETERMINED


@given(total=amounts, count=st.integers(1, 60))
def test_instalments_are_cents_that_sum_to_the_whole_and_differ_only_in_the_first(total: Decimal, count: int) -> None:
    parts = instalments_of(total, count, Rounding("half-up", 2))

    assert sum(parts) == total
    assert all(part == part.quantize(CENT) and 0 <= part <= parts[0] for part in parts)
    assert len(set(parts[1:])) <= 1


@given(total=amounts, cuts=st.lists(st.integers(0, 100), max_size=5))
def test_shares_are_cents_that_sum_to_the_whole(total: Decimal, cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), 100]
    fractions = [Decimal(b - a) / 100 for a, b in pairwise(edges)]

    parts = shared(total, fractions, Rounding("half-up", 2))

    assert parts is not None
    assert sum(parts) == total
    assert all(part == part.quantize(CENT) and part >= 0 for part in parts)
