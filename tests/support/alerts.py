"""The alerts of deploy/observability, read as Prometheus would read them at one moment: those that look at the most of
a metric by a label, and whether that is above a number.
"""

import re
from collections.abc import Iterable
from typing import Any

import yaml

from deploy.embedded.place import ROOT

FILE = ROOT / "deploy" / "observability" / "alerts.yaml"
MOST = re.compile(
    r"max by \((?P<label>\w+)\) \((?P<metric>\w+)\{(?P<matchers>[^}]*)\}\) > (?P<above>\d+(?:\.\d+)?)",
)
SAMPLE = re.compile(r"^(?P<name>\w+)(?:\{(?P<labels>.*)\})? (?P<value>\S+)$", re.MULTILINE)
LABEL = re.compile(r'(\w+)="([^"]*)"')


def expression(alert: str) -> str:
    groups: list[dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["groups"]
    (found,) = [str(rule["expr"]) for group in groups for rule in group["rules"] if rule.get("alert") == alert]
    return found


def raised(alert: str, expositions: Iterable[str]) -> set[str]:
    """For which values of its label an alert is raised by what processes show. Raises ValueError for another form."""
    read = MOST.fullmatch(expression(alert))
    if read is None:
        raise ValueError(f"{alert} asks in another form: {expression(alert)}")
    wanted = dict(LABEL.findall(read["matchers"]))
    most: dict[str, float] = {}
    for sample in SAMPLE.finditer("\n".join(expositions)):
        labels = dict(LABEL.findall(sample["labels"] or ""))
        if sample["name"] == read["metric"] and wanted.items() <= labels.items():
            value = labels[read["label"]]
            most[value] = max(most.get(value, float("-inf")), float(sample["value"]))
    return {value for value, at_most in most.items() if at_most > float(read["above"])}
