"""What an operation asks of a value, so that a list loads just that: one statement for each relation.

wanted = Selection.of(info).under("edges", "node")
if "holder" in wanted: …                        # a plain relation
for use in wanted.uses("fines"):                # one with arguments: once for each alias
    rows = await fines_of(tx, ids, first=use.arguments["first"])
    for permit in permits: permit.related[use.key] = …
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLObjectType, GraphQLOutputType, get_named_type, is_abstract_type
from graphql.execution.collect_fields import FieldDetails
from graphql.execution.values import get_argument_values
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types import Info

from api.execution import Execution
from api.types.failures import camel

Related = dict[str, Any]


def page_of(root: Any, info: Info, first: int | None = None, after: str | None = None) -> Any:
    """The resolver of a relation in pages: the list's loader has put each under its name in the answer."""
    return root.related[info.path.key]


page_of.loaded = True  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Use:
    """One place in which a field is asked for: `key` is its name in the answer, its alias if it has one."""

    key: str
    arguments: Mapping[str, Any]
    wanted: "Selection"


@dataclass(frozen=True, slots=True)
class Selection:
    """Names of fields and arguments are Python's, not the schema's."""

    execution: Execution
    types: tuple[GraphQLObjectType, ...]
    details: list[FieldDetails]

    @classmethod
    def of(cls, info: Info) -> "Selection":
        """Of the field that is being resolved."""
        raw: Any = info._raw_info
        execution: Execution = raw.execution
        return cls._of(execution, raw.return_type, [FieldDetails(node, None) for node in raw.field_nodes])

    @classmethod
    def _of(cls, execution: Execution, declared: GraphQLOutputType, details: list[FieldDetails]) -> "Selection":
        named = get_named_type(declared)
        if is_abstract_type(named):
            return cls(execution, tuple(execution.schema.get_possible_types(named)), details)
        return cls(execution, (named,) if isinstance(named, GraphQLObjectType) else (), details)

    def __contains__(self, name: str) -> bool:
        return any(found == name for found, *_ in self._fields())

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, *_ in self._fields())

    def under(self, *path: str) -> "Selection":
        """What is asked below a field, or below fields inside one another; nothing where it is not asked for."""
        here = self
        for step in path:
            found = [(declared, details) for name, _, declared, details in here._fields() if name == step]
            if not found:
                return Selection(self.execution, (), [])
            here = self._of(self.execution, found[0][0].type, [each for _, details in found for each in details])
        return here

    def uses(self, name: str) -> Iterator[Use]:
        for found, key, field, details in self._fields():
            if found == name:
                yield Use(key, self._arguments(field, details), self._of(self.execution, field.type, details))

    def _fields(self) -> Iterator[tuple[str, str, Any, list[FieldDetails]]]:
        """Python's name, name in the answer, field, and its places in the document."""
        for declared in self.types:
            for key, details in self.execution.subfields(declared, self.details).items():
                field = declared.fields.get(details[0].node.name.value)
                if field is not None:  # `__typename` is none of ours
                    definition = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
                    yield definition.python_name, key, field, details

    def _arguments(self, field: Any, details: list[FieldDetails]) -> dict[str, Any]:
        given = get_argument_values(field, details[0].node, self.execution.variable_values)
        definition = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
        names = {self._spelt(argument): argument.python_name for argument in definition.arguments}
        return {names[name]: value for name, value in given.items()}

    def _spelt(self, argument: Any) -> str:
        return argument.graphql_name or camel(argument.python_name)
