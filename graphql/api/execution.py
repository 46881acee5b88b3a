"""Executing a document by graphql-core's rules; what it is slow at is done once per document, not once per row."""

from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, NamedTuple

from graphql import (
    ExecutionResult,
    FieldNode,
    GraphQLError,
    GraphQLField,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationType,
    create_source_event_stream,
)
from graphql.execution import Executor, map_source_to_response_event
from graphql.execution.collect_fields import FieldDetails, collect_subfields
from graphql.pyutils import Path
from strawberry.execution import optimized_is_awaitable

from api.completion import Complete, Completions
from api.documents import Document

Details = list[FieldDetails]


class ResolveInfo(NamedTuple):
    """graphql-core's and Strawberry's, and the execution itself, which knows what is selected."""

    field_name: str
    field_nodes: list[FieldNode]
    return_type: GraphQLOutputType
    parent_type: GraphQLObjectType
    path: Path
    schema: Any
    fragments: Any
    root_value: Any
    operation: Any
    variable_values: dict[str, Any]
    context: Any
    is_awaitable: Any
    abort_signal: Any
    async_helpers: Any
    operation_extensions: Any
    execution: "Execution"


class Execution(Executor[None]):
    """One operation. A value whose whole selection is plain attributes is completed by a function made once."""

    def __init__(self, *args: Any, plans: dict[Any, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_awaitable = optimized_is_awaitable  # type: ignore[assignment]  # it is no TypeGuard
        self._plans = plans
        # What @skip and @include depend on: the same nodes are selected for the same values.
        self._switches = tuple(sorted((n, v) for n, v in self.variable_values.coerced.items() if isinstance(v, bool)))
        self._completions = Completions(self.schema, self.subfields)

    def build_resolve_info(
        self, field_def: GraphQLField, field_nodes: list[FieldNode], parent_type: GraphQLObjectType, path: Path
    ) -> GraphQLResolveInfo[Any]:
        return ResolveInfo(  # type: ignore[return-value]  # it has all of its fields, as Strawberry's own has
            field_nodes[0].name.value,
            field_nodes,
            field_def.type,
            parent_type,
            path,
            self.schema,
            self.fragment_definitions,
            self.root_value,
            self.operation,
            self.variable_values.coerced,
            self.context_value,
            self.is_awaitable,
            self.abort_signal,
            self.async_helpers,
            {},
            self,
        )

    def complete_value(
        self,
        return_type: GraphQLOutputType,
        field_details_list: Details,
        info: GraphQLResolveInfo[Any],
        path: Path,
        result: Any,
        position_context: None,
    ) -> Any:
        plan = self._plan(return_type, field_details_list)
        if plan is not None:
            # Whatever goes wrong goes wrong the ordinary way too, which reports it with its place.
            with suppress(Exception):
                return plan(result)
        return super().complete_value(return_type, field_details_list, info, path, result, position_context)

    def _plan(self, return_type: GraphQLOutputType, details: Details) -> Complete | None:
        key = ("plan", self._switches, id(return_type), *(id(each.node) for each in details))
        try:
            return self._plans[key]  # type: ignore[no-any-return]
        except KeyError:
            plan = self._plans[key] = self._completions.of(return_type, details)
            return plan

    def subfields(self, parent: GraphQLObjectType, details: Details) -> dict[str, Details]:
        """What is selected of a value, by the name that it gets in the answer."""
        key = ("fields", self._switches, id(parent), *(id(each.node) for each in details))
        if key not in self._plans:
            found = collect_subfields(
                self.schema, self.fragments, self.variable_values, self.operation, parent, details
            )
            self._plans[key] = dict(found.grouped_field_set)
        return self._plans[key]  # type: ignore[no-any-return]


async def execute(
    schema: GraphQLSchema, document: Document, variables: dict[str, Any] | None, operation: str | None, context: Any
) -> ExecutionResult:
    """A valid document's operation. Never raises: errors stand in the result."""
    if document.ast is None:
        return ExecutionResult(None, document.errors)
    execution = Execution.build(
        schema,
        document.ast,
        context_value=context,
        raw_variable_values=variables,
        operation_name=operation,
        plans=document.plans,
    )
    if isinstance(execution, list):
        return ExecutionResult(None, execution)
    if execution.operation.operation is OperationType.SUBSCRIPTION:
        return ExecutionResult(None, [_only(execution, "Assinaturas só por WebSocket.", "NO_SUBSCRIPTIONS")])
    result = execution.execute_operation()
    return await result if optimized_is_awaitable(result) else result  # type: ignore[misc, return-value]


async def subscribe(
    schema: GraphQLSchema, document: Document, variables: dict[str, Any] | None, operation: str | None, context: Any
) -> AsyncGenerator[ExecutionResult, None] | ExecutionResult:
    """A valid document's subscription: its results as they come, or why there are none."""
    if document.ast is None:
        return ExecutionResult(None, document.errors)
    execution = Execution.build(
        schema,
        document.ast,
        context_value=context,
        raw_variable_values=variables,
        operation_name=operation,
        plans=document.plans,
    )
    if isinstance(execution, list):
        return ExecutionResult(None, execution)
    if execution.operation.operation is not OperationType.SUBSCRIPTION:
        return ExecutionResult(None, [_only(execution, "Por WebSocket, só assinaturas.", "ONLY_SUBSCRIPTIONS")])
    begun = create_source_event_stream(execution)
    source = await begun if optimized_is_awaitable(begun) else begun  # type: ignore[misc]
    if isinstance(source, ExecutionResult):
        return source
    return map_source_to_response_event(execution, source)  # type: ignore[arg-type]


def _only(execution: Executor[Any], message: str, code: str) -> GraphQLError:
    return GraphQLError(message, execution.operation, extensions={"code": code})
