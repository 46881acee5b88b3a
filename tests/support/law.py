"""Small laws for tests: fragments of a pack, read by the real loader, under a town of which nothing else is known."""

from collections.abc import Iterable, Sequence
from datetime import date

from tenants.law.book import Book, Published
from tenants.law.facts import Facts
from tenants.law.law import Law
from tenants.law.loader import load, read

TOWN = """
[municipality]
slug = "vila-nova"
name = "Vila Nova"
uf = "MT"
ibge = "5100000"
zone = "America/Cuiaba"
money = { round = "half-up", digits = 2 }
[[norm]]
label = "Lei 1/2000"
rank = "lei"
urn = "urn:lex:br;mato.grosso;vila.nova:municipal:lei:2000-01-01;1"
status = [{ is = "in_force", from = 2000-01-01 }]
[[category]]
rows = [{ code = "taxi", title = "Táxi", cite = "art. 1" }, { code = "escolar", title = "Escolar", cite = "art. 1" }]
"""
DAY = date(2026, 3, 10)


def published(
    text: str, *, seq: int = 1, official_on: date | None = None, label: str = "pack", pack: str = ""
) -> list[Published]:
    """The items of a whole pack, as if published together."""
    return [Published(seq, official_on, label, raw, pack) for raw in load(text).raws]


def book_of(
    text: str,
    amendments: Sequence[tuple[date, str]] = (),
    *,
    town: str = TOWN,
    above: Iterable[Published] = (),
) -> Book:
    """A town's book.

    Args:
        text: The fragment that stands below ``town`` in its pack.
        amendments: Official publication day and text of each later publication, in order of recording.
    """
    above = tuple(above)
    rows = published(town + text)
    for seq, (official_on, change) in enumerate(amendments, start=2):
        book = Book.of(rows, above=above)
        raws, _ = read(change, base=book.items(), norm=next(iter(book.own_norms)))
        rows += [Published(seq, official_on, f"amendment {seq}", raw) for raw in raws]
    return Book.of(rows, above=above)


def law_of(text: str, on: date = DAY, *, town: str = TOWN, known_at: date | None = None) -> Law:
    """The law of a day of the town whose pack ends with ``text``."""
    return book_of(text, town=town).on(on, known_at)


def facts_of(law: Law, **facts: object) -> Facts:
    """Facts by their codes, dots written as double underscores: ``vehicle__doors=2``."""
    return Facts.of({code.replace("__", "."): value for code, value in facts.items()}, law.vocabulary)
