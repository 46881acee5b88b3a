"""The statute book of a town: every version of every item it has ever published, in two times."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tenants.law.facts import Vocabulary
from tenants.law.kinds.basis import Municipality, NormItem, Parameter
from tenants.law.law import Law, Version
from tenants.law.pack import RawItem, loading_of, typed
from tenants.law.rule import Item


@dataclass(frozen=True, slots=True)
class Published:
    """A raw item beside the publication that brought it.

    ``official_on``: its official publication day; None for a pack's own history, whose items say it themselves.
    ``pack``: empty for the town's own law, else the name of the federal or state pack.
    """

    seq: int
    official_on: date | None
    label: str
    raw: RawItem
    pack: str = ""


class Book:
    """All versions, immutable: a publication makes a new book."""

    def __init__(self, versions: Iterable[Version]) -> None:
        self._by_kind: dict[str, dict[str, list[Version]]] = defaultdict(lambda: defaultdict(list))
        for version in versions:
            self._by_kind[version.item.kind][version.item.code].append(version)

    @classmethod
    def of(cls, published: Iterable[Published], *, above: Iterable[Published] = ()) -> "Book":
        """Type and order what was published; ``above`` are the federal and state packs that apply beside the town's.

        Raises:
            ValueError: A published item no longer reads as its kind; the message names it.
        """
        packs: dict[str, list[Published]] = {}
        for row in (*above, *published):
            packs.setdefault(row.pack, []).append(row)
        versions: list[Version] = []
        for rows in packs.values():
            versions += _versions(rows, [version.item for version in versions])
        return cls(versions)

    def on(self, day: date, known_at: date | None = None) -> Law:
        """The law of ``day`` as officially published by the end of ``known_at``; None: as known now."""
        return Law(self, day, known_at)

    def kinds(self) -> Iterable[str]:
        return self._by_kind.keys()

    def codes(self, kind: str) -> Iterable[str]:
        return self._by_kind[kind].keys() if kind in self._by_kind else ()

    def versions(self, kind: str, code: str) -> list[Version]:
        return self._by_kind[kind][code] if kind in self._by_kind and code in self._by_kind[kind] else []

    def items(self) -> Iterable[Item]:
        return (version.item for codes in self._by_kind.values() for several in codes.values() for version in several)

    @cached_property
    def own_norms(self) -> tuple[str, ...]:
        """The labels of the town's own norms, the first first: it is the one that a bare citation means."""
        versions = (v for several in self._by_kind[NormItem.kind].values() for v in several if not v.pack)
        ordered = sorted(versions, key=lambda version: version.seq)
        return tuple(dict.fromkeys(v.item.label for v in ordered if isinstance(v.item, NormItem)))

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Declared for all days: what is asked does not depend on what has been answered."""
        return {item.code: item for item in self.items() if isinstance(item, Parameter)}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return loading_of(self.items(), "").vocabulary

    @cached_property
    def town(self) -> Municipality:
        own = (v for several in self._by_kind["municipality"].values() for v in several if not v.pack)
        latest = max(own, key=lambda version: version.seq)
        if not isinstance(latest.item, Municipality):
            raise TypeError("the municipality table is not one")
        return latest.item


def _versions(rows: Sequence[Published], base: Sequence[Item]) -> list[Version]:
    """A pack's own first norm is what its bare citations mean; the packs above it lend their facts and lists."""
    first = next((str(row.raw.payload.get("label")) for row in rows if row.raw.kind == NormItem.kind), None)
    found, problems = typed([row.raw for row in rows], base=base, norm=first)
    if problems:
        raise ValueError("; ".join(str(problem) for problem in problems))
    by_raw = {id(raw): item for raw, item in found}
    return [_version(row, by_raw[id(row.raw)]) for row in rows]


def _version(row: Published, item: Item) -> Version:
    official_on = item.published or row.official_on
    return Version(item, row.seq, official_on, publication=row.label, pack=row.pack, payload=row.raw.payload)
