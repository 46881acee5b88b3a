"""What a file is by its own first bytes, whatever its sender calls it."""

import hashlib
from dataclasses import dataclass

import filetype

from services.errors import Invalid

TYPES = frozenset({"image/jpeg", "image/png", "image/webp", "application/pdf"})


@dataclass(frozen=True, slots=True)
class Looked:
    """Its type, its size in bytes, and its hash in hexadecimal."""

    media_type: str
    size: int
    sha256: str


def look(content: bytes, most_bytes: int) -> Looked:
    """Raises Invalid for what is too large, empty, or no photograph and no PDF."""
    if not content:
        raise Invalid("content", "empty", "O arquivo está vazio.")
    if len(content) > most_bytes:
        raise Invalid("content", "too_large", f"O arquivo passa de {most_bytes} bytes.")
    found = filetype.guess_mime(content)
    if found not in TYPES:
        raise Invalid("content", "type", "Envie fotografia (JPEG, PNG, WebP) ou PDF.")
    return Looked(found, len(content), hashlib.sha256(content).hexdigest())
