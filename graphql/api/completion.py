"""Completing a value without asking graphql-core for each field.

Where every selected field below is a plain attribute, what becomes of a value depends on its class and on the classes
of its attributes alone. That is worked out once and kept with the document. Whatever does not fit raises `NotPlain`,
and the ordinary way takes over, which knows how to report it.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from graphql import (
    GraphQLLeafType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.execution.collect_fields import FieldDetails
from strawberry.schema.schema_converter import GraphQLCoreConverter

from api.types.scalars import SCALARS

Complete = Callable[[Any], Any]
Details = list[FieldDetails]
Subfields = Callable[[GraphQLObjectType, Details], Mapping[str, Details]]
AS_IT_IS = {"String": str, "ID": str, "Boolean": bool}
BEYOND_INT = 2**31  # law-free: GraphQL's Int has 32 bits
TYPENAME = "__typename"
DEFINITION = GraphQLCoreConverter.DEFINITION_BACKREF


class NotPlain(Exception):
    """The value, or its type, is not one that a plan can complete."""


class ByClass(dict[type, Complete | None]):
    """How values of one type of the schema are completed, by their Python class; None: they stay as they are."""

    def __init__(self, learn: Callable[[type], Complete | None]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, cls: type) -> Complete | None:
        found = self[cls] = self._learn(cls)
        return found

    def complete(self, value: Any) -> Any:
        how = self[type(value)]
        return value if how is None else how(value)


class Completions:
    """Makes plans for the selections of one document."""

    def __init__(self, schema: GraphQLSchema, subfields: Subfields) -> None:
        self._schema, self._subfields = schema, subfields

    def of(self, declared: GraphQLOutputType, details: Details) -> Complete | None:
        """How a value of this type is completed; None when a field below is more than an attribute."""
        try:
            return self._by_class(declared, details).complete
        except NotPlain:
            return None

    def _by_class(self, declared: GraphQLOutputType, details: Details) -> ByClass:
        if is_non_null_type(declared):
            inner = self._by_class(declared.of_type, details)

            def present(cls: type) -> Complete | None:
                return _refuse() if cls is type(None) else inner[cls]

            return ByClass(present)
        learn = self._learner(declared, details)
        return ByClass(lambda cls: None if cls is type(None) else learn(cls))

    def _learner(self, declared: GraphQLOutputType, details: Details) -> Callable[[type], Complete | None]:
        if is_leaf_type(declared):
            return _leaf(declared)
        if is_list_type(declared):
            return _list(self._by_class(declared.of_type, details))
        if is_abstract_type(declared):
            possible = {each.name: self._object(each, details) for each in self._schema.get_possible_types(declared)}

            def one_of(cls: type) -> Complete:
                definition = getattr(cls, "__strawberry_definition__", None)
                return possible.get(getattr(definition, "name", "")) or _refuse()

            return one_of
        if isinstance(declared, GraphQLObjectType):
            complete, classes = self._object(declared, details), _classes(declared)
            return lambda cls: complete if issubclass(cls, classes) else _refuse()
        raise NotPlain

    def _object(self, declared: GraphQLObjectType, details: Details) -> Complete:
        tables: dict[str, ByClass] = {}
        sources: list[str] = []
        for name, below in self._subfields(declared, details).items():
            field_name = below[0].node.name.value
            if field_name == TYPENAME:
                sources.append("__class__")
                tables[name] = ByClass(lambda _: lambda _value: declared.name)
                continue
            field = declared.fields[field_name]
            table = self._by_class(field.type, below)
            if is_loaded(field):
                sources.append("related")
                tables[name] = _loaded(table, name)
            else:
                sources.append(_attribute(field))
                tables[name] = table
        return _object_of(tuple(tables), sources, tuple(tables.values()))


def _classes(declared: GraphQLObjectType) -> tuple[type, ...]:
    """Those whose instances may stand for the type: its own, and the generic one that it is made of."""
    definition = declared.extensions.get(DEFINITION)
    if definition is None:
        raise NotPlain
    generic = definition.concrete_of
    return (definition.origin,) if generic is None else (definition.origin, generic.origin)


def is_loaded(field: Any) -> bool:
    """A relation with arguments, which the list's loader has put under `related` by its name in the answer."""
    definition = field.extensions.get(DEFINITION)
    resolver = None if definition is None else definition.base_resolver
    return resolver is not None and getattr(resolver.wrapped_func, "loaded", False)


def _loaded(table: ByClass, name: str) -> ByClass:
    return ByClass(lambda _: lambda related: table.complete(related[name]))


def _attribute(field: Any) -> str:
    """The attribute that a field shows."""
    definition = field.extensions.get(DEFINITION)
    if field.args or definition is None or not definition.is_basic_field:
        raise NotPlain
    name: str = definition.python_name
    return name


def _object_of(keys: tuple[str, ...], sources: list[str], tables: tuple[ByClass, ...]) -> Complete:
    """Objects whose attributes are of the same classes need the same work: it is looked up by those classes."""
    if not sources:  # one of a union's types, of which the document asks nothing
        return lambda _: {}
    one = len(sources) == 1
    read = attrgetter(*sources)
    works: dict[tuple[type, ...], tuple[tuple[str, Complete], ...]] = {}

    def complete(value: Any) -> dict[str, Any]:
        values = (read(value),) if one else read(value)
        classes = tuple(map(type, values))
        work = works.get(classes)
        if work is None:
            hows = [(key, table[cls]) for key, table, cls in zip(keys, tables, classes, strict=True)]
            work = works[classes] = tuple((key, how) for key, how in hows if how is not None)
        data = dict(zip(keys, values, strict=True))
        for key, how in work:
            data[key] = how(data[key])
        return data

    return complete


def _leaf(declared: GraphQLLeafType) -> Callable[[type], Complete | None]:
    same = AS_IT_IS.get(declared.name)
    own = next(((cls, scalar.serialize) for cls, scalar in SCALARS.items() if scalar.name == declared.name), None)

    def coerced(value: Any) -> Any:
        found = declared.coerce_output_value(value)
        return _refuse() if found is None else found

    def learn(cls: type) -> Complete | None:
        if cls is same:
            return None
        if own is not None and cls is own[0]:  # the very class that our scalar is of: nothing to check
            return own[1]
        return _small if declared.name == "Int" and cls is int else coerced

    return learn


def _small(value: int) -> int:
    return value if -BEYOND_INT <= value < BEYOND_INT else _refuse()


def _list(items: ByClass) -> Callable[[type], Complete | None]:
    def each(values: Any) -> list[Any]:
        return [value if (how := items[type(value)]) is None else how(value) for value in values]

    return lambda cls: each if cls is list or cls is tuple else _refuse()


def _refuse() -> Any:
    raise NotPlain
