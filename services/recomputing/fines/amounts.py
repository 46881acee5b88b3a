"""What a fine comes to is written wherever it stands: in the fine, at its penalty, in the case that is about it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from services.enforcement.applying import CHARGES, SHARES
from services.recomputing.amounts import Revalued
from services.recomputing.fines import store
from tenants.law.decision import plain
from tenants.law.quantity import Amount

if TYPE_CHECKING:
    from services.database import Transaction


async def come_to(tx: "Transaction", revalued: Sequence[Revalued]) -> None:
    """Notices and payment terms name no amount of their own: they say the fine's."""
    await store.revalue(tx, [_amount(each) for each in revalued])
    of = {each.row.id: each for each in revalued}
    charged = await store.charges(tx, list(of))
    if charged:
        await store.show(tx, [(row.id, shown(row.effects, of[row.fine_id])) for row in charged])


def _amount(new: Revalued) -> store.Amount:
    money = new.money
    effect = {"money": plain(money)} if new.effect is None else plain(new.effect)
    return store.Amount(new.row.id, money.units, money.unit, money.rate, money.brl, new.decision.plain(), effect)


def shown(effects: Sequence[Mapping[str, Any]], new: Revalued) -> list[Any]:
    """The effects of a charge as a case shows them, with what they come to now.

    Who has which part of the money is left unsaid where only the unit's value is another: nothing draws it again.
    """
    if new.effects:
        return [plain(effect) for effect in new.effects]
    units = plain(Amount(new.row.units, new.row.unit))
    return [_worth(effect, units, plain(new.money)) for effect in effects]


def _worth(effect: Mapping[str, Any], units: Any, money: Any) -> Mapping[str, Any]:
    if effect["do"] in SHARES:
        return {**effect, "parts": {}}
    return {**effect, "money": money} if effect["do"] in CHARGES and effect.get("units") == units else effect
