"""The work of one town, so that whoever watches knows whose it was and what came of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import structlog

from services import logs, metrics, tracing

log = structlog.get_logger(__name__)


@contextmanager
def work(what: str, tenant_id: UUID, *, trace: str | None = None, **about: Any) -> Iterator[None]:
    """Every line and statement of the block is this town's.

    Args:
        trace: The `traceparent` of the row that is taken up: its trace goes on here.
        about: What else the work is about, by members that a log may have: `job`, `notice`, `day`.
    """
    with logs.about(tenant=tenant_id, **about), tracing.span(what, parent=trace, tenant=tenant_id, **about):
        yield


def failed(what: str, tenant_id: UUID, **about: Any) -> None:
    """Within the `except` of a town's failure: an error of the town's in the log, and one that an alert is made of."""
    tracing.mark_failed()
    metrics.change("town failed", what, logs.slug_of(tenant_id))
    log.exception(f"{what} failed", tenant=str(tenant_id), **{name: str(value) for name, value in about.items()})
