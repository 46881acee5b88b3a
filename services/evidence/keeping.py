"""A photograph comes in (juntar prova): its row, then its bytes, then both are one; cut short, it may be sent again."""

import hashlib
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts
from services.access import Actor
from services.database import Database, Reader, Transaction
from services.enforcement.occurrences.reading import is_theirs
from services.errors import Conflict
from services.evidence import store
from services.evidence.looking import Looked, look
from services.evidence.storage import Storage
from services.evidence.tables import Evidence
from services.proceedings.exhibits import join_late_evidence
from services.proceedings.parties import is_party
from services.registry import identity
from services.registry import store as registry

NODE = "evidence"
PENDING, STORED, DROPPING, DROPPED = "pending", "stored", "dropping", "dropped"


@dataclass(frozen=True, slots=True)
class Kept:
    """What the device is told of what it sent; ``new``: it was not there yet."""

    id: UUID
    media_type: str
    size: int
    sha256: str
    new: bool


def key_of(tenant_id: UUID, id: UUID) -> str:
    return f"{tenant_id}/{id}"


async def announce(tx: Transaction, actor: Actor, *, id: UUID, client_id: str, looked: Looked) -> bool:
    """The row of what is about to be stored; False: it is stored already.

    Args:
        id: The device's own, a UUID: sent again with the same content, it is the same.
        client_id: The device's name of the record that it shows, which may come later.

    Raises:
        Invalid: It is not said of which record it is, or at too great length.
        Conflict: The same id has come with other content, or is being removed.
    """
    office = actor.must("record")
    identity.device_name(client_id, "occurrence")
    before = await store.lock(tx, id)
    if before is not None:
        if (before.sha256, before.client_id) != (looked.sha256, client_id) or before.state == DROPPING:
            raise Conflict(message="Esta prova já foi enviada pelo aparelho com outro conteúdo.")
        if before.state != DROPPED:
            return bool(before.state == PENDING)
        if await store.shown_in(tx, id):
            raise Conflict(message="Esta prova foi inutilizada com o seu processo, ao fim do prazo de guarda.")
    shown = {"clientId": client_id, "sha256": looked.sha256, "mediaType": looked.media_type, "size": looked.size}
    act = await acts.record(tx, actor, "evidence.received", on=(NODE, id), office=office, changes=shown)
    if before is not None:
        await store.renew(tx, id, client_id, act.id)
        return True
    row = Evidence(
        tenant_id=tx.tenant_id,
        id=id,
        client_id=client_id,
        media_type=looked.media_type,
        size=looked.size,
        sha256=looked.sha256,
        received_at=tx.now,
        state=PENDING,
        act_id=act.id,
    )
    await registry.add(tx, row)
    return True


async def keep(
    db: Database, storage: Storage, actor: Actor, tenant_id: UUID, *, id: UUID, client_id: str, content: bytes
) -> Kept:
    """Take in a photograph of a record. The bytes are stored between two transactions, never inside one.

    Raises:
        Invalid: It is no photograph and no PDF, or too large.
        Forbidden: Only who records may.
        Conflict: As ``announce``.
    """
    actor.must("record")
    looked = look(content, db.settings.evidence_most_bytes)
    async with db.transaction(tenant_id) as tx:
        new = await announce(tx, actor, id=id, client_id=client_id, looked=looked)
    if new:
        await storage.put(key_of(tenant_id, id), content)
        async with db.transaction(tenant_id) as tx:
            found = await store.lock(tx, id)
            if found is None or found.state not in (PENDING, STORED):
                raise Conflict(message="A prova foi removida enquanto chegava: envie de novo.")
            await store.become(tx, [id], STORED)
            await join_late_evidence(tx, actor, id)
    return Kept(id, looked.media_type, looked.size, looked.sha256, new)


async def to_show(tx: Reader, actor: Actor, id: UUID) -> Row[Any]:
    """The row of one that the actor may see: who reads the register, whom its record or its case is about.

    One that a file shows to everybody is for everybody.

    Raises:
        Forbidden: Also where there is none.
        NotFound: For who may read.
    """
    about = await store.about(tx, id)
    if (about is None or not is_theirs(actor, about)) and not await _in_their_file(tx, actor, id):
        actor.must("read")
    return await store.evidence(tx, id)


async def _in_their_file(tx: Reader, actor: Actor, id: UUID) -> bool:
    for piece in await store.shown_in(tx, id):
        if not piece.disposed and (not piece.restricted or await is_party(tx, actor, piece.proceeding_id)):
            return True
    return False


async def fetch(storage: Storage, tenant_id: UUID, id: UUID, sha256: str) -> bytes:
    """The bytes, checked against their hash.

    Raises:
        KeyError: They are not there. RuntimeError: What is stored is not what came in.
    """
    content = await storage.get(key_of(tenant_id, id))
    if hashlib.sha256(content).hexdigest() != sha256:
        raise RuntimeError(f"evidence {id} is not what was stored")
    return content
