"""Documents: read, validated and measured once, then found by their hash. In production only those we know."""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphql import DocumentNode, GraphQLError, GraphQLSchema, GraphQLSyntaxError, parse, specified_rules, validate
from graphql.validation import NoSchemaIntrospectionCustomRule

from api.limits import excesses
from services.settings import Settings

OPERATIONS = Path(__file__).parents[1] / "operations"
PREFIX = "sha256:"


@dataclass(slots=True)
class Document:
    """`errors` are those of the text itself; a document without any has `ast`. `plans`: how its results are made.

    `name`: of a trusted one, its path: `clerk/permits`.
    """

    text: str
    ast: DocumentNode | None = None
    errors: list[GraphQLError] = field(default_factory=list)
    plans: dict[Any, Any] = field(default_factory=dict)
    name: str | None = None


class NotTrusted(GraphQLError):
    def __init__(self) -> None:
        super().__init__("Documento desconhecido.", extensions={"code": "PERSISTED_QUERY_NOT_FOUND"})


class Documents:
    """Trusted ones stay; of others, the most recently used."""

    def __init__(self, schema: GraphQLSchema, settings: Settings, folder: Path = OPERATIONS) -> None:
        self._schema, self._settings = schema, settings
        self._trusted: Mapping[str, str] = {hash_of(text): text for text in trusted(folder).values()}
        self._names: Mapping[str, str] = {hash_of(text): name for name, text in trusted(folder).items()}
        self._trusted_read: dict[str, Document] = {}
        self._others: OrderedDict[str, Document] = OrderedDict()

    def find(self, text: str | None, digest: str | None) -> Document:
        """The document of a text, of a hash, or of both when they agree.

        Raises:
            GraphQLError: NotTrusted, or text and hash differ, or neither is given.
        """
        if text is None and digest is None:
            raise GraphQLError("A requisição não traz documento.", extensions={"code": "NO_DOCUMENT"})
        actual = digest.removeprefix(PREFIX) if text is None and digest is not None else hash_of(text or "")
        if text is not None and digest is not None and digest.removeprefix(PREFIX) != actual:
            raise GraphQLError("O hash não é o deste documento.", extensions={"code": "HASH_MISMATCH"})
        if actual in self._trusted:
            if actual not in self._trusted_read:
                self._trusted_read[actual] = self._read(self._trusted[actual], name=self._names[actual])
            return self._trusted_read[actual]
        return self._other(text, actual)

    def _other(self, text: str | None, digest: str) -> Document:
        if not self._settings.explorable:
            raise NotTrusted
        if digest in self._others:
            self._others.move_to_end(digest)
        elif text is None:
            raise NotTrusted
        else:
            self._others[digest] = self._read(text)
            while len(self._others) > self._settings.documents_kept:
                self._others.popitem(last=False)
        return self._others[digest]

    def _read(self, text: str, name: str | None = None) -> Document:
        """A document that is not trusted is measured before it is read whole."""
        most = self._settings.query_most_tokens if name is None else None
        try:
            ast = parse(text, no_location=False, max_tokens=most)
        except GraphQLSyntaxError as error:
            return Document(text, errors=[error], name=name)
        except RecursionError:
            too_much = GraphQLError("Consulta grande demais.", extensions={"code": "TOO_MUCH"})
            return Document(text, errors=[too_much], name=name)
        rules = specified_rules if self._settings.explorable else (*specified_rules, NoSchemaIntrospectionCustomRule)
        errors = validate(self._schema, ast, rules)
        if not errors:
            errors = excesses(self._schema, ast, self._settings)
        return Document(text, ast=None if errors else ast, errors=errors, name=name)


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def trusted(folder: Path = OPERATIONS) -> dict[str, str]:
    """Each document of the front ends by its name, the path below the folder without suffix."""
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.graphql"))
    }
