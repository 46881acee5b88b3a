"""The third town's law over GraphQL: each answer computed by hand from its file, with its own article."""

from datetime import date
from typing import Any

import pytest

from tests.third_town.asking import TODAY, Ipe, keyed, supposing

MOTO = "mototaxi"


def law(device: str, norm: str = "Lei 88/2018") -> str:
    return f"{norm}, {device}"


async def fine(ipe: Ipe, *codes: str, on: date = TODAY, **more: Any) -> Any:
    return await ipe.answer("quoteInfraction", codes=list(codes), seenOn=on, category=MOTO, **more)


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
