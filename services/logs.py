"""Logs: one JSON object a line, for machines. No personal data: of an error its kind and its places, never its text."""

import logging
import sys
import traceback
from collections.abc import Sequence

import structlog


def configure() -> None:
    """For a whole process, once, at its start."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # as it is when something is said
        cache_logger_on_first_use=False,
    )


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
