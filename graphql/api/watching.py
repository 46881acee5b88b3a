"""What an operation was, how long it took and what came of it: for the log, the metrics and the trace."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import cast

import structlog
from graphql import ExecutionResult
from opentelemetry.trace import SpanKind
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy.pool import QueuePool

from api.documents import Document
from api.errors import root_of
from services import metrics, tracing
from services.database import Database
from services.errors import Expected
from services.settings import Settings

log = structlog.get_logger(__name__)
OK, BUG, REJECTED = "ok", "bug", "rejected"
DIGITS = 4  # law-free: of a second, tenths of a millisecond


@dataclass(slots=True)
class Seen:
    """One operation. Its name is that of a trusted document: any other name is anybody's."""

    operation: str = metrics.OTHER
    outcome: str = OK

    def of(self, document: Document) -> None:
        self.operation = document.name or metrics.OTHER
        tracing.rename(f"graphql {self.operation}")

    def came_to(self, result: ExecutionResult, refused: str | None) -> None:
        """Args: refused: the kind of no that a mutation answered with."""
        if refused is not None:
            self.outcome = refused
        for error in result.errors or ():
            root = root_of(error)
            if isinstance(root, Expected):
                self.outcome = root.code.lower()
            elif root is None or error.path is None:
                self.outcome = REJECTED
            else:
                self.outcome = BUG
                return


@contextmanager
def operation(settings: Settings) -> Iterator[Seen]:
    """Around one operation, whatever comes of it."""
    seen, since = Seen(), monotonic()
    with tracing.span("graphql", kind=SpanKind.SERVER):
        try:
            yield seen
        except BaseException:
            seen.outcome = BUG
            raise
        finally:
            seconds = monotonic() - since
            metrics.change("request", seen.operation, value=seconds)
            metrics.change("requests", seen.operation, seen.outcome)
            if settings.log_requests:
                log.info("request", operation=seen.operation, outcome=seen.outcome, seconds=round(seconds, DIGITS))


class PoolUse(Collector):
    """How many connections of the process's pool are in use, when somebody looks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterator[Metric]:
        settings, pool = self._database.settings, cast(QueuePool, self._database.engine.pool)
        states = {"in_use": pool.checkedout(), "idle": pool.checkedin()}
        found = GaugeMetricFamily("praca_pool_connections", "Connections of the pool.", labels=["state"])
        for state, many in states.items():
            found.add_metric([state], many)
        yield found
        most = settings.pool_size + settings.pool_overflow
        yield GaugeMetricFamily("praca_pool_most", "The most that it may have.", value=most)
