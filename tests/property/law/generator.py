"""Random law packs as TOML text: every kind of rule, in random forms, for towns that nobody has thought of.

Whatever holds for all of them holds for the next municipality. The texts go through the real loader.
"""

from collections.abc import Callable
from datetime import date, time
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from tests.property.law.maker import Maker, Row, Tables, written

Part = Callable[[Maker], Tables]

AREA, FUELS, GROUPS, PAPERS, HOLDERS = "a0", ("f0", "f1"), ("g0", "g1"), ("p0", "p1"), ("h0", "h1")
OFFICES, ROLE, ITEM, CAUSE, OCCASION, RECIPIENT = ("o0", "o1"), "r0", "q0", "k0", "s0", "t0"
ENDINGS = {
    "e0": "request",
    "e1": "death_without_heirs",
    "e2": "dissolution",
    "e3": "penalty",
    "e4": "transfer",
    "e5": "term_over",
    "e6": "barred",
    "e7": "abandonment",
}
ENDING = "e0"
POWERS = [
    *("read", "register", "grant", "license", "record", "propose", "suspend"),
    *("cancel", "fine", "stands", "decide", "inspect", "appoint", "publish"),
]
MUSTS = ("vehicle.doors >= 2", "driver.age >= 21", "local.level <= 3", "!local.flag")
NIGHT = [time(22), time(6)]
PLATES = {"12": "03-31", "34": "05-31", "56": "07-31", "78": "09-30", "90": "11-30"}


@st.composite
def packs(draw: st.DrawFn, *parts: Part) -> str:
    """The text of a pack that the loader takes and the linter finds no error in; by default with every kind of rule.

    ``parts``: only these, beside the town itself. Some name what others bring.
    """
    make = Maker(draw)
    tables: Tables = {}
    for part in (town, *(parts or PARTS)):
        for kind, rows in part(make).items():
            tables.setdefault(kind, []).extend(rows)
    return written(tables)


def town(make: Maker) -> Tables:
    """Who the town is, and what its rules stand on."""
    uf, zone = make.of(("MT", "America/Cuiaba"), ("SP", "America/Sao_Paulo"), ("AC", "America/Rio_Branco"))
    since = date(2000 + make.number(0, 4), make.number(1, 12), make.number(1, 28))
    urn = f"urn:lex:br;estado;vila:municipal:lei:{since}"
    change = date(2010, make.number(1, 12), 1)
    name = {"slug": "vila", "name": "Vila", "uf": uf, "ibge": "5100000", "zone": zone}
    rounding = {"round": make.of("half-up", "half-even", "up", "down"), "digits": make.number(0, 2)}
    facts = (("flag", "bool", "vehicle"), ("level", "int", "offence"), ("since", "day", "holder"))
    holidays = [{"title": f"Festa {n}", "day": f"{n + 1:02}-1{n}", "act": "Lei"} for n in range(make.number(0, 5))]
    lists: Row = {
        "holder": HOLDERS,
        "paper": PAPERS,
        "fuel": FUELS,
        "area": [AREA],
        "role": [ROLE],
        "equipment": [ITEM],
    }
    lists |= {"ending": [*ENDINGS], "cause": [CAUSE], "occasion": [OCCASION], "recipient": [RECIPIENT]}
    return {
        "municipality": [{**name, "money": rounding}],
        "norm": [
            {"label": "Lei 1", "rank": "lei", "urn": f"{urn};1", "status": [{"is": "in_force", "from": since}]},
            {
                "label": "Lei 2",
                "rank": "lei",
                "urn": "urn:lex:br:federal:lei:1999-05-04;2",
                "status": [{"is": "in_force", "from": date(1999, 5, 4)}],
            },
        ],
        "office": [make.cited(code, may=POWERS) for code in OFFICES],
        "unit": [
            make.cited("UA", values=[{"until": change, "brl": "2.37"}, {"from": date(2010, 12, 2), "brl": "3.1415"}])
            if make.yes()
            else make.cited("UA", values=[{"brl": f"{make.number(1, 300)}.0641"}], **make.maybe(round=rounding)),
            make.cited("UB", percent=f"{make.number(1, 400)}%", of="UA"),
        ],
        "holiday": [*holidays, *([{"title": "Paixão", "easter": -2, "act": "Lei"}] if make.yes() else [])],
        "category": [make.cited("c0"), make.cited("c1", parent="c0"), make.cited("c2")],
        "fact": [{"code": f"local.{code}", "type": type_, "of": of, "ask": f"{code}?"} for code, type_, of in facts],
        "series": [{"code": "people", "ask": "Quantos?", "points": {"2004-12-31": make.number(500, 90_000)}}],
        "counting": [
            make.cited(
                code,
                first=make.of("out", "in"),
                start=make.of("any_day", "next_working"),
                roll=make.of("none", "next"),
            )
            for code in ("n0", "n1")
        ],
        "list": [{name: {code: code.upper() for code in codes} for name, codes in lists.items()}],
    }


def service(make: Maker) -> Tables:
    """Who may serve, and how many."""
    per = make.number(50, 3000)
    ratio = {"series": "people", "per": per, "round": make.of("up", "down")}
    cap = make.of(make.number(0, 6), make.number(0, 60))
    whole = make.of(ratio, cap, {"least": [ratio, cap]})
    share = make.of({"most": f"{make.number(1, 99)}%"}, {"least": f"{make.number(1, 99)}%"})
    order: list[Row] = [
        {"if": "!candidate.other_income", "cite": make.article()},
        {make.of("most", "least"): "candidate.dependants", "cite": make.article()},
        {"score": "candidate.driving_months * 2", "cap": make.number(1, 99), "cite": make.article()},
        {"draw": True, "cite": make.article()},
    ]
    stands = [
        make.cited("", number=n, place=f"Rua {n}", slots=make.number(0, 4), kind=make.of("fixed", "open"))
        for n in range(1, make.number(2, 4))
    ]
    holders = [
        {"holder": HOLDERS[0], "permits": make.number(1, 3), **make.maybe(must="years_between(local.since, on) >= 1")},
        {"holder": HOLDERS[1], "share": f"{make.number(1, 60)}%", **make.maybe(ends=date(2030, 1, 1))},
    ]
    return {
        "instrument": [
            make.cited(
                "i0",
                chosen_by=make.of("bidding", "draw"),
                granted_by=make.of(*OFFICES),
                precarious=make.yes(),
                endings=[
                    {"cause": cause, "on": on, "cite": make.article(), **make.maybe(after_process=True)}
                    for cause, on in ENDINGS.items()
                ],
            )
        ],
        "holder_policy": [make.cited("donos", allow=make.some(holders))],
        "exclusion": [make.cited("barrado", endings=ENDING, **make.maybe(lasts=make.years(1, 5)))],
        "quota": [
            make.cited("vagas", applies={"category": "c0"}, value=whole, excess=make.of("keep", "reduce")),
            make.cited(
                "vagas_area",
                applies={"category": "c0", "area": AREA},
                value={"percent": f"{make.number(1, 99)}%", "of": {"rule": "vagas", "kind": "quota"}},
                beside=make.yes(),
            ),
        ],
        "share": [make.cited("parte", **{"if": "vehicle.doors == 2"}, round=make.of("exact", "up", "down"), **share)],
        "selection": [make.cited("ordem", by=make.of("ladder", "points"), order=order)],
        "stand": stands,
        "stand_policy": [
            make.cited("pontos", create=make.of("decree", "law"), own_only=make.yes(), needs=make.some(["x", "y"]))
        ],
        "roster": [make.cited("escala", cover=[{"hours": make.of("all", NIGHT), "least": make.number(1, 2)}])],
        "service_duty": [
            make.cited("horas", hours=make.number(1, 12), rest={"most": f"{make.number(1, 100)}%", "hours": NIGHT})
        ],
        "transfer": [
            make.cited(
                "passa",
                cause=CAUSE,
                to=RECIPIENT,
                fee=make.money(),
                **make.maybe(held_for=make.years(1, 5), most_times=make.number(1, 3)),
                **make.maybe(locks=make.years(1, 3), bars=make.years(1, 3)),
            )
        ],
        "substitute": [make.cited("troca", paper=PAPERS[0], least="15 days", **make.maybe(fee=make.money()))],
        "crew": [
            make.cited(
                "equipe", role=ROLE, in_stead=True, most=make.number(1, 4), **make.maybe(hours=make.number(4, 12))
            )
        ],
    }


def demands(make: Maker) -> Tables:
    """What is demanded of holders, drivers, vehicles and conduct; of one point the federal norm may ask for more."""
    paper = {"paper": PAPERS[0], **make.maybe(valid_for=make.years(1, 5)), **make.maybe(age_under=make.length())}
    return {
        "requirement": [
            make.cited("papel", of=make.of("holder", "driver"), at=make.some(["entry", "renewal", "stay"]), **paper),
            make.cited("idade_local", of="driver", point="idade", must=f"driver.age >= {make.number(18, 25)}"),
            {
                **make.cited("idade_federal", of="driver", point="idade", must=f"driver.age >= {make.number(18, 25)}"),
                "cite": "Lei 2, art. 5",
            },
            make.cited("exige", of="vehicle", must=make.of(*MUSTS), **make.maybe(cure=make.length(), missed="X-0")),
        ],
        "vehicle_spec": [make.cited("portas", must=make.of(*MUSTS), at=make.some(["entry", "stay"]))],
        "equipment": [make.cited("leva", item=ITEM, at=make.some(["entry", "stay"]))],
        "restriction": [make.cited("veda", banned=["m0"], **make.maybe(most=f"{make.number(1, 90)}%"))],
        "conduct": [
            make.cited("deve", of="driver", infraction="X-0", except_for=OCCASION),
            make.cited("deve_de_dia", of="driver", excuses=[{"code": "noite", "hours": NIGHT, "cite": make.article()}]),
        ],
    }


def ages_and_days(make: Maker) -> Tables:
    """How old a vehicle may be; inspections, campaigns, terms."""
    limit: Any = make.of(
        make.years(),
        {"cases": [{"if": "vehicle.fuel == 'f0'", "is": make.years()}, {"is": make.years()}]},
        {"bands": [{"upto": 2, "is": make.years()}, {"is": make.years()}], "by": "vehicle.doors"},
    )
    basis = make.of("manufacture_year", "first_registration")
    extension = {"add": make.length(), "at": ["stay"], "needs": "request", "cite": make.article()}
    due: Row = make.of({"every": make.length()}, {"by_plate_ending": PLATES})
    late = {"after": make.length(1, 20), "infraction": "X-0", "cite": make.article()}
    over = {"after": "0 days", "effect": {"do": "end", "cause": "e5"}, "cite": make.article()}
    campaign: Row = make.of({"opens_on": "02-01", "term": make.length()}, {"by_plate_ending": PLATES})
    return {
        "vehicle_age": [
            make.cited(
                code, at=[at], limit=limit, basis=basis, boundary=make.of("in", "out"), extend=make.of([], [extension])
            )
            for code, at in (("velho", "entry"), ("velho_fica", "stay"))
        ],
        "inspection": [make.cited("vistoria", by=OFFICES[0], **due, **make.counting(), missed="X-0")],
        "campaign": [make.cited("chamada", whom="vehicles", once=False, **campaign, **make.counting())],
        "term": [
            make.cited(
                "dura",
                of="permit",
                starts="granted",
                length=make.of(make.years(1, 2), make.years()),
                validity=True,
                window="30 days",
                **make.maybe(renewals=make.number(1, 3)),
                late=make.of([], [over]),
            ),
            make.cited(
                "age",
                of="fine",
                starts="notified",
                met_by=["paid"],
                length=make.length(),
                **make.counting(),
                late=[late],
            ),
            make.cited(
                "anual",
                of="licence",
                starts="issued",
                validity=True,
                met_by=["renewal_requested", "renewed"],
                late=make.of([], [late]),
                **make.of({"ends": make.of("01-31", "12-last", "06-15")}, {"length": make.years(1, 2)}),
                **make.maybe(window=make.length()),
            ),
        ],
    }


def money(make: Maker) -> Tables:
    waive = {"if": "local.flag", "cite": make.article(), **make.maybe(part=f"{make.number(1, 99)}%")}
    return {
        "fee": [
            make.cited("taxa", of="licence", amount=make.amount(), instalments=make.of(12, 3, 1), waive=[waive]),
            make.cited("taxa_parte", of="paper", amount={"percent": "33%", "of": {"rule": "taxa"}}),
        ]
    }


def penalties(make: Maker) -> Tables:
    """Infractions of every effect; ladders that never go down; points with thresholds."""
    office = {"by": OFFICES[0]}
    tiers = [{"if": "local.level > 2", "amount": make.money()}, {"amount": make.money()}]
    split = {"do": "split", "parts": {"fundo": "70%", "cofre": "30%"}}
    rising = sorted(make.number(1, 50_000) for _ in range(3))
    steps = [
        {"nth": n, "do": "fine", "amount": f"{Decimal(cents).scaleb(-2):f} UA"} for n, cents in enumerate(rising, 1)
    ]
    ladder: Row = make.of(
        {
            "factor": make.of(2, "1.5"),
            "most": f"{make.number(90_001, 900_000)} BRL",
            "applies": {"infraction": "X-1"},
        },
        {"steps": [{"nth": 1, "do": "warn"}, *steps[1:]], "applies": {"infraction": "X-0"}},
        {"steps": steps, "applies": {"infraction": ["X-0", "X-1"]}},
    )
    life = {GROUPS[0]: make.length(), GROUPS[1]: make.years(1, 3)}
    window = make.of(
        {"anchor": "calendar_year"}, {"window": make.length()}, {"window": "1 year", "anchor": "previous_event"}
    )
    suspend = {"do": "suspend", "term": make.length(), "cite": make.article()}
    return {
        "infraction": [
            make.cited("X-0", do="fine", group=GROUPS[0], points=make.number(1, 9), amount=make.amount(), **office),
            make.cited(
                "X-1",
                do="fine",
                group=GROUPS[1],
                points=make.number(1, 9),
                amount=f"{make.number(1, 900)} BRL",
                **office,
            ),
            make.cited("X-2", do="fine", group=GROUPS[1], tiers=tiers, also=[split], **office),
            make.cited("X-3", do="suspend", term=make.length(), **make.counting(), **office),
            make.cited("X-4", do="fine", amount="12.30 UA", residual=True, **office),
        ],
        "sanction": [
            make.cited("leve", grade=1, do="warn", decides=OFFICES[0]),
            make.cited("grave", grade=2, do="end", cause=ENDING, decides=OFFICES[1], after_process=make.yes()),
        ],
        "overlap": [
            make.cited(
                "mesmo",
                order=make.of(["X-0", "X-1"], ["X-2", "X-0"]),
                keeps=make.of("first", "highest", "lowest", "all"),
            )
        ],
        "measure": [
            {"code": "vezes", "counts": "infraction", "match": ["holder", "infraction"], **window},
            {"code": "pontos", "counts": "points", "sum": "points", "match": "holder", "lives": life},
        ],
        "ladder": [make.cited("escala_multa", measure="vezes", **ladder)],
        "points": [
            make.cited(
                "soma",
                measure="pontos",
                thresholds=[
                    {"at": make.number(2, 9), "effects": [suspend]},
                    {"at": make.number(10, 30), "effects": [suspend], "spends": make.yes()},
                ],
            )
        ],
    }


def proceedings(make: Maker) -> Tables:
    steps = [
        {
            "code": f"passo{n}",
            "instance": n,
            "actor": make.of("party", "authority"),
            "after": "service",
            "term": make.length(),
            "suspends": make.yes(),
            "cite": make.article(),
        }
        for n in range(1, make.number(2, 5))
    ]
    otherwise = {"from": "posted", "add": make.length()}
    return {
        "process": [make.cited("rito", counting="n0", judge=OFFICES[1], step=steps)],
        "service": [
            make.cited("", way="carta", done="received", **make.maybe(**{"else": otherwise})),
            make.cited("", way="edital", done={"from": "published", "add": make.length()}, **make.maybe(after="carta")),
        ],
    }


def rides(make: Maker) -> Tables:
    distance = {
        "code": "percurso",
        "value": make.money(1, 900),
        "times": "ride.metres",
        "beyond": make.number(0, 3000),
        "per": 1000,
        "round": make.of("up", "down", "exact"),
    }
    base = [{"code": "base", "value": make.money(1, 2000)}, distance]
    add = make.of(f"{make.number(1, 99)}%", make.money(1, 900))
    opens: Row = make.of(
        {"hours": NIGHT, "ride": make.of("start", "end", "split")}, {"weekdays": "sunday", "holidays": True}
    )
    season = {"season": ["12-20", "01-06"], "events": OCCASION}
    return {
        "tariff": [
            make.cited("corrida", components=base, **make.maybe(minimum=make.money(1, 3000))),
            make.cited("extra", add=add, stacking=make.of("add", "greatest", "replace"), **opens),
            make.cited("festa", add=make.money(1, 900), **season),
        ],
        "tariff_policy": [
            make.cited(
                "tarifas", set_by=OFFICES[0], raise_only_for=OCCASION, review_every=make.years(), review_when="cost"
            )
        ],
    }


PARTS: tuple[Part, ...] = (service, demands, ages_and_days, money, penalties, proceedings, rides)
