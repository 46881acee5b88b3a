"""Random ways of conducting a case, for the generator of packs: instances, steps, terms, effects, ways to serve."""

from tests.property.law.maker import Maker, Row, Tables

FINED = ("f0", "f1")
INFRACTIONS = (*FINED, "w0")
WAYS = {"pessoal": "ciencia", "edital": "publicado"}
JUDGE = "o1"
# What must have occurred in some walk: otherwise the generator or the walk has lost it.
OCCURS = {
    *("serves", "defends", "appeals", "takes", "orders", "decides", "enforces", "archives", "enters", "reopened"),
    *("step: defesa", "step: replica", "step: estudo", "step: diligencia", "step: decisao"),
    *("step: recurso2", "step: acordao2", "step: recurso3", "step: acordao3", "step: none"),
    *("upheld", "dismissed", "suspended", "split", "late", "in time"),
    *("ended: enforced", "ended: dismissed", "no: Conflict", "no: Refused"),
}


def days(make: Maker) -> str:
    return f"{make.number(1, 12)} days"


def first_instance(make: Maker) -> list[Row]:
    defence = {"code": "defesa", "actor": "party", "term": days(make), "after": "service", "suspends": make.yes()}
    reply = {"code": "replica", "actor": "agent", "after": "defesa", **make.maybe(term=days(make))}
    study = {"code": "estudo", "actor": "authority", "to": JUDGE, "after": "defesa", **make.maybe(term=days(make))}
    extra = {"code": "diligencia", "actor": "authority", "to": JUDGE, "after": "defesa", "optional": True}
    decision = {"code": "decisao", "actor": "authority", "after": "defesa", **make.maybe(term=days(make))}
    some = [step for step in (reply, study) if make.yes()]
    return [defence, *some, *([{**extra, **make.maybe(term=days(make))}] if make.yes() else []), decision]


def appeal(make: Maker, instance: int, *, last: bool) -> list[Row]:
    """The last instance may have no step of its own to judge in: its office decides at once."""
    files: Row = {"code": f"recurso{instance}", "actor": "party", "to": JUDGE, "term": days(make), "after": "service"}
    files |= {"suspends": make.yes(), "silence": "final", "whole_or_part": make.of(True, True, True, False)}
    judges: Row = {"code": f"acordao{instance}", "actor": "authority", "to": JUDGE, "after": files["code"]}
    return [{**step, "instance": instance} for step in ([files] if last and make.yes() else [files, judges])]


def rites(make: Maker) -> Tables:
    instances = make.of(1, 2, 3, 3)
    steps = first_instance(make)
    for instance in range(2, instances + 1):
        steps += appeal(make, instance, last=instance == instances)
    process = make.cited(
        "rito",
        counting="n0",
        judge=JUDGE,
        opened_by=["auto"],
        direct_to_second=make.of("no", "no", "yes"),
        ex_officio=make.of("no", "no", "yes"),
        step=[{**step, "cite": make.article()} for step in steps],
        **make.maybe(keep="5 years"),
    )
    pays = {"of": "fine", "length": f"{make.number(5, 60)} days", "counting": "n0", "met_by": ["paid"]}
    again = [make.cited("pagar_de_novo", **pays, starts="appeal_refused")] if make.yes() else []
    return {
        "process": [process],
        "service": [
            make.cited("", way="pessoal", done=WAYS["pessoal"]),
            make.cited("", way="edital", done={"from": WAYS["edital"], "add": days(make)}, after="pessoal"),
        ],
        "term": [make.cited("pagar", **pays, starts="notified"), *again],
        "infraction": [
            *(make.cited(code, do="fine", amount=f"{make.number(10, 90)} BRL") for code in FINED),
            make.cited("w0", do="warn"),
        ],
    }
