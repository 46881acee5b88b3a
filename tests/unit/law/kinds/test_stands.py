# ruff: noqa: E501  (a row of a pack stands on one line)
"""Stands, rosters and hours of duty."""

from datetime import date, datetime

from tenants.law.decide import decide
from tenants.law.decision import Decision, Outcome
from tenants.law.questions import (
    DutyQuestion,
    RosterDemandsQuestion,
    RosterQuestion,
    Shift,
    StandActQuestion,
    StandRoomQuestion,
    StandUseQuestion,
)
from tests.support.law import facts_of, law_of

COTRIGUACU = """
[[parameter]]
rows = [{ code = "gestor", type = "office", ask = "Quem coordena o serviço?", cite = "art. 18, § 2" }]
[[reading]]
rows = [{ code = "novos_pontos", cite = ["art. 19", "art. 21"], ask = "Como?", options = { lei = "por lei", decreto = "por decreto" }, default = "lei" }]
[[stand]]
rows = [{ number = 2, place = "Hospital", slots = 1, cite = "art. 18, II" }]
[[stand_policy]]
rows = [{ code = "pontos", cite = ["art. 20", "art. 22"], create = { reading = "novos_pontos", lei = "legislative", decreto = "decree" }, close = "a juízo do Prefeito", needs = ["interesse"], decides = "prefeito", fixed_only = true }]
[[roster]]
rows = [{ code = "revezamento", cite = ["art. 18, § 1", "art. 18, § 2"], cover = [{ hours = "all", least = 1 }], agreed_by = ["taxistas"], otherwise = { param = "gestor" } }]
"""
BARRA = """
[[parameter]]
rows = [{ code = "noite", type = "hours", ask = "De que hora a que hora vai a noite?", cite = "art. 13, § 5" }]
[[stand]]
rows = [
  { number = 1, place = "Rua Carlos Gomes", slots = 1, cite = "art. 23, § 1, I" },
  { number = 13, place = "Opcional", kind = "open", hours = { param = "noite" }, cite = "art. 23, § 1, XIII" },
]
[[stand_policy]]
rows = [{ code = "ponto_proprio", cite = ["art. 13, § 1", "art. 26, IV"], own_only = true }]
[[service_duty]]
rows = [{ code = "oito_horas", cite = ["art. 13, § 4", "art. 13, § 5", "art. 13, § 6"], hours = 8, per = "day", daily = true, rest = { most = "50%", hours = { param = "noite" } }, exempt = ["oficina"] }]
"""
NIGHT = '[[supplied]]\nrows = [{ code = "noite", value = "22:00-06:00", source = "decreto" }]\n'
DAY = date(2011, 6, 1)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(f"2011-06-{text}")


def ask(text: str, question: object) -> Decision:
    law = law_of(text, DAY)
    return decide(law, question, facts_of(law))


def test_a_stand_has_room_until_its_slots_are_taken() -> None:
    room = ask(COTRIGUACU, StandRoomQuestion("2", taken=0))
    assert (room.outcome, room.value.free) == (Outcome.ALLOWED, 1)
    assert ask(COTRIGUACU, StandRoomQuestion("2", taken=1)).outcome is Outcome.DENIED
    assert ask(BARRA, StandRoomQuestion("13", taken=0)).outcome is Outcome.DENIED
    assert ask(BARRA, StandRoomQuestion("99", taken=0)).outcome is Outcome.UNDETERMINED


def test_each_waits_at_his_own_stand_only() -> None:
    def use(own: str | None) -> Decision:
        return ask(BARRA + NIGHT, StandUseQuestion("taxi", "1", moment("01T10:00"), own))

    assert [use(own).outcome for own in ("1", "2", None)] == [Outcome.ALLOWED, Outcome.DENIED, Outcome.UNPROVEN]
    assert "Lei 1/2000, art. 13, § 1" in [str(cited) for cited in use("2").citations]


def test_the_optional_stand_is_open_to_all_at_night_only() -> None:
    def use(clock: str, text: str = BARRA + NIGHT) -> Outcome:
        return ask(text, StandUseQuestion("taxi", "13", moment(f"01T{clock}"), own="1")).outcome

    assert [use("21:59"), use("22:00"), use("05:59"), use("06:00")] == [
        Outcome.DENIED,
        Outcome.ALLOWED,
        Outcome.ALLOWED,
        Outcome.DENIED,
    ]
    assert use("22:00", BARRA) is Outcome.UNDETERMINED


def test_a_stand_of_shared_hours_is_open_to_all_in_them_and_fixed_in_all_others() -> None:
    shared = '[[stand]]\nrows = [{ number = 5, place = "Rodoviária", slots = 14, kind = "shared", hours = "11:00-14:00", cite = "art. 24, § ún." }]\n'

    def use(own: str, clock: str) -> Outcome:
        return ask(BARRA + NIGHT + shared, StandUseQuestion("taxi", "5", moment(f"01T{clock}"), own)).outcome

    assert [use("1", clock) for clock in ("10:59", "11:00", "14:00")] == [
        Outcome.DENIED,
        Outcome.ALLOWED,
        Outcome.DENIED,
    ]
    assert [use("5", clock) for clock in ("10:59", "11:00", "14:00")] == [Outcome.ALLOWED] * 3


def test_a_stand_is_created_by_who_decides_after_what_the_law_wants() -> None:
    assert ask(COTRIGUACU, StandActQuestion("taxi", "create")).outcome is Outcome.UNPROVEN
    without_leave = ask(COTRIGUACU, StandActQuestion("taxi", "create", met=["interesse"]))
    assert [missing.code for missing in without_leave.missing] == ["stand.legislative"]
    ready = ask(COTRIGUACU, StandActQuestion("taxi", "create", met=["interesse", "legislative"]))
    assert (ready.outcome, ready.office, ready.value.how) == (Outcome.NEEDS_DECISION, "prefeito", "legislative")
    assert [reading.code for reading in ready.readings] == ["novos_pontos"]
    assert ask(COTRIGUACU, StandActQuestion("taxi", "create", met=["interesse"], fixed=False)).outcome is Outcome.DENIED
    assert ask(COTRIGUACU, StandActQuestion("taxi", "close", met=["interesse"])).value.how == "a juízo do Prefeito"


def roster(*shifts: Shift, agreed: tuple[str, ...] | None = None) -> RosterQuestion:
    return RosterQuestion("taxi", shifts, ["A", "B"], moment("01T00:00"), moment("02T00:00"), agreed_by=agreed)


def test_a_roster_covers_every_hour_or_says_which_it_does_not() -> None:
    whole = [Shift("A", moment("01T00:00"), moment("01T12:00")), Shift("B", moment("01T12:00"), moment("02T00:00"))]

    assert ask(COTRIGUACU, roster(*whole)).outcome is Outcome.ALLOWED
    gap = ask(COTRIGUACU, roster(whole[0], Shift("B", moment("01T13:00"), moment("01T23:30"))))
    assert gap.outcome is Outcome.DENIED
    assert [(b.what, b.start, b.end, b.demanded, b.found) for b in gap.value.breaches] == [
        ("cover", moment("01T12:00"), moment("01T13:00"), 1, 0),
        ("cover", moment("01T23:30"), moment("02T00:00"), 1, 0),
    ]
    assert "Lei 1/2000, art. 18, § 1" in [str(cited) for cited in gap.citations]


def test_without_agreement_an_office_decides_and_an_unnamed_one_is_missing() -> None:
    whole = Shift("A", moment("01T00:00"), moment("02T00:00"))

    assert ask(COTRIGUACU, roster(whole, agreed=("taxistas",))).outcome is Outcome.ALLOWED
    unnamed = ask(COTRIGUACU, roster(whole, agreed=()))
    assert (unnamed.outcome, [m.code for m in unnamed.missing]) == (Outcome.UNDETERMINED, ["gestor"])
    named = COTRIGUACU + '[[supplied]]\nrows = [{ code = "gestor", value = "transito", source = "decreto" }]'
    decided = ask(named, roster(whole, agreed=()))
    assert (decided.outcome, decided.office) == (Outcome.NEEDS_DECISION, "transito")


def duty(*shifts: Shift, fleet: tuple[str, ...] = ("A", "B"), exempt: dict[str, str] | None = None) -> DutyQuestion:
    return DutyQuestion("taxi", shifts, fleet, moment("01T00:00"), moment("02T00:00"), exempt=exempt or {})


def breaches(decision: Decision) -> list[tuple[str, str | None, int, int]]:
    return [(b.what, b.vehicle, b.demanded, b.found) for b in decision.value.breaches]


def test_each_vehicle_works_its_hours_each_day() -> None:
    night = Shift("A", moment("01T20:00"), moment("02T06:00"))
    early = Shift("A", moment("01T00:00"), moment("01T06:00"))
    short = Shift("B", moment("01T08:00"), moment("01T15:59"))

    decision = ask(BARRA + NIGHT, duty(early, night, short))

    assert (decision.outcome, breaches(decision)) == (Outcome.DENIED, [("hours", "B", 480, 479)])


def test_overlapping_shifts_of_one_vehicle_count_once() -> None:
    twice = [Shift("A", moment("01T00:00"), moment("01T06:00")), Shift("A", moment("01T04:00"), moment("01T07:00"))]

    decision = ask(BARRA + NIGHT, duty(*twice, fleet=("A",)))

    assert breaches(decision)[0] == ("hours", "A", 480, 420)


def test_at_most_half_may_rest_at_any_moment_of_the_night() -> None:
    day = [Shift(v, moment("01T06:00"), moment("01T22:00")) for v in "ABC"]
    nights = [
        Shift(v, moment(start), moment(end))
        for v in "AB"
        for start, end in (("01T00:00", "01T06:00"), ("01T22:00", "02T00:00"))
    ]

    assert ask(BARRA + NIGHT, duty(*day, *nights, fleet=("A", "B", "C"))).outcome is Outcome.ALLOWED
    one = [shift for shift in nights if shift.vehicle == "A"]
    decision = ask(BARRA + NIGHT, duty(*day, *one, fleet=("A", "B", "C")))
    assert [(b.what, b.start, b.end, b.demanded, b.found) for b in decision.value.breaches] == [
        ("rest", moment("01T00:00"), moment("01T06:00"), 1, 2),
        ("rest", moment("01T22:00"), moment("02T00:00"), 1, 2),
    ]


def test_a_vehicle_idle_all_day_is_told_unless_exempt() -> None:
    works = Shift("A", moment("01T00:00"), moment("02T00:00"))

    idle = ask(BARRA + NIGHT, duty(works))
    assert breaches(idle) == [("hours", "B", 480, 0), ("daily", "B", 1, 0)]
    assert ask(BARRA + NIGHT, duty(works, exempt={"B": "oficina"})).outcome is Outcome.ALLOWED
    assert ask(BARRA + NIGHT, duty(works, exempt={"B": "preguica"})).outcome is Outcome.DENIED


def test_what_breaks_shows_although_the_night_is_not_known() -> None:
    works = Shift("A", moment("01T00:00"), moment("02T00:00"))

    assert breaches(ask(BARRA, duty(works))) == [("hours", "B", 480, 0), ("daily", "B", 1, 0)]
    kept = ask(BARRA, duty(works, fleet=("A",)))
    assert (kept.outcome, [m.code for m in kept.missing]) == (Outcome.UNDETERMINED, ["noite"])


def test_hours_of_a_week_are_those_of_whole_weeks() -> None:
    weekly = BARRA.replace('hours = 8, per = "day", daily = true', 'hours = "40 hours", per = "week"')
    shifts = [Shift("A", moment(f"0{d}T08:00"), moment(f"0{d}T16:00")) for d in range(1, 5)]
    question = DutyQuestion("taxi", shifts, ["A"], moment("01T00:00"), moment("10T00:00"))

    decision = ask(weekly + '[[supplied]]\nrows = [{ code = "noite", value = "00:00-00:01", source = "x" }]', question)

    assert [b for b in breaches(decision) if b[0] == "hours"] == [("hours", "A", 2400, 1920)]


def demands(text: str, fleet: str, **exempt: str) -> Decision:
    return ask(text, RosterDemandsQuestion("taxi", tuple(fleet), exempt))


def test_what_a_roster_must_keep_is_known_before_there_is_one() -> None:
    one = demands(COTRIGUACU, "ABC")
    assert [missing.code for missing in one.missing] == ["gestor"], "who decides without agreement is not named"
    assert [(each.hours, each.least) for each in one.value.presence] == [(None, 1)]
    assert (one.value.agreed_by, one.value.work) == (("taxistas",), ())

    found = demands(BARRA + NIGHT, "ABCDE")
    assert found.outcome is Outcome.VALUE
    (night,) = found.value.presence
    assert (str(night.hours), night.least) == ("22:00-06:00", 3), "of five at most two may rest"
    (work,) = found.value.work
    assert (work.minutes, work.per, work.daily, work.vehicles) == (480, "day", True, tuple("ABCDE"))
    assert "Lei 1/2000, art. 13, § 5" in [str(cited) for cited in found.citations]


def test_who_is_exempt_is_neither_bound_nor_counted() -> None:
    found = demands(BARRA + NIGHT, "ABCDE", A="oficina", B="preguica")

    assert (found.value.work[0].vehicles, found.value.presence[0].least) == (tuple("BCDE"), 2)


def test_a_law_without_rosters_says_so() -> None:
    found = demands('[[stand]]\nrows = [{ number = 1, place = "Praça", cite = "art. 2" }]', "A")

    assert [(missing.kind, missing.code) for missing in found.missing] == [("rule", "roster")]
