"""The third town's law over GraphQL: each answer computed by hand from its file, with its own article."""

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


class TestDays:
    async def test_days_run_from_the_first_working_day_past_the_town_s_good_friday(self, ipe: Ipe) -> None:
        found = await ipe.answer("term", code="recolhimento", start=date(2026, 4, 2), on=TODAY)

        assert found.day == "2026-04-10"  # Friday 3 April is a holiday: Monday the 6th is the first of five
        whys = {day["day"]: day["why"] for day in found.value["days"]["days"]}
        assert "Paixão do Ipê" in whys["2026-04-03"]
        assert law("art. 52") in found.articles

    async def test_lateness_has_its_own_count_and_a_charge_for_each_day(self, ipe: Ipe) -> None:
        found = await ipe.answer(
            "term", code="recolhimento", start=date(2026, 4, 2), on=TODAY, suppose=supposing(offence__days=4)
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


class TestVehicles:
    @pytest.mark.parametrize(
        ("fuel", "made", "outcome"),
        [
            ("gasolina", 2024, "ALLOWED"),
            ("gasolina", 2023, "DENIED"),
            ("eletrica", 2021, "ALLOWED"),
            ("eletrica", 2020, "DENIED"),
        ],
    )
    async def test_the_age_at_entry_depends_on_the_fuel(self, ipe: Ipe, fuel: str, made: int, outcome: str) -> None:
        facts = supposing(vehicle__fuel=fuel, vehicle__manufacture_year=made)
        found = await ipe.answer("vehicleAge", category=MOTO, at="entry", on=TODAY, suppose=facts)

        assert (found.outcome, found.articles) == (outcome, [law("art. 12")])

    @pytest.mark.parametrize(
        ("fuel", "made", "outcome"),
        [
            ("gasolina", 2021, "ALLOWED"),
            ("gasolina", 2020, "DENIED"),
            ("eletrica", 2018, "ALLOWED"),
            ("eletrica", 2017, "DENIED"),
        ],
    )
    async def test_the_age_to_stay_is_another(self, ipe: Ipe, fuel: str, made: int, outcome: str) -> None:
        facts = supposing(vehicle__fuel=fuel, vehicle__manufacture_year=made, permit__granted_on=date(2024, 5, 6))
        found = await ipe.answer("vehicleAge", category=MOTO, at="stay", on=TODAY, suppose=facts)

        assert (found.outcome, found.value["infraction"]) == (outcome, "IPE-04")
        assert found.articles == [law("art. 13"), law("art. 2", "Lei 131/2023")]

    async def test_the_category_under_another_has_its_own_limit(self, ipe: Ipe) -> None:
        facts = supposing(vehicle__fuel="gasolina", vehicle__manufacture_year=2022)
        parent = await ipe.answer("vehicleAge", category=MOTO, at="entry", on=TODAY, suppose=facts)
        child = await ipe.answer("vehicleAge", category="motocarga", at="entry", on=TODAY, suppose=facts)

        assert (parent.outcome, child.outcome) == ("DENIED", "ALLOWED")
        assert child.articles == [law("art. 12, § ún.")]

    async def test_the_category_under_another_takes_from_it_what_it_does_not_say(self, ipe: Ipe) -> None:
        facts = supposing(vehicle__fuel="gasolina", vehicle__manufacture_year=2020, permit__granted_on=TODAY)
        found = await ipe.answer("vehicleAge", category="motocarga", at="stay", on=TODAY, suppose=facts)

        assert found.outcome == "DENIED"
        assert law("art. 13") in found.articles

    @pytest.mark.parametrize(
        ("on", "granted", "outcome", "last"),
        [
            (TODAY, date(2023, 12, 31), "ALLOWED", "2027-12-31"),  # nine years, as before the reform
            (TODAY, date(2024, 1, 1), "DENIED", "2023-12-31"),
            (date(2027, 12, 31), date(2020, 5, 6), "ALLOWED", "2027-12-31"),
            (date(2028, 1, 3), date(2020, 5, 6), "DENIED", "2023-12-31"),  # the transition is over
        ],
    )
    async def test_who_came_before_the_reform_keeps_the_old_limit_for_a_while(
        self, ipe: Ipe, on: date, granted: date, outcome: str, last: str
    ) -> None:
        facts = supposing(vehicle__fuel="gasolina", vehicle__manufacture_year=2018, permit__granted_on=granted)
        found = await ipe.answer("vehicleAge", category=MOTO, at="stay", on=on, suppose=facts)

        assert (found.outcome, found.day) == (outcome, last)
        assert (law("art. 5", "Lei 131/2023") in found.articles) is (outcome == "ALLOWED")

    async def test_before_the_reform_the_old_limit_was_everybody_s(self, ipe: Ipe) -> None:
        facts = supposing(vehicle__fuel="gasolina", vehicle__manufacture_year=2014)
        found = await ipe.answer("vehicleAge", category=MOTO, at="stay", on=date(2023, 12, 29), suppose=facts)

        assert (found.outcome, found.articles) == ("ALLOWED", [law("art. 13")])


class TestPoints:
    @staticmethod
    def past(*events: tuple[date, str, str]) -> list[dict[str, Any]]:
        return [{"on": on, "keys": keyed(infraction=code, group=group, driver="d")} for on, code, group in events]

    OLD = ((date(2025, 3, 3), "IPE-03", "severa"), (date(2025, 8, 1), "IPE-02", "branda"))
    NEW = ((date(2025, 9, 2), "IPE-01", "mediana"), (TODAY, "IPE-05", "severa"))

    async def test_points_die_by_their_group_and_the_first_threshold_fires_again(self, ipe: Ipe) -> None:
        found = await ipe.answer("points", past=self.past(*self.OLD, *self.NEW), keys=keyed(driver="d"), on=TODAY)

        living = [(each["points"], each["until"]) for each in found.value["living"]]
        assert living == [(7, "2027-03-03"), (4, "2026-09-02"), (5, "2028-03-10")]  # the three of August died
        assert found.value["total"] == 16
        assert [(each["at"], each["on"]) for each in found.value["fired"]] == [(12, "2025-09-02"), (12, "2026-03-10")]
        assert found.value["fired"][-1]["effects"][0]["term"] == {"count": 15, "per": "days"}
        assert law("art. 47") in found.articles

    async def test_at_the_second_threshold_an_office_chooses(self, ipe: Ipe) -> None:
        more = (*self.OLD, *self.NEW, (TODAY, "IPE-05", "severa"))
        found = await ipe.answer("points", past=self.past(*more), keys=keyed(driver="d"), on=TODAY)

        assert (found.outcome, found.body["office"]) == ("NEEDS_DECISION", "conselho_motos")
        last = found.value["fired"][-1]
        assert (last["at"], last["total"], [effect["do"] for effect in last["effects"]]) == (20, 21, ["suspend", "end"])
        assert found.value["total"] == 0  # spent

    async def test_another_driver_s_points_are_another_s(self, ipe: Ipe) -> None:
        found = await ipe.answer("points", past=self.past(*self.NEW), keys=keyed(driver="other"), on=TODAY)

        assert (found.outcome, found.value["total"]) == ("VALUE", 0)


class TestNumbers:
    @pytest.mark.parametrize(
        ("on", "active", "outcome", "limit"),
        [(TODAY, 90, "ALLOWED", 91), (TODAY, 91, "DENIED", 91), (date(2020, 1, 2), 81, "DENIED", 81)],
    )
    async def test_a_quota_is_a_ratio_to_the_town_s_own_series(
        self, ipe: Ipe, on: date, active: int, outcome: str, limit: int
    ) -> None:
        found = await ipe.answer("quoteQuota", category=MOTO, active=active, on=on)

        assert (found.outcome, found.value["limit"], found.articles) == (outcome, limit, [law("art. 5")])

    @pytest.mark.parametrize(("inside", "outcome"), [(26, "ALLOWED"), (27, "DENIED")])
    async def test_an_area_has_a_percentage_inside_it(self, ipe: Ipe, inside: int, outcome: str) -> None:
        found = await ipe.answer(
            "quoteQuota", category=MOTO, active=80, area="nucleo_velho", areaActive=inside, on=TODAY
        )

        assert found.outcome == outcome
        assert found.part("vagas_nucleo")["value"]["limit"] == 27  # 30% of 91 is 27.3
        assert law("art. 5, § 1") in found.articles

    async def test_one_may_suppose_another_count(self, ipe: Ipe) -> None:
        found = await ipe.answer(
            "quoteQuota", category="motocarga", active=99, on=TODAY, suppose=supposing(town__moradores=45_000)
        )

        assert (found.outcome, found.value["limit"]) == ("ALLOWED", 100)

    @pytest.mark.parametrize(("since", "outcome"), [(date(2025, 3, 10), "ALLOWED"), (date(2025, 3, 11), "DENIED")])
    async def test_the_town_s_own_kind_of_holder_and_declared_fact(self, ipe: Ipe, since: date, outcome: str) -> None:
        facts = supposing(local__cooperado_desde=since, holder__permits=0, holder__vehicles=0)
        found = await ipe.answer("mayHold", category=MOTO, holder="cooperado", on=TODAY, suppose=facts)

        assert (found.outcome, found.articles) == (outcome, [law("art. 4"), law("art. 4, § 1")])

    @pytest.mark.parametrize(("held", "outcome"), [(9, "ALLOWED"), (10, "DENIED")])
    async def test_a_cap_that_is_a_share_of_all(self, ipe: Ipe, held: int, outcome: str) -> None:
        facts = supposing(holder__permits=held, town__active_permits=39)
        found = await ipe.answer("mayHold", category=MOTO, holder="cooperativa_motos", on=TODAY, suppose=facts)

        assert found.outcome == outcome

    async def test_another_kind_of_holder_is_not_admitted(self, ipe: Ipe) -> None:
        found = await ipe.answer("mayHold", category=MOTO, holder="empresa", on=TODAY)

        assert found.outcome == "DENIED"


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


class TestTime:
    @pytest.mark.parametrize(
        ("on", "outcome"),
        [
            (date(2025, 8, 31), "VALUE"),
            (date(2025, 9, 1), "UNDETERMINED"),
            (TODAY, "UNDETERMINED"),
            (date(2026, 7, 1), "VALUE"),
        ],
    )
    async def test_a_suspended_device_does_not_count_while_it_is_suspended(
        self, ipe: Ipe, on: date, outcome: str
    ) -> None:
        found = await fine(ipe, "IPE-06", on=on)

        assert found.outcome == outcome
        assert (law("art. 44") in found.articles) is (outcome == "VALUE")

    async def test_before_the_town_s_first_law_there_is_none_though_the_federation_had_one(self, ipe: Ipe) -> None:
        found = await ipe.answer("mayHold", category=MOTO, holder="cooperado", on=date(2018, 2, 28))

        assert (found.outcome, found.articles) == ("UNDETERMINED", [])
        assert "01/03/2018" in found.body["message"]

    async def test_an_article_has_its_urn(self, ipe: Ipe) -> None:
        found = await ipe.answer("campaign", code="recenso_motos", plate="BCD4E27", on=TODAY)

        assert [each["urn"] for each in found.body["citations"]] == [
            "urn:lex:br;parana;vila.nova.ipe:municipal:lei:2018-02-19;88!art15"
        ]
