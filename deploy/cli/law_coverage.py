"""`./praca law coverage`: which demands on the system no rule of a town's pack yet answers."""

import argparse
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenants.law.coverage import Coverage, coverage
from tenants.law.loader import load

ROOT = Path(__file__).resolve().parents[2]
DEMANDS = ROOT / "tests" / "laws" / "requirements.csv"
PACKS = ROOT / "tenants" / "municipalities"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demands", type=Path, default=DEMANDS, help="a table: id, capability, a yes or no per town")
    parser.add_argument("--packs", type=Path, default=PACKS, help="the folder of the towns' packs")


def run(args: argparse.Namespace) -> int:
    rows = demands(args.demands)
    towns = [column for column in rows[0] if column not in ("id", "capability")] if rows else []
    found = {town: of_town(args.packs / f"{town}.toml", town, rows) for town in towns}
    for town, covered in found.items():
        show(town, covered, rows)
    return 1 if any(covered.uncovered for covered in found.values()) else 0


def demands(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def of_town(pack: Path, town: str, rows: Sequence[Mapping[str, str]]) -> Coverage:
    demanded = [row["id"] for row in rows if row[town] == "yes"]
    return coverage(load(pack.read_text(encoding="utf-8")).items, demanded, known=[row["id"] for row in rows])


def show(town: str, covered: Coverage, rows: Sequence[Mapping[str, str]]) -> None:
    demanded = sum(row[town] == "yes" for row in rows)
    print(f"{town}: {demanded - len(covered.uncovered)} of {demanded} demands are answered")
    titles = {row["id"]: row["capability"] for row in rows}
    for id in covered.uncovered:
        print(f"  {id:<4} no rule answers: {titles[id]}")
    for id in covered.unknown:
        print(f"  {id:<4} is no demand, and is said to be answered by: {', '.join(covered.answered[id])}")
