"""The linter: one malformed fragment for each rule, and the same fragment mended."""

from pathlib import Path

import pytest

from deploy.cli.main import main
from tenants.law.lint import lint
from tenants.law.loader import located, read
from tenants.law.pack import Problem
from tests.support.law import TOWN
from tests.unit.law.malformed import BAD, OFFICE, READING, TWO, USED, Bad

ROOT = Path(__file__).resolve().parents[3]
FIRST_LINE = TOWN.count("\n")  # of a fragment


def problems(fragment: str, *, base: str = "") -> list[Problem]:
    """What the linter finds in a fragment below a town, or in an amendment to ``base`` below it."""
    if base:
        _, older = read(TOWN + base)
        raws, items = read(fragment, base=older, norm="Lei 1/2000")
        return located(fragment, lint(items, raws, base=older))
    raws, items = read(TOWN + fragment)
    return located(TOWN + fragment, lint(items, raws))


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_malformed_fragment_is_told_where_it_stands_and_how_to_mend_it(bad: Bad) -> None:
    found = [problem for problem in problems(bad.text) if bad.says in problem.message]

    assert len({problem.message for problem in found}) == 1, [str(p) for p in problems(bad.text)]
    assert found[0].severity == bad.severity
    assert found[0].line is not None
    assert found[0].line > FIRST_LINE
    assert found[0].hint
    assert bad.hint in found[0].hint


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_the_same_fragment_mended_is_in_order(bad: Bad) -> None:
    old, new = bad.mend
    assert old in bad.text

    left = [problem for problem in problems(bad.text.replace(old, new, 1)) if bad.says in problem.message]

    assert left == []


def test_the_place_is_that_of_the_very_code() -> None:
    text = '[[quota]]\nrows = [\n  { code = "q", cite = "art. 2", value = 3, applies = { category = "tuktuk" } },\n]'

    (problem,) = problems(text)

    assert (problem.line, problem.column) == (FIRST_LINE + 3, text.splitlines()[2].index('"tuktuk"') + 1)


def test_an_amendment_may_name_what_the_law_has() -> None:
    law = OFFICE + READING + USED
    change = '[[quota]]\nrows = [{ code = "q", cite = "art. 9", value = { reading = "r", a = 1, b = 2 } }]'

    assert problems(change, base=law) == []
    assert "there is no reading" in problems(change, base=OFFICE)[0].message


def test_an_amendment_that_reaches_over_a_later_version_is_told() -> None:
    law = '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", from = 2027-01-01, amount = "2 BRL" }]'
    change = '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", from = 2026-01-01, amount = "1 BRL" }]'

    (problem,) = problems(change, base=law)

    assert (problem.severity, problem.message) == (
        "warning",
        "fee 'f' covers the version in force from 2027-01-01",
    )


def test_an_amendment_may_end_a_rule_by_switching_it_off() -> None:
    law = '[[stand]]\nrows = [{ number = 1, place = "Praça", cite = "art. 2" }]'
    end = '[[stand]]\nrows = [{ number = 1, place = "Praça", cite = "art. 2", from = 2026-01-01, off = "yes" }]'

    assert problems(end, base=law) == []
    (problem,) = problems(end.replace("number = 1", "number = 2"), base=law)
    assert "switched off" in problem.message


def test_conducts_of_different_cases_do_not_clash() -> None:
    one, other = '{ code = "A", cite = "art. 5", title = "Um"', '{ code = "B", cite = "art. 6", title = "Outro"'
    text = TWO.replace(one, one.replace("Um", "Lotação") + ', applies = { category = "taxi" }')
    text = text.replace(other, other.replace("Outro", "Lotação") + ', applies = { category = "escolar" }')

    assert problems(text) == []
    assert len(problems(text.replace("escolar", "taxi"))) == 1


@pytest.mark.parametrize("pack", sorted((ROOT / "tenants/municipalities").glob("*.toml")), ids=lambda p: p.stem)
def test_the_founding_packs_have_no_errors(pack: Path) -> None:
    raws, items = read(pack.read_text(encoding="utf-8"))

    assert [str(problem) for problem in lint(items, raws) if problem.severity == "error"] == []


def test_the_verb_refuses_a_pack_with_errors_and_lists_the_warnings_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, doubtful = tmp_path / "bad.toml", tmp_path / "doubtful.toml"
    bad.write_text(TOWN + BAD["an unknown unit"].text, encoding="utf-8")
    doubtful.write_text(TOWN + BAD["stands that do not add up to the cap"].text, encoding="utf-8")

    with pytest.raises(SystemExit) as refused:
        main(["law", "check", str(bad)])
    code = main(["law", "check", str(doubtful)])

    said = capsys.readouterr()
    assert "1 error(s)" in str(refused.value.code)
    assert f"{bad}:{FIRST_LINE + 2}:" in said.err
    assert code == 0
    assert "under a cap of 47" in said.err
    assert "1 warning(s)" in said.out
