"""What is kept outside the file and shown in it (provas nos autos): fetched, and checked against its hash."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from services.database import Reader
from services.documents.printing import can_be_shown
from services.evidence.keeping import fetch
from services.evidence.storage import storage_of
from services.proceedings.pieces import attachment_of

PICTURES: Mapping[str, str] = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
NOT_SHOWN = "(O arquivo não se imprime aqui; confira-o pelo SHA-256 acima.)"
FORGED = "(ATENÇÃO: o arquivo guardado não está lá, ou já não confere com o SHA-256 acima.)"


@dataclass(slots=True)
class Exhibits:
    """Pictures by file name; the name of each by the number of its piece; and what a page says instead of one."""

    pictures: dict[str, bytes] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)


def evidence_of(piece: Row[Any]) -> dict[str, Any] | None:
    """What the piece shows: by the row, which stays when the content has been destroyed. Its size is in bytes."""
    if piece.evidence_id is None:
        return None
    told = {"id": str(piece.evidence_id), "mediaType": piece.media_type, "size": piece.size}
    return {**told, "sha256": piece.evidence_sha256, "kept": piece.evidence_state == "stored"}


async def gathered(tx: Reader, pieces: Sequence[Row[Any]]) -> Exhibits:
    """The pictures that the pages show, as many as the settings let one file hold."""
    found, left = Exhibits(), tx.settings.case_pictures_most_bytes
    storage = storage_of(tx.settings)
    for piece in pieces:
        shown = attachment_of(piece.content)
        if shown is None:
            continue
        if shown["sha256"] != piece.evidence_sha256:
            found.notes[piece.seq] = [FORGED]
            continue
        try:
            content = await fetch(storage, tx.tenant_id, piece.evidence_id, shown["sha256"])
        except (KeyError, RuntimeError):
            found.notes[piece.seq] = [FORGED]
            continue
        name = f"{piece.seq}.{PICTURES.get(shown['mediaType'], 'none')}"
        fits = shown["mediaType"] in PICTURES and len(content) <= left
        if fits and await asyncio.to_thread(can_be_shown, content, name, tx.settings.picture_most_pixels):
            found.pictures[name], found.names[piece.seq] = content, name
            left -= len(content)
        else:
            found.notes[piece.seq] = [NOT_SHOWN]
    return found
