"""Printing: a template of the house and data as JSON become pages. The data never enters the template's source."""

import json
import threading
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from typst import Compiler, Fonts

from services.acts.body import simple

TEMPLATES = Path(__file__).parent / "templates"
_turn = threading.Lock()  # one compiler for the process: making it anew costs more than a page


@cache
def _compiler() -> Compiler:
    """With the fonts of our own wheel only: the same paper on every machine."""
    with as_file(files("font_source_sans_pro") / "files") as folder:
        fonts = Fonts(include_system_fonts=False, font_paths=[str(folder)])
    return Compiler(root=str(TEMPLATES), font_paths=fonts, ignore_system_fonts=True)


def pdf(template: str, data: Mapping[str, Any], at: datetime) -> bytes:
    """The pages of a template with these data, dated at a moment. Raises RuntimeError for a fault of the template."""
    made = _compiled(template, data, "pdf", at)
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file")
    return made


def _compiled(template: str, data: Mapping[str, Any], form: Any, at: datetime) -> bytes | list[bytes] | None:
    given = {"data": json.dumps(simple(data), ensure_ascii=False)}
    with _turn:
        source = TEMPLATES / f"{template}.typ"
        return _compiler().compile(input=str(source), format=form, sys_inputs=given, timestamp=int(at.timestamp()))
