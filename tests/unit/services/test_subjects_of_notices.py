"""Whatever the code opens a term on, or writes a notice of, is a kind of subject that has people."""

import ast
from collections.abc import Iterator
from pathlib import Path

import services
from services.notices.texts import FOLDER, SUBJECTS, house
from tenants.law.events import EVENTS
from tenants.law.receivers import OFFICE, PEOPLE, POWERS, WORDS
from tenants.law.wording import examples, faults, fill

SERVICES = Path(services.__file__).parent
MAKES = {"NewDeadline", "NewNotice", "open_", "open_started", "new_deadline", "succeed", "_open"}
THROUGH = {"paper": "holder", "call": "permit"}  # whose terms run on whom the paper, or the summons, is of


def constants(tree: ast.Module) -> dict[str, str]:
    """The module's own words: NODE = "fine"; CALL, PUBLISHED = "selection", "published"."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = value.elts if isinstance(value, ast.Tuple) else [value]
            for name, said in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and isinstance(said, ast.Constant) and isinstance(said.value, str):
                    found[name.id] = said.value
    return found


def imported(tree: ast.Module) -> dict[str, str]:
    """Words of other modules of ours."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("services."):
            path = SERVICES.parent / Path(*str(node.module).split(".")).with_suffix(".py")
            theirs = constants(ast.parse(path.read_text(encoding="utf-8"))) if path.exists() else {}
            found |= {name.asname or name.name: theirs[name.name] for name in node.names if name.name in theirs}
    return found


def kinds_in(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = imported(tree) | constants(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for keyword in node.keywords if name in MAKES else ():
            said = keyword.value
            if keyword.arg == "subject" and isinstance(said, ast.Tuple):
                said = said.elts[0]
            elif keyword.arg != "subject_kind":
                continue
            for each in (said.body, said.orelse) if isinstance(said, ast.IfExp) else (said,):
                if isinstance(each, ast.Constant):
                    yield str(each.value)
                elif isinstance(each, ast.Name) and each.id in known:
                    yield known[each.id]


def test_every_kind_that_terms_and_notices_are_of_has_people() -> None:
    found = {kind for path in SERVICES.rglob("*.py") for kind in kinds_in(path)}

    assert {"permit", "licence", "vehicle", "driver", "fine", "case", "complaint", "candidate"} <= found
    assert not found - set(PEOPLE)


def test_every_subject_of_a_law_s_term_has_people() -> None:
    assert not {THROUGH.get(kind, kind) for kind in EVENTS} - set(PEOPLE)


def test_every_kind_is_called_something_and_seen_to_by_a_power_that_there_is() -> None:
    assert set(PEOPLE) <= set(SUBJECTS)
    assert set(POWERS) <= set(PEOPLE)
    assert OFFICE not in WORDS


def test_the_house_s_words_are_of_the_language_that_towns_write_in() -> None:
    files = [path.stem for path in FOLDER.glob("*.txt")]

    assert len(files) > 5
    for name in files:
        words = house(name)
        assert faults(words) == {}, name
        assert fill(words, examples()).body, name
