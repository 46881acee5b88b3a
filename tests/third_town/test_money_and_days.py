"""The third town's money and days over GraphQL: each computed by hand from its file, with its own article."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tests.third_town.asking import TODAY, Ipe, keyed, supposing

MOTO = "mototaxi"


def law(device: str, norm: str = "Lei 88/2018") -> str:
    return f"{norm}, {device}"


async def fine(ipe: Ipe, *codes: str, on: date = TODAY, **more: Any) -> Any:
    return await ipe.answer("quoteInfraction", codes=list(codes), seenOn=on, category=MOTO, **more)


class TestMoney:
    async def test_a_fine_in_reais(self, ipe: Ipe) -> None:
        found = await fine(ipe, "IPE-01")

        assert (found.outcome, found.brl) == ("VALUE", Decimal("180.00"))
        assert law("art. 40, I") in found.articles

    @pytest.mark.parametrize(
        ("on", "brl"),
        [
            (date(2025, 6, 2), "65.24"),  # half of 10 units of 12.5% of 104.37: 65.23125, rounded up by the unit
            (TODAY, "68.65"),  # and of 109.83: 68.64375
        ],
    )
    async def test_a_fine_as_a_part_of_a_unit_that_is_a_part_of_another(self, ipe: Ipe, on: date, brl: str) -> None:
        found = await fine(ipe, "IPE-02", on=on)

        assert (found.brl, found.body["money"]["unit"]) == (Decimal(brl), "UTM")
        assert {law("art. 40, II"), law("art. 70"), law("art. 70, § 1")} <= set(found.articles)

    @pytest.mark.parametrize(("over", "brl"), [(41, "164.75"), (40, "250.00"), (21, "250.00"), (20, "90.00")])
    async def test_tiers_by_a_fact(self, ipe: Ipe, over: int, brl: str) -> None:
        found = await fine(ipe, "IPE-03", suppose=supposing(local__excesso_kmh=over))

        assert (found.outcome, found.brl) == ("VALUE", Decimal(brl))
        assert law("art. 41") in found.articles

    async def test_without_the_fact_of_the_tiers_it_is_asked_for(self, ipe: Ipe) -> None:
        found = await fine(ipe, "IPE-03")

        assert (found.outcome, found.missing) == ("UNPROVEN", ["local.excesso_kmh"])

    async def test_of_one_fact_the_higher_fine_stays_though_one_is_in_reais_and_one_in_units(self, ipe: Ipe) -> None:
        found = await fine(ipe, "IPE-01", "IPE-02")

        assert [each["infraction"] for each in found.value["kept"]] == ["IPE-01"]
        assert [(each["infraction"], each["overlap"]) for each in found.value["struck"]] == [
            ("IPE-02", "visibilidade_moto")
        ]
        assert law("art. 45") in found.articles

    @pytest.mark.parametrize(
        ("before", "brl"),
        [
            ([], "180"),
            ([date(2026, 1, 5)], "360"),
            ([date(2026, 1, 5), date(2026, 2, 5)], "720"),
            ([date(2026, 1, 5), date(2026, 2, 5), date(2026, 3, 1)], "720"),  # the ceiling
            ([date(2025, 12, 31)], "180"),  # another year
        ],
    )
    async def test_a_fine_doubles_each_time_in_a_year_up_to_a_ceiling(
        self, ipe: Ipe, before: list[date], brl: str
    ) -> None:
        past = [{"on": day, "keys": keyed(infraction="IPE-01", holder="h")} for day in before]

        found = await fine(ipe, "IPE-01", past=past, keys=keyed(holder="h"))

        assert found.brl == Decimal(brl)
        assert law("art. 46") in found.articles

    async def test_a_hold_in_working_days_and_the_fine_divided(self, ipe: Ipe) -> None:
        found = await fine(ipe, "IPE-04", days=[{"event": "effect", "day": date(2026, 4, 10)}])

        charged, held, divided = found.value["kept"][0]["effects"]
        assert (charged["do"], found.brl) == ("fine", Decimal(300))
        assert (held["do"], held["until"]) == ("hold", "2026-04-27")
        assert divided["parts"] == {"fundo_motos": "210.00", "sutran": "90.00"}
        assert law("art. 42") in found.articles

    async def test_a_fee_as_a_percentage_waived_in_part_and_paid_in_parts_that_sum_to_it(self, ipe: Ipe) -> None:
        whole = await ipe.answer("fee", code="taxa_credencial", instalments=3, on=TODAY)
        part = await ipe.answer(
            "fee", code="taxa_credencial", instalments=3, on=TODAY, suppose=supposing(vehicle__fuel="eletrica")
        )

        assert (whole.brl, whole.value["instalments"]) == (Decimal("329.49"), ["109.83"] * 3)
        assert (part.brl, part.value["instalments"]) == (Decimal("197.69"), ["65.91", "65.89", "65.89"])
        assert law("art. 71, § 1") in part.articles
        assert law("art. 71, § 1") not in whole.articles

    async def test_a_fee_that_is_a_part_of_another(self, ipe: Ipe) -> None:
        found = await ipe.answer("fee", of="paper", on=TODAY)

        assert found.brl == Decimal("32.95")  # 10% of 3 units of 109.83
        assert {law("art. 71"), law("art. 71, § 2")} <= set(found.articles)


class TestFares:
    @pytest.mark.parametrize(
        ("starts", "ends", "metres", "brl"),
        [
            ("2026-03-11T10:00", "2026-03-11T10:20", 5200, "12.40"),  # 5.50 + 3 begun km at 1.90 + 3 minutes at 0.40
            ("2026-03-11T10:00", "2026-03-11T10:20", 3000, "8.00"),  # 6.70 is below the least fare
            (
                "2026-04-03T10:00",
                "2026-04-03T10:20",
                6200,
                "16.44",
            ),  # Good Friday: 14.30 and 15%, 16.445 to the even cent
            ("2026-03-11T22:30", "2026-03-11T23:30", 5200, "13.95"),  # half of it by night: half of 25%
            ("2026-03-15T23:30", "2026-03-15T23:50", 5200, "15.50"),  # Sunday night: the greater of 15% and 25%
        ],
    )
    async def test_base_distance_waiting_and_surcharges(
        self, ipe: Ipe, starts: str, ends: str, metres: int, brl: str
    ) -> None:
        facts = supposing(ride__metres=metres, ride__waiting=8)
        found = await ipe.answer("quoteFare", category=MOTO, starts=starts, ends=ends, suppose=facts)

        assert (found.outcome, found.value["total"]) == ("VALUE", brl)
        assert law("art. 3", "Decreto 45/2020") in found.articles

    @pytest.mark.parametrize(("day", "brl"), [("2026-12-24", "13.90"), ("2026-03-11", "12.40")])
    async def test_a_surcharge_in_a_season_that_wraps_the_year(self, ipe: Ipe, day: str, brl: str) -> None:
        facts = supposing(ride__metres=5200, ride__waiting=8)
        times = {"starts": f"{day}T10:00", "ends": f"{day}T10:20"}
        found = await ipe.answer("quoteFare", category=MOTO, **times, events=["romaria"], suppose=facts)

        assert found.value["total"] == brl

    async def test_what_was_not_measured_is_asked_for(self, ipe: Ipe) -> None:
        found = await ipe.answer("quoteFare", category=MOTO, starts="2026-03-11T10:00")

        assert found.outcome == "UNPROVEN"
        assert sorted(found.missing) == ["ride.ends", "ride.metres", "ride.waiting"]


class TestDays:
    async def test_days_run_from_the_first_working_day_past_the_town_s_good_friday(self, ipe: Ipe) -> None:
        found = await ipe.answer("term", code="pagar_ao_fundo_ipe", start=date(2026, 4, 2), on=TODAY)

        assert found.day == "2026-04-10"  # Friday 3 April is a holiday: Monday the 6th is the first of five
        whys = {day["day"]: day["why"] for day in found.value["days"]["days"]}
        assert "Paixão do Ipê" in whys["2026-04-03"]
        assert law("art. 52") in found.articles

    async def test_lateness_has_its_own_count_and_a_charge_for_each_day(self, ipe: Ipe) -> None:
        found = await ipe.answer(
            "term", code="pagar_ao_fundo_ipe", start=date(2026, 4, 2), on=TODAY, suppose=supposing(offence__days=4)
        )

        (late,) = found.value["late"]
        assert late["first_day"] == "2026-04-16"
        assert (late["effect"]["do"], late["effect"]["money"]["brl"]) == ("charge_daily", "10.00")
        assert law("art. 52, § 1") in found.articles

    async def test_working_days_pass_over_a_national_holiday(self, ipe: Ipe) -> None:
        found = await ipe.answer(
            "stepTerm", process="sancionador_motos", step="contraditorio", start=date(2026, 4, 10), on=TODAY
        )

        assert found.day == "2026-04-27"  # the tenth, without Tuesday the 21st
        assert law("art. 53") in found.articles

    async def test_a_third_instance_that_suspends_nothing(self, ipe: Ipe) -> None:
        steps = {
            step: await ipe.answer(
                "stepTerm", process="sancionador_motos", step=step, start=date(2026, 4, 16), on=TODAY
            )
            for step in ("contraditorio", "recurso_um", "recurso_dois")
        }

        assert [(s.value["instance"], s.value["suspends"]) for s in steps.values()] == [
            (1, True),
            (2, True),
            (3, False),
        ]
        last = steps["recurso_dois"]
        assert (last.day, last.value["to"]) == ("2026-04-24", "conselho_motos")
        assert law("art. 55") in last.articles
        assert law("art. 55") not in steps["recurso_um"].articles

    @pytest.mark.parametrize(("opened", "day"), [(None, "2026-03-12"), (date(2026, 3, 5), "2026-03-05")])
    async def test_an_electronic_service_counts_when_opened_or_ten_days_after_it_was_sent(
        self, ipe: Ipe, opened: date | None, day: str
    ) -> None:
        dates = [{"event": "sent", "day": date(2026, 3, 2)}]
        dates += [{"event": "opened", "day": opened}] if opened else []
        found = await ipe.answer("served", way="domicilio", dates=dates, on=TODAY)

        assert (found.value["served_on"], found.articles) == (day, [law("art. 56")])

    @pytest.mark.parametrize(
        ("plate", "on", "last"),
        [
            ("BCD4E27", TODAY, "2026-06-30"),
            ("ABC-1230", TODAY, "2026-07-31"),
            ("ABC-1231", date(2027, 2, 1), "2027-03-31"),
        ],
    )
    async def test_a_yearly_campaign_by_the_ending_of_the_plate(
        self, ipe: Ipe, plate: str, on: date, last: str
    ) -> None:
        found = await ipe.answer("campaign", code="recenso_motos", plate=plate, on=on)

        assert (found.outcome, found.day) == ("VALUE", last)
        assert (found.value["opens_on"], found.value["running"]) == (f"{on.year}-02-01", True)
        assert found.articles == [law("art. 15")]

    @pytest.mark.parametrize(("made", "due"), [(2021, "2026-05-20"), (2024, "2027-01-20")])
    async def test_older_motorcycles_are_inspected_more_often(self, ipe: Ipe, made: int, due: str) -> None:
        found = await ipe.answer(
            "inspectionDue",
            category=MOTO,
            lastOn=date(2026, 1, 20),
            on=TODAY,
            suppose=supposing(vehicle__manufacture_year_end=date(made, 12, 31)),
        )

        assert found.value["due_on"] == due
        assert found.articles == [law("art. 16")]
