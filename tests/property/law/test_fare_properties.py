"""True of any surcharge's window: first minute in, last one out, and it wraps midnight."""

from datetime import datetime, time, timedelta
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.law.decide import decide
from tenants.law.decision import Outcome
from tenants.law.law import Law
from tenants.law.questions import FareQuestion
from tests.support.law import DAY, facts_of, law_of

MINUTE = timedelta(minutes=1)
MIDNIGHT = datetime.combine(DAY, time())
A_DAY = 24 * 60
minutes = st.integers(0, A_DAY - 1)
fares = st.decimals(min_value=Decimal("0.01"), max_value=500, places=2)


def law_with(opens: int, closes: int, ride: str) -> Law:
    hours = [(MIDNIGHT + minute * MINUTE).time().isoformat() for minute in (opens, closes)]
    return law_of(
        f'[[tariff]]\ncode = "noite"\ncite = "art. 1"\nadd = "30%"\nride = "{ride}"\nhours = [{hours[0]}, {hours[1]}]'
    )


def total(law: Law, starts: datetime, ends: datetime | None = None, fare: Decimal = Decimal(100)) -> Decimal:
    decision = decide(law, FareQuestion("taxi", starts, ends, fare=fare), facts_of(law))
    assert decision.outcome is Outcome.VALUE
    brl: Decimal = decision.value.total
    return brl


def inside(opens: int, closes: int, minute: int) -> bool:
    return (minute - opens) % A_DAY < ((closes - opens) % A_DAY or A_DAY)


@settings(max_examples=60, deadline=None)
@given(opens=minutes, closes=minutes, start=minutes)
def test_a_window_takes_its_first_minute_and_not_its_last_also_over_midnight(
    opens: int, closes: int, start: int
) -> None:
    law = law_with(opens, closes, "start")

    for minute in {start, opens, closes, (opens - 1) % A_DAY, (closes - 1) % A_DAY}:
        surcharged = total(law, MIDNIGHT + minute * MINUTE) == Decimal("130.00")
        assert surcharged is inside(opens, closes, minute)


@settings(max_examples=60, deadline=None)
@given(opens=minutes, closes=minutes, start=minutes, length=st.integers(1, 2 * A_DAY), fare=fares)
def test_a_divided_ride_pays_for_exactly_the_minutes_inside(
    opens: int, closes: int, start: int, length: int, fare: Decimal
) -> None:
    law = law_with(opens, closes, "split")
    starts = MIDNIGHT + start * MINUTE
    taken = sum(inside(opens, closes, (start + minute) % A_DAY) for minute in range(length))

    brl = total(law, starts, starts + length * MINUTE, fare)

    exact = fare + fare * Decimal("0.3") * taken / length
    assert abs(brl - exact) <= Decimal("0.005")
    assert brl == brl.quantize(Decimal("0.01"))
