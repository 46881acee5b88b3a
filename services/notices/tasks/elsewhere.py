"""What a notice told nobody, somebody must be told by other means: the task says which of them the law knows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from services.errors import NoLawInForce
from services.notices.tasks.store import NewTask
from tenants.law.kinds.proceedings import ServiceWay

if TYPE_CHECKING:
    from services.database import Reader

ANSWERED = frozenset({"fine", "occurrence", "penalty", "case"})  # for which somebody answers, in the register or not
UNKNOWN = "O cadastro não diz a quem avisar: dê ciência por outro meio."
BY_NAME = "Quem responde não está no cadastro: dê ciência por outro meio."


async def of_nobody(tx: "Reader", notices: Sequence[Any]) -> list[NewTask]:
    """A task for each notice that has nobody to go to."""
    ways = await _ways(tx) if any(each.subject_kind in ANSWERED for each in notices) else ""
    return [
        NewTask(
            "nobody",
            f"{each.subject_kind}:{each.subject_id}",
            f"{BY_NAME}{ways}" if each.subject_kind in ANSWERED else UNKNOWN,
            notice_id=each.id,
        )
        for each in notices
    ]


async def _ways(tx: "Reader") -> str:
    """Those in which the law has somebody served, each with its articles."""
    try:
        law = await tx.law(on=tx.today)
    except NoLawInForce:
        return ""
    said = [f"{way.title} ({', '.join(str(cite) for cite in way.cite)})" for _, way in law.all(ServiceWay)]
    return f" A lei conhece: {'; '.join(said)}." if said else ""
