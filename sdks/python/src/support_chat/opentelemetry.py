"""OpenTelemetry: spans for the attempts of a client, and deliveries that continue their trace.

    client = Client(middleware=[open_telemetry()])
    app = continue_trace(webhook_app(webhooks, handle))

The extra `opentelemetry` of this package installs the API of OpenTelemetry. The application brings
the SDK and an exporter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from opentelemetry import context, propagate, trace
from opentelemetry.trace import SpanKind, Status, StatusCode, TracerProvider

from ._core.exchange import EXCHANGE, PACKAGE, Exchange
from ._core.failure import as_raised
from ._core.message import without_key
from ._core.options import AsyncMiddleware, Middleware
from ._version import __version__

__all__ = [
    "continue_trace",
    "continue_trace_async",
    "open_telemetry",
    "open_telemetry_async",
]

_PORTS = {"http": 80, "https": 443}
_ERROR_STATUS = 400


def open_telemetry(tracer_provider: TracerProvider | None = None) -> Middleware:
    """Return middleware for a client that writes a span for each attempt.

    The span follows the semantic conventions for HTTP clients. Its name is the method and the path
    template. It ends when the headers of the response arrive. The request sends the trace context.

    Args:
        tracer_provider: Makes the spans. Defaults to the global one.
    """

    def middleware(
        request: httpx2.Request, next: Callable[[httpx2.Request], httpx2.Response]
    ) -> httpx2.Response:
        with _span(tracer_provider, request) as finish:
            return finish(next(request))

    return middleware


def open_telemetry_async(tracer_provider: TracerProvider | None = None) -> AsyncMiddleware:
    """Return the middleware of `open_telemetry` for an asynchronous client.

    Args:
        tracer_provider: Makes the spans. Defaults to the global one.
    """

    async def middleware(
        request: httpx2.Request, next: Callable[[httpx2.Request], Awaitable[httpx2.Response]]
    ) -> httpx2.Response:
        with _span(tracer_provider, request) as finish:
            return finish(await next(request))

    return middleware


@contextmanager
def _span(
    provider: TracerProvider | None, request: httpx2.Request
) -> Iterator[Callable[[httpx2.Response], httpx2.Response]]:
    """Run an attempt in a span. Yields the function that adds the response to it."""
    exchange: Exchange = request.extensions[EXCHANGE]
    attempt = exchange.attempt
    url = request.url
    attributes: dict[str, str | int] = {
        "http.request.method": attempt.method,
        "url.template": attempt.template,
        # Without the query, which may hold personal data.
        "url.full": str(url.copy_with(query=None)),
        "server.address": url.host,
    }
    port = url.port or _PORTS.get(url.scheme)
    if port:  # none for another scheme, which the HTTP client refuses
        attributes["server.port"] = port
    if attempt.retry:
        attributes["http.request.resend_count"] = attempt.retry
    tracer = trace.get_tracer(PACKAGE, __version__, provider)
    with tracer.start_as_current_span(
        f"{attempt.method} {attempt.template}",
        kind=SpanKind.CLIENT,
        attributes=attributes,
        # The message and the cause of an error may hold the key.
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        propagate.inject(request.headers)

        def finish(response: httpx2.Response) -> httpx2.Response:
            span.set_attribute("http.response.status_code", response.status_code)
            if response.status_code >= _ERROR_STATUS:
                span.set_attribute("error.type", str(response.status_code))
                span.set_status(Status(StatusCode.ERROR))
            return response

        try:
            yield finish
        except BaseException as error:
            raised = as_raised(exchange, error)
            name, settings = type(raised).__name__, exchange.draft.settings
            message = without_key(str(raised), settings)
            span.set_attribute("error.type", name)
            span.set_status(Status(StatusCode.ERROR))
            span.add_event("exception", {"exception.type": name, "exception.message": message})
            raise


WSGIApp = Callable[[dict[str, Any], Any], Iterable[bytes]]
ASGIApp = Callable[[Any, Any, Any], Awaitable[None]]


def continue_trace(app: WSGIApp) -> WSGIApp:
    """Return a WSGI app whose handler runs in the trace that the headers of a delivery name.

    A span that an instrumentation of the server has begun stays the parent.
    """

    def traced(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        names = {
            name[5:].replace("_", "-").lower(): name for name in environ if name.startswith("HTTP_")
        }
        with _continued({name: environ[key] for name, key in names.items()}):
            return app(environ, start_response)

    return traced


def continue_trace_async(app: ASGIApp) -> ASGIApp:
    """Return an ASGI app whose handler runs in the trace that the headers of a delivery name.

    A span that an instrumentation of the server has begun stays the parent.
    """

    async def traced(scope: Any, receive: Any, send: Any) -> None:
        headers = scope.get("headers", ())
        with _continued(
            {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
        ):
            await app(scope, receive, send)

    return traced


@contextmanager
def _continued(headers: dict[str, str]) -> Iterator[None]:
    """Run in the trace that the headers name, unless a span is active already."""
    if trace.get_current_span().get_span_context().is_valid:
        yield
        return
    token = context.attach(propagate.extract(headers))
    try:
        yield
    finally:
        context.detach(token)
