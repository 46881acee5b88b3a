"""Alerts and dashboard: whole, and of nothing but what the program shows."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from api.watching import PoolUse
from deploy.embedded.place import ROOT
from services import metrics
from services.database import Database
from services.watching.numbers import look, shown

FOLDER = ROOT / "deploy" / "observability"
ALERTS: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"] for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text())
METRIC = re.compile(r"\bpraca_\w+")
SELECTOR = re.compile(r"\bpraca_\w+(?:\{(?P<matchers>[^}]*)\})?")
GROUPED = re.compile(r"\bby \((?P<labels>[^)]*)\)")
FUNCTIONS = {"absent", "by", "histogram_quantile", "increase", "max", "min", "rate", "sum", "time", "and"}
ADDED = {"instance", "le"}  # by Prometheus itself
NEEDED = {"TownNightFailed", "NoticesStuck", "BeatSilent", "SealLate"}


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in ALERTS)
    yield from (target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])


@pytest.fixture
async def exposed(database: Database) -> dict[str, set[str]]:
    """Every metric that a process shows, by the names of its samples, with its labels."""
    collectors = metrics.REGISTRY._names_to_collectors
    kept = [(family, collectors[family.name]) for family in metrics.REGISTRY.collect()]
    looked = [(family, family) for family in (*shown(await look(database)), *PoolUse(database).collect())]
    found: dict[str, set[str]] = {"praca_register_read": set()}
    labelled: Any
    for family, labelled in (*kept, *looked):
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
        found |= {family.name + suffix: set(labelled._labelnames) for suffix in suffixes}
    return found


async def test_every_metric_that_is_named_is_shown(exposed: dict[str, set[str]]) -> None:
    named = {name for expression in expressions() for name in METRIC.findall(expression)}

    assert named - exposed.keys() == set()


async def test_every_metric_that_is_shown_is_looked_at(exposed: dict[str, set[str]]) -> None:
    named = {name for expression in expressions() for name in METRIC.findall(expression)}
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in exposed}

    assert families - {re.sub(r"_(bucket|sum|count)$", "", name) for name in named} == set()


async def test_every_label_that_is_asked_for_is_one_of_the_metric(exposed: dict[str, set[str]]) -> None:
    for expression in expressions():
        labels = {label for name in METRIC.findall(expression) for label in exposed[name]} | ADDED
        grouped = {each.strip() for found in GROUPED.finditer(expression) for each in found["labels"].split(",")}
        matched = {
            re.split(r"[=!~]", matcher)[0].strip()
            for found in SELECTOR.finditer(expression)
            for matcher in (found["matchers"] or "").split(",")
            if matcher
        }

        assert (grouped | matched) - labels == set(), expression


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_an_expression_is_whole(expression: str) -> None:
    """Brackets close, and only functions that Prometheus has are called."""
    plain = re.sub(r'"[^"]*"', '""', expression)
    called = set(re.findall(r"\b([a-z_]+)\s*\(", plain))

    assert all(plain.count(left) == plain.count(right) for left, right in ("()", "[]", "{}"))
    assert called <= FUNCTIONS


def test_every_alert_says_what_it_means() -> None:
    names = [rule["alert"] for rule in ALERTS]

    assert len(set(names)) == len(names)
    assert set(names) >= NEEDED
    for rule in ALERTS:
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"].endswith((".", "?", "(jobs)."))


def test_the_operating_manual_names_every_alert() -> None:
    manual = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")

    assert {rule["alert"] for rule in ALERTS} <= set(re.findall(r"`(\w+)`", manual))


def test_every_panel_has_its_place_and_its_question() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]

    assert len(set(ids)) == len(ids)
    assert len(set(places)) == len(places)
    assert all(panel["targets"] and panel["title"] for panel in DASHBOARD["panels"])


def test_the_example_reads_these_rules() -> None:
    example = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())

    assert all((FOLDER / name).exists() for name in example["rule_files"])
