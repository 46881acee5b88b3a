"""What the documents say is so: their verbs, links, tables and queries, and the tour's answers."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from graphql import parse, validate
from pydantic import BaseModel

from api.schema import schema
from deploy.cli import law as law_verbs
from deploy.cli.main import VERBS
from services.access import operator
from services.database import Database
from services.municipalities.publishing import check_text
from services.settings import Settings
from tenants.law.citation import Citation
from tenants.law.kinds.registry import KINDS
from tenants.law.loader import load, read
from tenants.law.quantity import literal, parse_literal
from tenants.law.rule import Demand, Item, Rule
from tests.contract.model_tables import said
from tests.contract.reference import DOCS, MARKS, PORTUGUESE, ROOT, SECTIONS, base_of, inner_tables, written
from tests.support.factories import make_town
from tests.support.web import Edge, edge

DOCUMENTS = [ROOT / name for name in ("README.md", "DECISIONS.md", "CONTRIBUTING.md")] + sorted(DOCS.glob("*.md"))
PACK = DOCS / "ribeirao-do-exemplo.toml"
REFERENCE = (DOCS / "law-pack.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[a-z]*)\n(?P<text>.*?)^ *```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
RUN = re.compile(
    r"<!-- run: (?P<town>\S+)(?: (?P<subject>\S+))? -->\n```graphql\n(?P<query>.*?)```\n\n```json\n(?P<answer>.*?)```",
    re.DOTALL,
)


class Block(NamedTuple):
    document: Path
    text: str


def blocks(language: str) -> list[Block]:
    return [
        Block(path, found["text"])
        for path in DOCUMENTS
        for found in FENCE.finditer(path.read_text(encoding="utf-8"))
        if found["language"] == language
    ]


def anchors(markdown: str) -> set[str]:
    """As GitHub makes them of headings: lower case, signs taken off, spaces as hyphens."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", markdown), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    broken = []
    for target in (found["target"] for found in LINK.finditer(FENCE.sub("", text))):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            broken.append(target)

    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_every_verb_that_is_named_exists(path: Path) -> None:
    named = re.findall(r"\./praca ([a-z-]+)(?: ([a-z]+))?", path.read_text(encoding="utf-8"))

    assert [verb for verb, _ in named if verb not in VERBS] == []
    assert [inner for verb, inner in named if verb == "law" and inner not in law_verbs.VERBS] == []


def test_the_readme_names_every_verb() -> None:
    table = README.partition("## Verbs")[2].partition("##")[0]
    wanted = {f"./praca {verb}" for verb in VERBS if verb != "law"} | {
        f"./praca law {verb}" for verb in law_verbs.VERBS
    }

    assert {
        f"./praca {name}" for name in re.findall(r"^\| `\./praca (law [a-z]+|[a-z-]+)", table, re.MULTILINE)
    } == wanted


def test_the_commands_of_the_readme_are_those_of_the_pipeline() -> None:
    """The test command that the README gives is the one that is run for every change; Python's age is checked."""
    oldest = re.search(r"OLDEST = \((\d+), (\d+)\)", (ROOT / "praca").read_text(encoding="utf-8"))

    assert oldest is not None
    assert f"Python {oldest[1]}.{oldest[2]} or newer" in README
    assert "apt-get install python3 python3-venv ca-certificates" in README
    assert "./praca test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert all(command in README for command in ("./praca run", "./praca test"))


def test_every_room_is_in_the_readme() -> None:
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"tmp"}
    named = {target.partition("/")[0] for target in LINK.findall(README.partition("## Rooms")[2].partition("\n## ")[0])}

    assert {room for room in rooms if any((ROOT / room).rglob("*.*"))} <= named


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda p: p.name)
def test_what_the_code_says_itself_is_as_the_code_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert written(text) == text, "write it anew: .venv/bin/python -m tests.contract.reference"


def test_each_part_that_the_code_says_stands_in_some_document() -> None:
    marked = [found["name"] for path in DOCS.glob("*.md") for found in MARKS.finditer(path.read_text(encoding="utf-8"))]

    assert sorted(marked) == sorted(SECTIONS)


def test_the_settings_table_is_the_settings() -> None:
    """Read apart from what writes it: names and defaults."""
    table = (DOCS / "operating.md").read_text(encoding="utf-8").partition("## Settings")[2]
    rows = re.findall(r"^\| `PRACA_([A-Z_]+)` \| [^|]+ \| ([^|]+) \|", table, re.MULTILINE)

    assert [name.lower() for name, _ in rows] == list(Settings.model_fields)
    for name, default in rows:
        assert ("required" in default) == Settings.model_fields[name.lower()].is_required(), name


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_names_every_kind_and_key(kind: str) -> None:
    """Under the kind's own heading, or among those of every item or rule."""
    shared = REFERENCE.partition("<!-- begin: common -->")[2].partition("<!-- end: common -->")[0]
    heading = re.search(rf"^### `\[+{kind}\]+` \({re.escape(PORTUGUESE[kind])}\)$", REFERENCE, re.MULTILINE)

    assert heading is not None
    section = REFERENCE[heading.end() :].partition("\n### ")[0]
    inherited = set(base_of(KINDS[kind]).model_fields)
    for name, field in KINDS[kind].model_fields.items():
        key = f"| `{field.alias or name}` |"
        assert key in (shared if name in inherited else section), key


def test_every_inner_table_is_linked_and_told() -> None:
    for model in inner_tables():
        assert f"(#{model.__name__.lower()})" in REFERENCE
        assert f"\n### {model.__name__}\n" in REFERENCE


def test_the_keys_that_hold_conditions_are_those_that_the_reference_lists() -> None:
    models: list[type[BaseModel]] = [Item, Rule, Demand, *KINDS.values(), *inner_tables()]
    found = {
        field.alias or name
        for model in models
        for name, field in model.model_fields.items()
        if "condition" in said(field.annotation)
    }
    listed = re.search(r"Only (.+?) hold\s+expressions", REFERENCE)

    assert listed is not None
    assert set(re.findall(r"`([a-z_]+)`", listed[1])) == found


def test_each_literal_of_the_reference_is_one() -> None:
    table = REFERENCE.partition("## Literals")[2].partition("## Articles")[0]
    texts = [
        text for cell in re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE) for text in re.findall(r"`([^`]+)`", cell)
    ]

    assert len(texts) > len("a few")
    for text in texts:
        bare = text.strip('"')
        assert literal(parse_literal(bare)) == bare


def test_each_article_of_the_reference_is_read_so() -> None:
    table = REFERENCE.partition("## Articles")[2].partition("## Values")[0]
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \|(?: `([^`]+)`)? \|$", table, re.MULTILINE)

    assert len(rows) > len("some")
    for text, fragment in rows:
        citation = Citation.parse(text, "Lei 1/2000")
        assert text.endswith(str(citation.device))
        assert not fragment or (citation.device is not None and citation.device.fragment == fragment)


def test_each_fragment_of_a_pack_reads_as_law() -> None:
    """Beside the pack of a town that ships, whose norms, lists and offices it names."""
    base = load((ROOT / "tenants/municipalities/barra-do-garcas.toml").read_text(encoding="utf-8")).items
    fragments = blocks("toml")

    assert fragments
    for fragment in fragments:
        assert read(fragment.text, base=base)[1]


def test_the_small_pack_is_in_order_and_its_misspelling_is_told_as_the_readme_tells_it() -> None:
    text = PACK.read_text(encoding="utf-8")
    (problem,) = check_text(text.replace("driver.cnh.ear ", "driver.cnh.era ")).problems

    assert check_text(text).problems == ()
    assert re.sub(r"\s+", " ", f"ribeirao.toml:{problem}") in re.sub(r"\s+", " ", README)


@pytest.mark.parametrize("block", blocks("graphql"), ids=lambda b: f"{b.document.name} {b.text.split()[0]}")
def test_each_query_is_one_of_the_schema(block: Block) -> None:
    assert validate(schema._schema, parse(block.text)) == []


def test_each_field_that_a_text_names_with_arguments_or_selection_is_there() -> None:
    """Queries in a line of prose: ``law { parameters { code } }``."""
    inline = [text for path in DOCUMENTS for text in re.findall(r"`(law \{[^`]+\})`", path.read_text(encoding="utf-8"))]

    assert inline
    for text in inline:
        assert validate(schema._schema, parse(f"{{ {text} }}")) == []


@pytest.fixture
async def web(own_database: Database, tmp_path: Path) -> AsyncIterator[Edge]:
    for slug in ("cotriguacu", "barra-do-garcas"):
        await make_town(own_database, slug)
    async with edge(own_database, tmp_path) as made:
        yield made


async def test_the_tour_s_answers_are_what_is_answered(web: Edge) -> None:
    """In its order, since a step changes what the next is answered."""
    steps = list(RUN.finditer(README))

    assert len(steps) == README.count("<!-- run: ")
    for step in steps:
        token = web.token(step["subject"], town=step["town"]) if step["subject"] else None
        answer = await web.ask(step["query"], token=token, path=f"/t/{step['town']}/graphql")
        assert answer == json.loads(step["answer"]), step["query"]


def test_the_tour_s_other_answers_are_json() -> None:
    assert all(isinstance(json.loads(block.text), dict) for block in blocks("json"))


def test_the_first_operator_may_do_what_the_documents_say() -> None:
    root: Any = operator("root")

    assert all(root.may(power) for power in ("onboard", "appoint", "publish"))
