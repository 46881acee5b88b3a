"""How much a document may ask, found once per document. Of introspection graphql-core itself limits the depth."""

from collections.abc import Iterator
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    get_named_type,
    is_list_type,
    is_non_null_type,
)
from graphql.type import GraphQLInterfaceType, GraphQLNamedType, GraphQLObjectType

from api.types.connections import PAGE_MOST, PAGE_USUAL
from services.settings import Settings

INTROSPECTION = "__"
PAGED = "first"


@dataclass(slots=True)
class Measure:
    """Of one operation, fragments spread wherever they are used."""

    depth: int = 0
    aliases: int = 0
    cost: int = 0
    roots: int = 0


def excesses(schema: GraphQLSchema, document: DocumentNode, settings: Settings) -> list[GraphQLError]:
    """What is wrong with a valid document's size. A mutation has exactly one root field: one field, one transaction."""
    fragments = {d.name.value: d for d in document.definitions if isinstance(d, FragmentDefinitionNode)}
    errors: list[GraphQLError] = []
    for operation in document.definitions:
        if isinstance(operation, OperationDefinitionNode):
            errors += _of_operation(schema, operation, _Meter(schema, fragments, settings), settings)
    return errors


def _of_operation(
    schema: GraphQLSchema, operation: OperationDefinitionNode, meter: "_Meter", settings: Settings
) -> Iterator[GraphQLError]:
    root = schema.get_root_type(operation.operation)
    if root is None:  # a valid document's operation has one
        return
    try:
        found = meter.measure(root, operation.selection_set)
    except _Enough as excess:
        yield _too_much("custo", excess.args[0], settings.query_most_cost, operation)
        return
    if operation.operation is not OperationType.QUERY and found.roots != 1:
        message = "Uma mutação ou assinatura tem exatamente um campo na raiz."
        yield GraphQLError(message, operation, extensions={"code": "ONE_ROOT_FIELD"})
    for name, value, most in (
        ("profundidade", found.depth, settings.query_most_depth),
        ("apelidos", found.aliases, settings.query_most_aliases),
        ("campos na raiz", found.roots, settings.query_most_roots),
        ("custo", found.cost, settings.query_most_cost),
    ):
        if value > most:
            yield _too_much(name, value, most, operation)


def _too_much(name: str, value: int, most: int, operation: OperationDefinitionNode) -> GraphQLError:
    return GraphQLError(
        f"Consulta grande demais: {name} {value}, limite {most}.", operation, extensions={"code": "TOO_MUCH"}
    )


class _Enough(Exception):
    """The cost is beyond the limit: fragments within fragments would multiply without end."""


class _Meter:
    def __init__(self, schema: GraphQLSchema, fragments: dict[str, FragmentDefinitionNode], settings: Settings) -> None:
        self._schema, self._fragments = schema, fragments
        self._most, self._of_a_list = settings.query_most_cost, settings.query_list_cost
        self._found = Measure()

    def measure(self, root: GraphQLNamedType, selections: SelectionSetNode) -> Measure:
        self._walk(root, selections, depth=1, times=1)
        return self._found

    def _walk(self, above: GraphQLNamedType, selections: SelectionSetNode, *, depth: int, times: int) -> None:
        found = self._found
        for parent, node in self._fields(above, selections):
            found.roots += depth == 1
            found.aliases += node.alias is not None
            found.cost += times
            if found.cost > self._most:
                raise _Enough(found.cost)
            if node.name.value.startswith(INTROSPECTION):
                continue
            found.depth = max(found.depth, depth)
            field = parent.fields[node.name.value]
            if node.selection_set is not None:
                below = times * self._length(parent, field, node)
                self._walk(get_named_type(field.type), node.selection_set, depth=depth + 1, times=below)

    def _fields(
        self, parent: GraphQLNamedType, selections: SelectionSetNode
    ) -> Iterator[tuple[GraphQLObjectType | GraphQLInterfaceType, FieldNode]]:
        """Each field with the type that has it."""
        for node in selections.selections:
            match node:
                case FieldNode() if isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
                    yield parent, node
                case FieldNode():
                    self._found.cost += 1  # __typename of a union
                case FragmentSpreadNode():
                    fragment = self._fragments[node.name.value]
                    yield from self._fields(self._narrowed(parent, fragment), fragment.selection_set)
                case InlineFragmentNode():
                    yield from self._fields(self._narrowed(parent, node), node.selection_set)

    def _narrowed(
        self, parent: GraphQLNamedType, fragment: InlineFragmentNode | FragmentDefinitionNode
    ) -> GraphQLNamedType:
        if fragment.type_condition is None:
            return parent
        return self._schema.type_map[fragment.type_condition.name.value]

    def _length(self, parent: GraphQLNamedType, field: GraphQLField, node: FieldNode) -> int:
        """How many items to count with: what is asked for, the most where a variable says, or a usual list."""
        if PAGED in field.args:
            for argument in node.arguments or ():
                if argument.name.value == PAGED:
                    return int(argument.value.value) if isinstance(argument.value, IntValueNode) else PAGE_MOST
            return PAGE_USUAL
        inner = field.type.of_type if is_non_null_type(field.type) else field.type
        if is_list_type(inner) and not parent.name.endswith("Connection"):  # whose edges are counted above
            return self._of_a_list
        return 1
