"""The whole file of a case to take away (autos): a PDF with index and page numbers, and its twin in JSON.

The twin holds what the chain of hashes is made of, so that anybody can follow it with a short program.
"""

import asyncio
import base64
import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services.clock import local_day
from services.database import Reader
from services.deadlines import store as deadlines
from services.documents.printing import pdf
from services.proceedings import store
from services.proceedings.exhibiting import Exhibits, evidence_of, gathered
from services.proceedings.pieces import COLUMNS, printed, text_of
from tenants.law.kinds.proceedings import Process

FORMAT = "praca/case/1"
GONE = (
    "Peça inutilizada em {}, findo o prazo de guarda. Restam o seu lugar nos autos, o seu hash (SHA-256) e o elo que a "
    "liga às demais; a inutilização é ato registrado e selado."
)
WORDS = {"upheld": "mantida", "dismissed": "afastada"}


@dataclass(frozen=True, slots=True)
class Exported:
    number: str
    head: str
    twin: str
    pdf_base64: str


async def export_case(tx: Reader, case_id: UUID) -> Exported:
    """Raises NotFound."""
    case = await store.case(tx, case_id)
    pieces = await store.pieces(tx, case_id)
    twin = await twin_of(tx, case, pieces)
    exhibits = await gathered(tx, pieces)
    paper = await _paper(tx, case, pieces, twin, exhibits)
    made = await asyncio.to_thread(pdf, "case", paper, tx.now, exhibits.pictures)
    return Exported(
        number=case.number,
        head=twin["head"],
        twin=json.dumps(twin, ensure_ascii=False, indent=1),
        pdf_base64=base64.b64encode(made).decode(),
    )


async def twin_of(tx: Reader, case: Row[Any], pieces: Sequence[Row[Any]]) -> dict[str, Any]:
    """All that the file says, in JSON's own types."""
    terms = await deadlines.of_subjects(tx, [("case", case.id)], tx.today)
    return {
        "format": FORMAT,
        "town": tx.town.name,
        "number": case.number,
        "process": case.process,
        "seenOn": case.seen_on.isoformat(),
        "openedOn": case.opened_on.isoformat(),
        "state": case.state,
        "disposed": _disposed(case),
        "exportedAt": tx.now.isoformat(),
        "parties": [{"role": each.role, "name": each.shown} for each in await store.parties(tx, case.id)],
        "charges": [_charge(each) for each in await store.charges(tx, case.id)],
        "deadlines": [
            {
                "kind": row.kind,
                "from": row.opened_on.isoformat(),
                "lastDay": row.last_day.isoformat(),
                "state": row.state,
            }
            for row in terms
        ],
        "pieces": [_piece(each) for each in pieces],
        "head": pieces[-1].chain,
    }


def _disposed(case: Row[Any]) -> dict[str, str] | None:
    """When and by which act the pieces were destroyed; what is said in the place of each."""
    if case.disposed_on is None:
        return None
    said = GONE.format(f"{case.disposed_on:%d/%m/%Y}")
    return {"on": case.disposed_on.isoformat(), "act": str(case.disposed_act), "message": said}


def _charge(charge: Any) -> dict[str, Any]:
    return {
        "infraction": charge.infraction,
        "title": charge.title,
        "outcome": charge.outcome,
        "finalOn": charge.final_on.isoformat() if charge.final_on else None,
    }


def _piece(piece: Row[Any]) -> dict[str, Any]:
    return {
        "seq": piece.seq,
        "kind": piece.kind,
        "title": piece.title,
        "restricted": piece.restricted,
        "filedOn": piece.filed_on.isoformat(),
        "late": piece.late,
        "page": piece.first_page,
        "pages": piece.pages,
        "evidence": evidence_of(piece),
        "content": piece.content,
        "sha256": piece.sha256,
        "previous": piece.previous,
        "chain": piece.chain,
    }


async def _paper(
    tx: Reader, case: Row[Any], pieces: Sequence[Row[Any]], twin: Mapping[str, Any], exhibits: Exhibits
) -> dict[str, Any]:
    """What the template lays out."""
    law = await tx.law(on=case.opened_on)
    process = law.get(Process, case.process)
    return {
        "town": f"{tx.town.name} — {tx.town.uf}",
        "title": f"Processo {case.number}",
        "process": process.title if process else case.process,
        "facts": [
            ["Fato em", f"{case.seen_on:%d/%m/%Y}"],
            ["Instaurado em", f"{case.opened_on:%d/%m/%Y}"],
            ["Arquivado em", f"{case.archived_on:%d/%m/%Y}" if case.archived_on else "—"],
            ["Impresso em", f"{local_day(tx.now, tx.town.zone):%d/%m/%Y}"],
        ],
        "parties": [party["name"] or "" for party in twin["parties"]],
        "charges": [_line(each) for each in await store.charges(tx, case.id)],
        "pieces": [_sheets(each, exhibits) for each in pieces],
        "head": twin["head"],
    }


def _line(charge: Any) -> list[str]:
    final = f"{charge.final_on:%d/%m/%Y}" if charge.final_on else "—"
    return [charge.infraction, charge.title, WORDS.get(charge.outcome or "", "—"), final]


def gone_of(piece: Row[Any]) -> str | None:
    """What stands in the place of a piece that was destroyed."""
    return None if piece.disposed_on is None else GONE.format(f"{piece.disposed_on:%d/%m/%Y}")


def _sheets(piece: Row[Any], exhibits: Exhibits) -> dict[str, Any]:
    """The lines of each page; of what was destroyed, as many pages as it had."""
    text = text_of(piece.content)
    if text is None:
        sheets = [textwrap.wrap(gone_of(piece) or "", COLUMNS), *[[""]] * (piece.pages - 1)]
    else:
        sheets = printed(text)
        sheets[0] = [*sheets[0], *exhibits.notes.get(piece.seq, ())]
    return {
        "seq": piece.seq,
        "page": piece.first_page,
        "filed": f"{piece.filed_on:%d/%m/%Y}",
        "title": piece.title,
        "sha256": piece.sha256,
        "chain": piece.chain,
        "sheets": sheets,
        "picture": exhibits.names.get(piece.seq),
    }
