"""Whether every act is there as it was recorded, and every seal as it was set."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from services.acts import store
from services.acts.body import columns_of, digest

if TYPE_CHECKING:
    from services.database import Reader

Finding = Literal["altered_act", "missing_act", "unsealed_act", "altered_seal", "missing_seal", "broken_chain"]

SAID = {
    "altered_act": "O ato {what} foi alterado.",
    "missing_act": "O ato {what} foi removido.",
    "unsealed_act": "O ato {what} não está em nenhum selo nem aguarda um.",
    "altered_seal": "O selo {what} foi alterado.",
    "missing_seal": "O selo {what} foi removido.",
    "broken_chain": "O selo {what} não continua o anterior.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, with the number of the seal or the id of the act."""

    finding: Finding
    what: str

    @property
    def message(self) -> str:
        return SAID[self.finding].format(what=self.what)


async def verify(tx: "Reader") -> list[Problem]:
    """Every problem of the town's acts and seals; none when all is as it was."""
    problems: list[Problem] = []
    sealed: set[UUID] = set()
    unreadable = False
    previous: Any = None
    for seal in await store.seals(tx):
        said = read(seal.body)
        unreadable = unreadable or said is None
        problems += seal_problems(tx.tenant_id, seal, said, previous)
        listed = {UUID(act_id): bytes.fromhex(hashed) for act_id, hashed in (said or {}).get("acts", [])}
        sealed |= listed.keys()
        found = {act.id: act for act in await store.acts_by_id(tx, list(listed))}
        problems += listed_problems(listed, found)
        previous = seal
    waiting = await store.waiting_ids(tx)
    problems += [Problem("altered_act", str(a.id)) for a in await store.acts_by_id(tx, list(waiting)) if altered(a)]
    if not unreadable:  # else what it held is not known
        problems += [Problem("unsealed_act", str(i)) for i in sorted(await store.all_ids(tx) - sealed - waiting)]
    return problems


def read(body: str) -> dict[str, Any] | None:
    try:
        said = json.loads(body)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def seal_problems(tenant_id: UUID, seal: Any, said: dict[str, Any] | None, previous: Any) -> Iterator[Problem]:
    columns = {
        "town": str(tenant_id),
        "seq": seal.seq,
        "at": seal.at.isoformat(),
        "previous": None if seal.previous is None else seal.previous.hex(),
    }
    if said is None or digest(seal.body) != seal.hash or any(said.get(name) != is_ for name, is_ in columns.items()):
        yield Problem("altered_seal", str(seal.seq))
    before = 0 if previous is None else previous.seq
    yield from (Problem("missing_seal", str(seq)) for seq in range(before + 1, seal.seq))
    if previous is not None and seal.previous != previous.hash:
        yield Problem("broken_chain", str(seal.seq))


def listed_problems(listed: dict[UUID, bytes], found: dict[UUID, Any]) -> Iterable[Problem]:
    for act_id, hashed in listed.items():
        act = found.get(act_id)
        if act is None:
            yield Problem("missing_act", str(act_id))
        elif act.hash != hashed or altered(act):
            yield Problem("altered_act", str(act_id))


def altered(act: Any) -> bool:
    """Is the text another than was hashed, or a column another than the text says?"""
    if digest(act.body, act.salt) != act.hash:
        return True
    said = read(act.body) or {}
    return any(said.get(name) != is_ for name, is_ in columns_of(act).items())
