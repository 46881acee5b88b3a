"""Each founding pack answers what its law demands of the system."""

from pathlib import Path

import pytest

from deploy.cli import law_coverage
from deploy.cli.main import main
from tenants.law.coverage import coverage
from tenants.law.loader import load
from tests.support.law import TOWN

ROOT = Path(__file__).resolve().parents[3]
ROWS = law_coverage.demands(ROOT / "tests/laws/requirements.csv")
TOWNS = [column for column in ROWS[0] if column not in ("id", "capability")]
ONE_RULE = (
    TOWN + '[[stand]]\nrows = [{ number = 1, place = "Praça", slots = 2, cite = "art. 2", answers = ["A1", "Z9"] }]'
)


@pytest.mark.parametrize("town", TOWNS)
def test_every_demand_is_answered(town: str) -> None:
    found = law_coverage.of_town(ROOT / f"tenants/municipalities/{town}.toml", town, ROWS)

    assert found.uncovered == ()
    assert found.unknown == ()


def test_what_nothing_answers_is_named_in_order_and_what_nobody_demands_too() -> None:
    found = coverage(load(ONE_RULE).items, ["B2", "A1", "A2"])

    assert found.uncovered == ("B2", "A2")
    assert found.answered["A1"] == ("stand 1",)
    assert found.unknown == ("Z9",)


def test_an_id_that_another_town_is_asked_for_is_known() -> None:
    assert coverage(load(ONE_RULE).items, ["A1"], known=["Z9"]).unknown == ()


def test_the_verb_names_what_no_rule_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "vila-nova.toml").write_text(ONE_RULE, encoding="utf-8")
    table = tmp_path / "demands.csv"
    table.write_text("id,capability,vila-nova\nA1,Stands,yes\nB2,Tariffs,yes\nC3,Fees,no\n", encoding="utf-8")

    code = main(["law", "coverage", "--demands", str(table), "--packs", str(tmp_path)])

    said = capsys.readouterr().out
    assert code == 1
    assert "vila-nova: 1 of 2 demands are answered" in said
    assert "B2" in said
    assert "Tariffs" in said
    assert "C3" not in said
