"""Traces, by OpenTelemetry: from a request through the row that it leaves to the worker that takes it up.

Off unless a setting names where to send them. What is not traced costs a comparison. A span holds ids and our own
words: of a statement its text, never its values; of an error its kind, never its text.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from sqlalchemy import event
from sqlalchemy.engine import Engine

from services.settings import Settings

TRACEPARENT = "traceparent"
HEX_TRACE, HEX_SPAN = "032x", "016x"
_W3C = TraceContextTextMapPropagator()
_tracer: trace.Tracer | None = None
_provider: TracerProvider | None = None


def begin(settings: Settings, service: str) -> None:
    """For a process, after its fork; nothing when no setting says where traces go."""
    if settings.otlp_endpoint is None:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # slow to read: not for nothing

    exporter = OTLPSpanExporter(endpoint=str(settings.otlp_endpoint), timeout=settings.otlp_timeout_seconds)
    install(BatchSpanProcessor(exporter), service, settings.trace_share)


def install(processor: SpanProcessor, service: str, share: float = 1.0) -> None:
    """Args: share: of the traces that begin here; those begun elsewhere are kept as their beginning says."""
    global _tracer, _provider
    _provider = TracerProvider(
        resource=Resource.create({SERVICE_NAME: service}),
        sampler=ParentBased(TraceIdRatioBased(share)),
        shutdown_on_exit=False,
    )
    _provider.add_span_processor(processor)
    _tracer = _provider.get_tracer("praca")


def end() -> None:
    """What is not sent yet is sent."""
    global _tracer, _provider
    if _provider is not None:
        _provider.shutdown()
    _tracer = _provider = None


def active() -> bool:
    return _tracer is not None


@contextmanager
def span(
    name: str, *, parent: str | None = None, kind: SpanKind = SpanKind.INTERNAL, **attributes: Any
) -> Iterator[Span | None]:
    """A span around a block; its ids are those of every log line within.

    Args:
        parent: A `traceparent` kept on a row: the span goes on that trace, linked to the one that runs here.
    """
    if _tracer is None:
        yield None
        return
    above = received(parent)
    here = trace.get_current_span().get_span_context()
    links = [Link(here)] if above is not None and here.is_valid else []
    said = {key: str(value) if isinstance(value, UUID) else value for key, value in attributes.items()}
    with _tracer.start_as_current_span(
        name, above, kind, said, links, record_exception=False, set_status_on_exception=False
    ) as made:
        try:
            yield made
        except BaseException as error:
            made.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def rename(name: str) -> None:
    """The running span, when it is known what it is."""
    if _tracer is not None:
        trace.get_current_span().update_name(name)


def mark_failed() -> None:
    """Of the running span, within the `except` of what failed in it."""
    if _tracer is not None:
        kind = sys.exc_info()[0]
        trace.get_current_span().set_status(Status(StatusCode.ERROR, "" if kind is None else kind.__name__))


def received(traceparent: str | None) -> contexts.Context | None:
    """The trace that a header or a row names; None when it names none."""
    return _W3C.extract({TRACEPARENT: traceparent}) if traceparent else None


def current() -> str | None:
    """The running span as a `traceparent`, for a row or a message to carry."""
    if _tracer is None:
        return None
    carrier: dict[str, str] = {}
    _W3C.inject(carrier)
    return carrier.get(TRACEPARENT)


def ids() -> tuple[str, str] | None:
    """Of the running trace and span, as logs write them."""
    if _tracer is None:
        return None
    here = trace.get_current_span().get_span_context()
    return (format(here.trace_id, HEX_TRACE), format(here.span_id, HEX_SPAN)) if here.is_valid else None


def attach(name: str, traceparent: str | None, **attributes: Any) -> tuple[Span, object] | None:
    """A span that begins in one callback and ends in another, with `detach`."""
    if _tracer is None:
        return None
    made = _tracer.start_span(name, received(traceparent), SpanKind.CONSUMER, attributes)
    return made, contexts.attach(trace.set_span_in_context(made))


def detach(begun: tuple[Span, Any] | None, failure: str | None = None) -> None:
    if begun is None:
        return
    made, token = begun
    if failure is not None:
        made.set_status(Status(StatusCode.ERROR, failure))
    contexts.detach(token)
    made.end()


def watch_statements(engine: Engine) -> None:
    """Each statement as a span: its text has places for values, not the values."""
    if _tracer is None:
        return

    def before(_c: Any, _cursor: Any, statement: str, _p: Any, context: Any, _m: bool) -> None:
        if _tracer is not None:
            name = statement.split(None, 1)[0]
            said = {"db.system.name": "postgresql", "db.query.text": statement}
            context.praca_span = _tracer.start_span(name, kind=SpanKind.CLIENT, attributes=said)

    def after(_c: Any, _cursor: Any, _s: str, _p: Any, context: Any, _m: bool) -> None:
        if made := getattr(context, "praca_span", None):
            made.end()

    def failed(failure: Any) -> None:
        made = getattr(failure.execution_context, "praca_span", None)
        if made is not None:
            made.set_status(Status(StatusCode.ERROR, type(failure.original_exception).__name__))
            made.end()

    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "after_cursor_execute", after)
    event.listen(engine, "handle_error", failed)
