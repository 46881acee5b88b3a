"""Names that nobody bears."""

import tomllib
import unicodedata
from pathlib import Path
from random import Random

NAMES: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))


def person(chance: Random, *, woman: bool) -> str:
    given = chance.choice(NAMES["women" if woman else "men"])
    return f"{given} {' '.join(chance.sample(NAMES['surnames'], k=2))}"


def firm(chance: Random) -> str:
    return f"{' & '.join(chance.sample(NAMES['surnames'], k=2))} {chance.choice(NAMES['firms'])} Ltda."


def email(name: str, number: int) -> str:
    """At a domain reserved for examples: no letter ever leaves for a person."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "".join(sign if sign.isalnum() else " " for sign in ascii_only).split()
    return f"{'.'.join(words)}.{number}@example.org"
