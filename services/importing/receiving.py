"""A town's file comes in (planilha): kept as it is, read later; the same bytes come once."""

import hashlib
from uuid import UUID

from services import acts
from services.access import Actor
from services.database import Transaction
from services.errors import Invalid
from services.importing import store
from services.importing.reading import CSV, XLSX
from services.importing.tables import ImportFile
from services.registry import store as registry

MEDIA_TYPES = (XLSX, CSV)
IMPORTED = "imported"


async def receive(
    tx: Transaction, actor: Actor, *, sha256: str, content: bytes, media_type: str, name: str
) -> tuple[UUID, bool]:
    """Keep a file; answers its id, and whether it is new. One that was dropped comes again, unless it was imported.

    Args:
        sha256: Of the content, as the caller computed it: what arrived is what was sent.

    Raises:
        Invalid: The content is another, empty, or of no known form.
    """
    office = actor.must("register")
    if media_type not in MEDIA_TYPES:
        raise Invalid("mediaType", "unknown_form", "Envie uma planilha XLSX ou CSV.")
    if not content:
        raise Invalid("file", "empty", "O arquivo está vazio.")
    if hashlib.sha256(content).hexdigest() != sha256:
        raise Invalid("sha256", "other_content", "O arquivo chegou diferente do que foi anunciado. Envie-o de novo.")
    await store.lock_hash(tx, sha256)
    known = await store.by_hash(tx, sha256)
    if known is not None and (known.dropped_on is None or known.state == IMPORTED):
        return known.id, False
    import_id = known.id if known is not None else await registry.new_id(tx)
    changes = {"sha256": sha256, "size": len(content)}
    act = await acts.record(tx, actor, "import.received", on=("import", import_id), office=office, changes=changes)
    if known is not None:
        await store.fill_again(tx, import_id, content, tx.now, act.id)
        return import_id, True
    row = ImportFile(
        tenant_id=tx.tenant_id,
        id=import_id,
        name=" ".join(name.split()) or "planilha",
        media_type=media_type,
        sha256=sha256,
        size=len(content),
        content=content,
        received_at=tx.now,
        received_act=act.id,
    )
    await registry.add(tx, row)
    return import_id, True
