"""Logs of every program: one JSON object a line, for machines, and nothing personal.

Of an error its kind, its places and its code, never its text, which may quote what somebody typed. Of what libraries
say, the words of their authors without what they were filled with. A line holds only members named in `MEMBERS`.
"""

import logging
import re
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any
from uuid import UUID

import orjson
import structlog
from structlog.contextvars import bound_contextvars

from services import tracing

# What a line may say. Ids, words of ours, numbers; nobody's name, document, address or text.
MEMBERS = {
    *("event", "level", "timestamp", "logger", "kind", "at", "code", "withheld"),
    *("town", "tenant", "request_id", "task_id", "task", "trace_id", "span_id", "run", "day", "job", "notice"),
    *("operation", "outcome", "seconds", "status", "reason", "path", "count", "attempts", "sweep", "runtime"),
}
TRUSTED = ("celery", "kombu", "alembic")  # at INFO they tell of themselves; uvicorn also of who comes, and for what
FILLED = ("name", "id", "runtime")  # of what Celery says of a task
UNTOLD = ("uvicorn.access",)  # the path of a request may hold what somebody typed
_SAFE_CODE = re.compile(r"[A-Za-z0-9_]{2,40}")
_slugs: dict[str, str] = {}  # of the towns that this process has met

Event = dict[str, Any]


def configure() -> None:
    """For a whole process, once, at its start; again changes nothing."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        explained,
        placed,
        only_known,
    ]
    structlog.configure(
        processors=[*shared, rendered],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # as it is when something is said
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, Lines)]:
        root.removeHandler(handler)
    root.addHandler(Lines(shared))
    root.setLevel(logging.INFO)
    for name in ("", *UNTOLD, "uvicorn", "uvicorn.error"):  # uvicorn has handlers of its own, which print the text
        if name:
            logging.getLogger(name).handlers.clear()
            logging.getLogger(name).propagate = name not in UNTOLD
    warnings.showwarning = warned
    sys.excepthook = last_words
    threading.excepthook = lambda args: last_words(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback)


class Lines(logging.Handler):
    """What libraries, and we through `logging`, say: the same lines."""

    def __init__(self, processors: Sequence[Callable[..., Any]]) -> None:
        super().__init__()
        self._processors = processors

    def emit(self, record: logging.LogRecord) -> None:
        try:
            event: Any = told(record)
            for process in self._processors:
                event = process(None, record.levelname.lower(), event)
            sys.stderr.write(rendered(None, "", event) + "\n")
        except Exception:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """What cannot be told is told of; the library's way would print the record."""
        sys.stderr.write(rendered(None, "", {"event": "log.unwritable", "logger": record.name}) + "\n")


def told(record: logging.LogRecord) -> Event:
    """A record's own words. What fills them may be anybody's: only those of `TRUSTED` are filled, and at INFO."""
    event: Event = {"event": str(record.msg), "logger": record.name}
    quiet = record.levelno <= logging.INFO and not record.exc_info
    if isinstance(record.args, Mapping):  # Celery's way
        event |= {"task_id" if k == "id" else "task" if k == "name" else k: record.args.get(k) for k in FILLED}
    elif quiet and record.name.startswith(TRUSTED):
        event["event"] = record.getMessage()
    if record.exc_info:
        event["exc_info"] = record.exc_info
    given = {"tenant", "job", "notice", "run", "day"} & vars(record).keys()  # what we hand on with `extra`
    event |= {name: getattr(record, name) for name in given}
    return event


def explained(_logger: Any, _method: str, event: Event) -> Event:
    """An exception as what may be told of it."""
    raised = event.pop("exc_info", None)
    error = sys.exc_info()[1] if raised is True else raised[1] if isinstance(raised, tuple) else raised
    if isinstance(error, BaseException):
        event |= {"kind": type(error).__name__, "at": places(error)}
        if code := code_of(error):
            event["code"] = code
    return event


def code_of(error: BaseException) -> str | None:
    """SQLSTATE, or the code of an expected no: words of programs. Whatever does not look like one is left out."""
    for each in (getattr(error, "orig", None), error, error.__cause__):
        for name in ("sqlstate", "code"):
            found = getattr(each, name, None)
            if isinstance(found, str) and _SAFE_CODE.fullmatch(found):
                return found
    return None


def places(error: BaseException) -> Sequence[str]:
    """Where it was raised, the innermost last. Its text may quote what somebody typed; its places do not."""
    found: list[str] = []
    seen: set[int] = set()  # causes may go in a circle
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        frames = traceback.extract_tb(cause.__traceback__)
        found = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames] + found
        cause = cause.__cause__
    return found


def placed(_logger: Any, _method: str, event: Event) -> Event:
    """The town's slug beside its id, and the trace that the line belongs to."""
    tenant = event.get("tenant")
    if tenant is not None and (slug := _slugs.get(str(tenant))):
        event.setdefault("town", slug)
    if ids := tracing.ids():
        event["trace_id"], event["span_id"] = ids
    return event


def only_known(_logger: Any, _method: str, event: Event) -> Event:
    """Whoever adds a member to a line adds it to `MEMBERS` first, and asks whose it is."""
    if event.keys() <= MEMBERS:
        return event
    withheld = sorted(event.keys() - MEMBERS)
    return {name: value for name, value in event.items() if name in MEMBERS} | {"withheld": withheld}


def rendered(_logger: Any, _method: str, event: Any) -> str:
    return orjson.dumps(event, default=str).decode()


def warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    structlog.get_logger(__name__).warning("warning", kind=category.__name__, at=[f"{filename}:{lineno}"])


def last_words(kind: type[BaseException], error: BaseException, _tb: TracebackType | None) -> None:
    """Of a process or a thread that ends with an exception."""
    if issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    structlog.get_logger(__name__).critical("process.ended", exc_info=error)


def know_town(tenant_id: UUID, slug: str) -> None:
    """So that lines can name it."""
    _slugs[str(tenant_id)] = slug


def slug_of(tenant_id: UUID) -> str:
    """The town's slug if this process has met it, else its id."""
    return _slugs.get(str(tenant_id), str(tenant_id))


def about(**members: Any) -> AbstractContextManager[None]:
    """What every line of a block is about: `tenant`, `request_id`, `job` …"""
    return bound_contextvars(**{name: str(value) for name, value in members.items() if value is not None})
