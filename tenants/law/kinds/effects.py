"""What an infraction, a late term or a measure draws: the effects of a law, and what each comes to in a case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from tenants.law.citation import Citation
from tenants.law.loading import Cel, Cites, FactCode
from tenants.law.money import Money, rate_day, shared
from tenants.law.quantity import Amount, Length, Number, Percent, Quantity, scaled
from tenants.law.rule import OfficeRef, Table
from tenants.law.values import Ranged, Value

if TYPE_CHECKING:
    from tenants.law.evaluation import Evaluation

Do = Literal["warn", "fine", "suspend", "hold", "charge_daily", "split", "end", "bar", "convert", "points", "order"]
# How the register calls what was applied: the list ``penalty`` of the vocabulary.
PENALTIES: Mapping[Do, str] = {
    "warn": "warning",
    "fine": "fine",
    "suspend": "suspension",
    "hold": "hold",
    "charge_daily": "charge",
    "end": "ending",
    "bar": "bar",
    "convert": "conversion",
    "order": "order",
}
TITLES: Mapping[Do, str] = {
    "warn": "advertência",
    "fine": "multa",
    "suspend": "suspensão",
    "hold": "retenção",
    "charge_daily": "diária",
    "split": "repartição",
    "end": "extinção",
    "bar": "impedimento",
    "convert": "conversão",
    "points": "pontos",
    "order": "determinação",
}
_PAYS: frozenset[Do] = frozenset({"fine", "charge_daily"})
_LASTS: frozenset[Do] = frozenset({"suspend"})  # without a length of its own, an office sets it


class Tier(Table):
    """An amount by a condition over facts; without ``if`` for all the rest."""

    when: Cel | None = Field(default=None, alias="if")
    amount: Value


class Effect(Table):
    """One effect. Any ``do`` that the system has no word for is an ``order``: label, term and who decides.

    ``least`` and ``most`` bound the length of a suspension; ``times`` is the fact that counts the days of a daily
    charge; ``parts`` says whose which percentage of the money is (a ``split`` without an amount divides that of its
    infraction); ``to`` what a permit is converted into.
    """

    do: Do
    amount: Value | None = None
    tiers: tuple[Tier, ...] = ()
    points: Value | None = None
    least: Value | None = None
    most: Value | None = None
    term: Value | None = None
    counting: str | None = None
    cause: str | None = None
    label: str = ""
    reports_as: str | None = Field(default=None, alias="as")
    decides: OfficeRef | None = None
    opens: str | None = None
    times: FactCode | None = None
    parts: Mapping[str, Value] = Field(default_factory=dict)
    to: str | None = None
    cite: Cites = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """What an effect comes to. ``least`` and ``most``: what an office may choose between; ``until``: its last day."""

    do: Do
    units: Amount | None = None
    money: Money | None = None
    points: int | None = None
    term: Length | None = None
    until: date | None = None
    least: Quantity | None = None
    most: Quantity | None = None
    cause: str | None = None
    label: str = ""
    reports_as: str | None = None
    decides: str | None = None
    opens: str | None = None
    to: str | None = None
    parts: Mapping[str, Decimal] = field(default_factory=dict)
    cite: tuple[Citation, ...] = ()

    @property
    def penalty(self) -> str:
        """The register's word for it; none for points and for the split of money."""
        return PENALTIES.get(self.do, "")

    @property
    def text(self) -> str:
        """What people read, in Portuguese."""
        bits = [self.label or TITLES[self.do]]
        if self.units is not None:
            bits.append(f"de {self.units.text}")
        if self.money is not None and self.money.unit != "BRL":
            bits.append(f"({Amount(self.money.brl, 'BRL').text})")
        if self.term is not None:
            bits.append(f"por {self.term.text}")
        if self.points is not None:
            bits.append(f"e {self.points} pontos" if self.do != "points" else f"({self.points})")
        return " ".join(bits)


@dataclass(frozen=True, slots=True)
class Setting:
    """The case in which effects are drawn: the days that may fix a unit's value, who applies, how much heavier."""

    days: Mapping[str, date] = field(default_factory=dict)
    by: Sequence[str] = ()
    factor: Number | None = None
    factor_on: str = "amount"  # amount, term, points
    most: Quantity | None = None


def drawn(ev: "Evaluation", effect: Effect, setting: Setting, base: Effect | None = None) -> Drawn:
    """What an effect comes to; ``base`` supplies the amount, term and points that a step of a ladder leaves unsaid."""
    units = _units(ev, effect, base, setting)
    term = _length(ev, effect.term or (base.term if base and base.do == effect.do else None), setting)
    decides = ev.office(effect.decides) if effect.decides else next(iter(setting.by), None)
    ranged = effect.amount if isinstance(effect.amount, Ranged) else None
    low, high = (ranged.above, ranged.upto) if ranged else (effect.least, effect.most)
    if effect.do in _LASTS and term is None and effect.term is None:
        ev.left_to(decides)
    money = ev.reais(units, day) if units and (day := rate_day(ev, units.unit, setting.days)) else None
    shares = effect.do == "split"  # of money that another effect charges
    return Drawn(
        do=effect.do,
        units=None if shares else units,
        money=None if shares else money,
        points=_points(ev, effect.points or (base.points if base else None), setting),
        term=term,
        until=_until(ev, effect, term, setting),
        least=ev.value(low) if low else None,
        most=ev.value(high) if high else None,
        cause=effect.cause,
        label=effect.label,
        reports_as=effect.reports_as,
        decides=decides,
        opens=effect.opens,
        to=effect.to,
        parts=_parts(ev, effect, money),
        cite=effect.cite,
    )


def _units(ev: "Evaluation", effect: Effect, base: Effect | None, setting: Setting) -> Amount | None:
    """The amount in the law's unit, made heavier; None where the effect has none, or what it lacks is noted."""
    source = effect if effect.amount is not None or effect.tiers else base
    if effect.do not in _PAYS and source is not effect:
        return None
    value = stated(ev, source) if source else None
    if value is None:
        if effect.do in _PAYS and (source is None or (source.amount is None and not source.tiers)):
            ev.undetermined(f"a lei não fixa o valor ({effect.label or TITLES[effect.do]})")
        return None
    amount = Amount(value.value, "BRL") if isinstance(value, Number) else value
    if not isinstance(amount, Amount):
        ev.undetermined(f"o valor {value} não é uma quantia")
        return None
    if effect.times:
        days = ev.quantity_of(effect.times)
        amount = scaled(amount, days) if isinstance(days, Number) else None  # type: ignore[assignment]
    return _heavier(ev, amount, setting, "amount") if amount is not None else None


def stated(ev: "Evaluation", effect: Effect) -> Quantity | None:
    """The amount that the law says, by its tiers first; None: it says none, or what it lacks is noted."""
    for tier in effect.tiers:
        holds = True if tier.when is None else ev.holds(tier.when)
        if holds is None:
            return None
        if holds:
            return ev.value(tier.amount)
    if effect.amount is not None:
        return ev.value(effect.amount)
    if effect.tiers:
        ev.undetermined("nenhuma faixa do valor cobre os fatos")
    return None


def _heavier(ev: "Evaluation", base: Amount, setting: Setting, what: str) -> Amount:
    if setting.factor is None or setting.factor_on != what:
        return base
    grown: Amount = scaled(base, setting.factor)
    if not isinstance(setting.most, Amount):
        return grown
    if setting.most.unit != grown.unit:
        ev.undetermined(f"o teto {setting.most.text} não está na unidade do valor, {grown.unit}")
        return grown
    return min(grown, setting.most)


def _length(ev: "Evaluation", value: Value | None, setting: Setting) -> Length | None:
    length = ev.typed(value, Length)
    if length is None:
        return None
    if setting.factor is None or setting.factor_on != "term":
        return length
    grown = length.count * setting.factor.value
    if grown != grown.to_integral_value():
        ev.undetermined(f"{length.text} vezes {setting.factor.text} não dá um prazo inteiro")
        return length
    most = setting.most.count if isinstance(setting.most, Length) and setting.most.per == length.per else int(grown)
    return Length(min(int(grown), most), length.per)


def _points(ev: "Evaluation", value: Value | None, setting: Setting) -> int | None:
    points = ev.typed(value, Number)
    if points is None:
        return None
    heavier = setting.factor.value if setting.factor and setting.factor_on == "points" else Decimal(1)
    return int(points.value * heavier)


def _until(ev: "Evaluation", effect: Effect, term: Length | None, setting: Setting) -> date | None:
    starts = setting.days.get("effect")
    if starts is None or term is None:
        return None
    counted = ev.counted(effect.counting, starts, term)
    return counted.last_day if counted else None


def _parts(ev: "Evaluation", effect: Effect, money: Money | None) -> Mapping[str, Decimal]:
    """Whose which part of the money is; what rounding leaves over is the last one's."""
    if not effect.parts:
        return {}
    percents = {who: ev.typed(value, Percent) for who, value in effect.parts.items()}
    known = {who: percent for who, percent in percents.items() if percent is not None}
    if money is None or len(known) < len(percents):
        return {}
    shares = shared(money.brl, [p.fraction for p in known.values()], ev.law.book.town.money)
    if shares is None:
        ev.undetermined("as partes da repartição não somam o todo")
        return {}
    return dict(zip(known, shares, strict=True))
