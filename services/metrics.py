"""What Prometheus is shown. Labels are our own words and towns' slugs: nobody's name, and no more values than these.

A process that shows metrics keeps them itself. The children of a worker hand theirs to their parent, one line of JSON
each through a pipe that was there before the fork: a child may be killed or replaced, and nothing is lost or left over.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress

import orjson
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.registry import Collector

from services.settings import Settings

OTHER = "other"  # an operation that is no document of the front ends: anybody may name one
REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # law-free: seconds of a request
TASK_BUCKETS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 90)  # law-free: seconds of a task
LINE_MOST = 4_000  # law-free: bytes that a pipe takes whole from each of several writers
READ = 65_536  # law-free: bytes taken from the pipe at once

REGISTRY = CollectorRegistry()
REQUEST_SECONDS = Histogram(
    "praca_request_duration_seconds",
    "How long operations of the API took, by trusted document.",
    ["operation"],
    registry=REGISTRY,
    buckets=REQUEST_BUCKETS,
)
REQUESTS = Counter(
    "praca_requests",
    "Operations of the API by outcome: ok, an expected no by its kind, bug.",
    ["operation", "outcome"],
    registry=REGISTRY,
)
SOCKETS = Gauge("praca_sockets", "WebSocket connections that are open.", registry=REGISTRY)
SUBSCRIPTIONS = Gauge("praca_subscriptions", "Subscriptions that run on them.", registry=REGISTRY)
TASK_SECONDS = Histogram(
    "praca_task_duration_seconds", "How long tasks took.", ["task"], registry=REGISTRY, buckets=TASK_BUCKETS
)
TASKS = Counter(
    "praca_tasks",
    "Tasks by outcome: success, failure, retry; lost where the process was killed.",
    ["task", "outcome"],
    registry=REGISTRY,
)
SWEPT = Gauge("praca_sweep_last_timestamp_seconds", "When a sweep was last done.", ["sweep"], registry=REGISTRY)
SWEEP_SECONDS = Gauge("praca_sweep_interval_seconds", "How often beat sends a sweep.", ["sweep"], registry=REGISTRY)
SWEEP_FOUND = Counter("praca_sweep_messages", "Messages that sweeps have sent.", ["sweep"], registry=REGISTRY)
TOWN_FAILURES = Counter(
    "praca_town_failures", "Work of a town that failed: night, relay, seal, job.", ["work", "town"], registry=REGISTRY
)
NOTICE_OUTCOMES = Counter(
    "praca_notice_outcomes", "What came of notices that the relay took up.", ["outcome"], registry=REGISTRY
)

CHANGES: dict[str, Callable[[list[str], float], None]] = {
    "request": lambda labels, seconds: REQUEST_SECONDS.labels(*labels).observe(seconds),
    "requests": lambda labels, value: REQUESTS.labels(*labels).inc(value),
    "task": lambda labels, seconds: TASK_SECONDS.labels(*labels).observe(seconds),
    "tasks": lambda labels, value: TASKS.labels(*labels).inc(value),
    "swept": lambda labels, _: SWEPT.labels(*labels).set_to_current_time(),
    "found": lambda labels, value: SWEEP_FOUND.labels(*labels).inc(value),
    "town failed": lambda labels, value: TOWN_FAILURES.labels(*labels).inc(value),
    "notices": lambda labels, value: NOTICE_OUTCOMES.labels(*labels).inc(value),
}


def change(what: str, *labels: str, value: float = 1) -> None:
    """One measurement, here or at the parent's."""
    if _pipe is None:
        CHANGES[what](list(labels), value)
        return
    line = orjson.dumps([what, labels, value])[:LINE_MOST] + b"\n"
    with suppress(BlockingIOError, BrokenPipeError):  # a measurement may be lost; no work waits for it
        os.write(_pipe, line)


_pipe: int | None = None


def serve(settings: Settings, *collectors: Collector) -> Callable[[], None] | None:
    """Show this process's metrics at `/metrics` of a port of their own; what it returns ends that.

    None: no setting names a port. Raises OSError when the port is taken.
    """
    if settings.metrics_port is None:
        return None
    for collector in collectors:
        REGISTRY.register(collector)
    server, thread = start_http_server(settings.metrics_port, addr=settings.metrics_host, registry=REGISTRY)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()
        for collector in collectors:
            REGISTRY.unregister(collector)

    return stop


def gather_from_children() -> None:
    """Before the fork: what this process's children measure comes here."""
    global _pipe
    source, _pipe = os.pipe()
    os.set_blocking(_pipe, False)
    threading.Thread(target=_read, args=(source,), name="metrics", daemon=True).start()


def _read(source: int) -> None:
    rest = b""
    while part := os.read(source, READ):
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            with suppress(orjson.JSONDecodeError):  # cut off where it was too long
                what, labels, value = orjson.loads(line)
                CHANGES[what](labels, value)
