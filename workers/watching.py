"""Tasks in logs, traces and metrics: by Celery's signals, so that no task has to think of it."""

from collections.abc import Mapping, MutableMapping
from contextlib import ExitStack
from time import monotonic
from typing import Any

from billiard.exceptions import TimeLimitExceeded, WorkerLostError
from celery.signals import (
    before_task_publish,
    task_failure,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
)

from services import logs, metrics, tracing
from services.settings import settings

SWEEP = ".start_"
running: dict[str, tuple[ExitStack, float, Any]] = {}  # by task id: one at a time in a process, or one a thread


def is_sweep(task: str) -> bool:
    return SWEEP in task


@worker_init.connect
def begin(sender: Any, **_: object) -> None:
    """Before the pool forks: its children hand their measurements to this process, which shows them."""
    chosen = settings()
    if chosen.metrics_port is None:
        return
    metrics.gather_from_children()
    for entry in sender.app.conf.beat_schedule.values():
        metrics.SWEEP_SECONDS.labels(entry["task"]).set(entry["schedule"])
        metrics.SWEPT.labels(entry["task"]).set_to_current_time()  # silence is counted from now
    metrics.serve(chosen)


@worker_process_init.connect
def begin_child(**_: object) -> None:
    tracing.begin(settings(), "praca-worker")


@worker_process_shutdown.connect
def end_child(**_: object) -> None:
    tracing.end()


@before_task_publish.connect
def hand_on(headers: MutableMapping[str, Any] | None = None, **_: object) -> None:
    """What a sweep finds is worked on in the sweep's trace."""
    if headers is not None and (traceparent := tracing.current()):
        headers[tracing.TRACEPARENT] = traceparent


@task_prerun.connect
def begin_task(task_id: str, task: Any, **_: object) -> None:
    stack = ExitStack()
    stack.enter_context(logs.about(task_id=task_id, task=task.name))
    headers: Mapping[str, Any] = task.request.headers or {}
    traceparent = getattr(task.request, tracing.TRACEPARENT, None) or headers.get(tracing.TRACEPARENT)
    running[task_id] = stack, monotonic(), tracing.attach(task.name, traceparent, task_id=task_id)


@task_postrun.connect
def end_task(task_id: str, task: Any, retval: Any = None, state: str | None = None, **_: object) -> None:
    begun = running.pop(task_id, None)
    if begun is None:
        return
    stack, since, span = begun
    outcome = (state or "unknown").lower()
    tracing.detach(span, type(retval).__name__ if isinstance(retval, BaseException) else None)
    stack.close()
    metrics.change("task", task.name, value=monotonic() - since)
    metrics.change("tasks", task.name, outcome)
    if is_sweep(task.name) and outcome == "success":
        metrics.change("swept", task.name)
        metrics.change("found", task.name, value=retval if isinstance(retval, int) else 0)


@task_failure.connect
def note_lost(sender: Any, exception: BaseException, **_: object) -> None:
    """Told by the parent of a process that was killed or that ran over the hard limit: it ended nothing itself."""
    if isinstance(exception, TimeLimitExceeded | WorkerLostError):
        metrics.change("tasks", sender.name, "lost")
