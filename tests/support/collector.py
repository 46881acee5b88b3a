"""A collector of traces in the test's own process."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as OtlpSpan

AT_ONCE: dict[str, Any] = {"OTEL_BSP_SCHEDULE_DELAY": "100"}  # milliseconds until what has ended is sent


class Collector:
    """Takes what is sent to it by OTLP over HTTP."""

    def __init__(self) -> None:
        taken: list[OtlpSpan] = []
        self.taken = taken

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                plain = gzip.decompress(body) if self.headers["content-encoding"] == "gzip" else body
                for resource in ExportTraceServiceRequest.FromString(plain).resource_spans:
                    taken.extend(span for scope in resource.scope_spans for span in scope.spans)
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/v1/traces"

    def named(self, name: str) -> list[OtlpSpan]:
        return [span for span in self.taken if span.name == name]


@contextmanager
def collecting() -> Iterator[Collector]:
    made = Collector()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        made.server.shutdown()
        made.server.server_close()
        thread.join()
