"""Filling words in. Whatever the check should let through reaches nothing here either."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, filters, tests
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tenants.law.wording.language import FILTERS, OF_LOOP, TESTS, Fault, forbidden, parsed

LONGEST = {"subject": 300, "body": 30_000, "html": 120_000}  # law-free: letters of what is sent


@dataclass(frozen=True, slots=True)
class Words:
    """`html`: the town's own; without it one is made of the plain text."""

    subject: str
    body: str
    html: str | None = None


@dataclass(frozen=True, slots=True)
class Filled:
    """A notice's words with its fields. The subject is one line."""

    subject: str
    body: str
    html: str | None


class TooLong(TemplateError):
    """What comes out is longer than a notice may be."""


class Sandbox(ImmutableSandboxedEnvironment):
    """No globals, the filters and tests of the language alone, no attribute of anything, no call."""

    def __init__(self, *, escapes: bool) -> None:
        super().__init__(autoescape=escapes, undefined=StrictUndefined)
        self.globals.clear()
        self.filters = {name: filters.FILTERS[name] for name in FILTERS}
        self.tests = {name: tests.TESTS[name] for name in TESTS}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return isinstance(obj, LoopContext) and attr in OF_LOOP

    def is_safe_callable(self, obj: Any) -> bool:
        return False


PLAIN, ESCAPING = Sandbox(escapes=False), Sandbox(escapes=True)


def environment(part: str) -> Sandbox:
    return ESCAPING if part == "html" else PLAIN


def fill(words: Words, fields: Mapping[str, Any]) -> Filled:
    """Raises jinja2's TemplateError for words that cannot be filled, or that grow too long."""
    return Filled(
        subject=" ".join(filled("subject", words.subject, fields).split()),
        body=filled("body", words.body, fields),
        html=None if words.html is None else filled("html", words.html, fields),
    )


def sound(part: str, source: str) -> bool:
    """Whether it is of the language: also what was published before it was asked."""
    tree = parsed(environment(part), source)
    return not isinstance(tree, Fault) and not any(forbidden(tree, source))


@lru_cache(maxsize=500)  # law-free: texts remembered, of the towns whose turn it is
def compiled(part: str, source: str) -> Template:
    """Raises jinja2's TemplateError for what is not of the language."""
    if not sound(part, source):
        raise TemplateError(f"the {part} is not of the language of notices")
    return environment(part).from_string(source)


def filled(part: str, source: str, fields: Mapping[str, Any]) -> str:
    made: list[str] = []
    left = LONGEST[part]
    try:
        for piece in compiled(part, source).generate(fields):
            left -= len(piece)
            if left < 0:
                raise TooLong(f"longer than {LONGEST[part]} letters")
            made.append(piece)
    except (SyntaxError, RecursionError, TypeError, ValueError) as error:  # of the text made of it, or of its filters
        raise TemplateError(str(error)) from error
    return "".join(made)
