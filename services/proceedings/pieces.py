"""The file of a case: pieces in order, each with its pages, its hash, and the chain that binds it to the one before."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID

from services.acts.body import canonical, simple
from services.acts.record import Act
from services.errors import Invalid
from services.proceedings import store
from services.proceedings.tables import Piece

if TYPE_CHECKING:
    from services.transactions import Transaction

COLUMNS, LINES = 88, 44  # law-free: letters of a printed line, lines of a page
NOTHING = ""  # what stands before the first piece


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPiece:
    """A piece to file. ``attachment``: what is kept outside, by its hash. ``restricted``: not for everybody."""

    kind: str
    title: str
    text: str
    filed_on: date
    restricted: bool = True
    late: bool = False
    party_id: UUID | None = None
    office: str | None = None
    attachment: Mapping[str, Any] | None = field(default=None)


def printed(text: str) -> list[list[str]]:
    """The lines of each page, as they will be printed for ever: at least one page."""
    lines = [line for paragraph in text.splitlines() for line in (textwrap.wrap(paragraph, COLUMNS) or [""])] or [""]
    return [lines[at : at + LINES] for at in range(0, len(lines), LINES)]


def content_of(new: NewPiece) -> str:
    return canonical({"text": new.text, "attachment": simple(new.attachment) if new.attachment else None})


def text_of(content: str | None) -> str | None:
    return None if content is None else str(json.loads(content)["text"])


def attachment_of(content: str | None) -> Mapping[str, Any] | None:
    """What a piece shows that is kept outside: its evidence, type, size in bytes and hash."""
    found: Mapping[str, Any] | None = None if content is None else json.loads(content)["attachment"]
    return found


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def link(piece: Any) -> str:
    """The chain's hash: of what the index says of a piece, its content's hash, and the link before."""
    said = [piece.seq, piece.kind, piece.title, piece.restricted, piece.filed_on.isoformat(), piece.late]
    return hashed(canonical([*said, piece.first_page, piece.pages, piece.sha256, piece.previous]))


async def file_piece(tx: "Transaction", case_id: UUID, act: Act, new: NewPiece) -> Piece:
    """Put a piece at the end of the file, whose case the caller has locked. Raises Invalid for an empty one."""
    if not new.text.strip():
        raise Invalid("text", "empty", "A peça não tem texto.")
    before = await store.last_piece(tx, case_id)
    content = content_of(new)
    piece = Piece(
        tenant_id=tx.tenant_id,
        proceeding_id=case_id,
        seq=before.seq + 1 if before else 1,
        kind=new.kind,
        title=new.title,
        restricted=new.restricted,
        filed_on=new.filed_on,
        filed_at=tx.now,
        late=new.late,
        party_id=new.party_id,
        office=new.office,
        first_page=before.first_page + before.pages if before else 1,
        pages=len(printed(new.text)),
        content=content,
        evidence_id=(new.attachment or {}).get("evidence"),
        sha256=hashed(content),
        previous=before.chain if before else NOTHING,
        chain="",
        act_id=act.id,
    )
    piece.chain = link(piece)
    tx.session.add(piece)
    await tx.session.flush()
    return piece


def broken(pieces: Sequence[Any]) -> list[int]:
    """The numbers of pieces that are not as they were filed, or not where."""
    wrong, previous, page = [], NOTHING, 1
    for at, piece in enumerate(pieces, start=1):
        content_is = piece.content is None or hashed(piece.content) == piece.sha256
        in_place = (piece.seq, piece.previous, piece.first_page) == (at, previous, page)
        if not (content_is and in_place and link(piece) == piece.chain):
            wrong.append(piece.seq)
        previous, page = piece.chain, piece.first_page + piece.pages
    return wrong
