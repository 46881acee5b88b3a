"""The words of a PDF that our templates made, in the order in which they stand: enough to say what a page says."""

import re
import zlib

OBJECT = re.compile(rb"(\d+) 0 obj\s*(<<.*?>>)\s*(?:stream\r?\n|endobj)", re.DOTALL)
MAPPED = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]+)>")
FONT = re.compile(rb"/(f\d+) (\d+) 0 R")
PLAIN = rb"(?:\\.|[^\\()])"
NESTED = rb"\((?:%s|\((?:%s|\(%s*\))*\))*\)" % (PLAIN, PLAIN, PLAIN)  # parentheses in pairs are not escaped
DRAWN = re.compile(rb"/(f\d+) [\d.]+ Tf|\(((?:%s|%s)*)\)|(\bET\b)" % (PLAIN, NESTED), re.DOTALL)
ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
SIGNS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def words_of(pdf: bytes) -> str:
    """Each text on its own, with single spaces between."""
    streams = {int(found[1]): _stream(pdf, found) for found in OBJECT.finditer(pdf)}
    pages = re.findall(rb"/Type/Page/Resources (\d+) 0 R.*?/Contents (\d+) 0 R", pdf, re.DOTALL)
    return " ".join(" ".join(_words(streams[int(at)], _fonts(pdf, of, streams)) for of, at in pages).split())


def _fonts(pdf: bytes, resources: bytes, streams: dict[int, bytes]) -> dict[bytes, dict[int, str]]:
    """The letters of each font of a page, whose names are its own."""
    fonts = {}
    for name, number in FONT.findall(_text(pdf, resources)):
        table = re.search(rb"/ToUnicode (\d+) 0 R", _text(pdf, number))
        fonts[name] = _letters(streams[int(table[1])]) if table else {}
    return fonts


def _text(pdf: bytes, number: bytes) -> bytes:
    found = re.search(rb"\n%s 0 obj(.*?)endobj" % number, pdf, re.DOTALL)
    return found[1] if found else b""


def _words(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    said, letters = [], dict[int, str]()
    for font, text, end in DRAWN.findall(content):
        if font:
            letters = fonts[font]
        elif end:
            said.append(" ")
        else:
            raw = ESCAPED.sub(_unescaped, text)
            said += [letters.get(int.from_bytes(raw[at : at + 2]), "") for at in range(0, len(raw), 2)]
    return "".join(said)


def _unescaped(found: re.Match[bytes]) -> bytes:
    sign = found[1]
    return bytes([int(sign, 8)]) if sign.isdigit() else SIGNS.get(sign, sign)


def _letters(table: bytes) -> dict[int, str]:
    return {int(code, 16): bytes.fromhex(text.decode()).decode("utf-16-be") for code, text in MAPPED.findall(table)}


def _stream(pdf: bytes, found: re.Match[bytes]) -> bytes:
    length = re.search(rb"/Length (\d+)", found[2])
    if length is None or b"FlateDecode" not in found[2]:
        return b""
    return zlib.decompress(pdf[found.end() : found.end() + int(length[1])])
