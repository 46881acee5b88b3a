"""Printing: a template of the house and data as JSON become pages. The data never enters the template's source."""

import json
import struct
import threading
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from typst import Compiler, Fonts

from services.acts.body import simple
from services.clock import moment_of

TEMPLATES = Path(__file__).parent / "templates"
PNG, SIZE, SIZE_AT = b"\x89PNG\r\n\x1a\n", struct.Struct(">II"), 16  # law-free: where a PNG says its size
_turn = threading.Lock()  # one compiler for the process: making it anew costs more than a page


@cache
def _compiler() -> Compiler:
    """With the fonts of our own wheel only: the same paper on every machine."""
    with as_file(files("font_source_sans_pro") / "files") as folder:
        fonts = Fonts(include_system_fonts=False, font_paths=[str(folder)])
    return Compiler(root=str(TEMPLATES), font_paths=fonts, ignore_system_fonts=True)


def pdf(template: str, data: Mapping[str, Any], at: datetime, pictures: Mapping[str, bytes] | None = None) -> bytes:
    """The pages of a template with these data, dated at a moment. Raises RuntimeError for a fault of the template.

    Args:
        pictures: Files that the template shows, by the names that the data give them, if they ``can_be_shown``.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, content in (pictures or {}).items():
            (root / name).write_bytes(content)
        made = _compiled((TEMPLATES / f"{template}.typ").read_text(encoding="utf-8"), data, root, at)
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file")
    return made


def can_be_shown(content: bytes, name: str, most_pixels: int) -> bool:
    """Whether it is a picture that a page can show: what only looks like one spoils no file."""
    if content.startswith(PNG) and _pixels(content) > most_pixels:
        return False
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / name).write_bytes(content)
        try:
            _compiled(f'#image("{name}", width: 1cm)', {}, root, moment_of(0))
        except RuntimeError:
            return False
    return True


def _pixels(png: bytes) -> int:
    """As its header says: width and height follow the name of the first part."""
    width, height = SIZE.unpack_from(png.ljust(SIZE_AT + SIZE.size, b"\0"), SIZE_AT)
    return int(width) * int(height)


def _compiled(source: str, data: Mapping[str, Any], root: Path, at: datetime) -> bytes | list[bytes] | None:
    given = {"data": json.dumps(simple(data), ensure_ascii=False)}
    main = root / "main.typ"
    main.write_text(source, encoding="utf-8")
    with _turn:
        return _compiler().compile(
            input=str(main), format="pdf", sys_inputs=given, root=str(root), timestamp=int(at.timestamp())
        )
