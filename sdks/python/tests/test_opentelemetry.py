from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from opentelemetry.context import get_current
from opentelemetry.instrumentation.httpx import HTTPX2ClientInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    StatusCode,
    get_current_span,
    use_span,
)

from support import API_KEY, CONVERSATION, Caller, Server, problem, reset, response, then_hang
from support_chat import APIConnectionError, APITimeoutError, AsyncSupportChat
from support_chat.opentelemetry import (
    continue_trace,
    continue_trace_async,
    open_telemetry,
    open_telemetry_async,
)
from support_chat.webhooks import Event, Webhooks, asgi, wsgi
from webhooks.deliveries import BODY, HEADERS, SECRET
from webhooks.requests import ask_asgi, ask_wsgi, environ_of


class Tracing:
    """A real SDK of OpenTelemetry that keeps its spans."""

    def __init__(self) -> None:
        self.exporter, self.provider = InMemorySpanExporter(), TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    def middleware(self, call: Caller) -> list[Any]:
        make: Any = open_telemetry_async if call.asynchronous else open_telemetry
        return [make(self.provider)]

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self.exporter.get_finished_spans()


@pytest.fixture
def tracing() -> Tracing:
    return Tracing()


def get(client: Any) -> Any:
    return client.conversations.get("conv_1")


def first_page(client: Any) -> Any:
    return client.conversations.list(status="open")


def parent_of(span: ReadableSpan) -> str:
    context = span.context
    assert context is not None
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def test_a_span_follows_the_semantic_conventions(
    call: Caller, server: Server, tracing: Tracing
) -> None:
    server.respond(response(CONVERSATION))
    call(get, middleware=tracing.middleware(call))
    [span] = tracing.spans
    assert (span.name, span.kind) == ("GET /v1/conversations/{id}", SpanKind.CLIENT)
    assert span.status.status_code is StatusCode.UNSET
    assert dict(span.attributes or {}) == {
        "http.request.method": "GET",
        "url.template": "/v1/conversations/{id}",
        "url.full": f"{server.url}/v1/conversations/conv_1",
        "server.address": "127.0.0.1",
        "server.port": int(server.url.rpartition(":")[2]),
        "http.response.status_code": 200,
    }
    assert server.requests[0].headers["traceparent"] == parent_of(span)


def test_each_attempt_has_a_span(
    call: Caller, server: Server, tracing: Tracing, sleeps: list[float]
) -> None:
    server.respond(problem(503), response(CONVERSATION))
    call(get, middleware=tracing.middleware(call))
    failed, retry = tracing.spans
    assert (failed.attributes or {})["error.type"] == "503"
    assert failed.status.status_code is StatusCode.ERROR
    assert (retry.attributes or {})["http.request.resend_count"] == 1
    assert [request.headers["traceparent"] for request in server.requests] == [
        parent_of(failed),
        parent_of(retry),
    ]


def test_a_broken_connection_is_named_without_query_and_key(
    call: Caller, server: Server, tracing: Tracing
) -> None:
    server.respond(reset)
    with pytest.raises(APIConnectionError):
        call(first_page, middleware=tracing.middleware(call), max_retries=0)
    [span] = tracing.spans
    assert (span.attributes or {})["error.type"] == "APIConnectionError"
    assert span.status.status_code is StatusCode.ERROR
    assert [event.name for event in span.events] == ["exception"]
    assert API_KEY not in span.to_json()
    assert "status=open" not in span.to_json()


@pytest.mark.parametrize("timeout", [0.05])
def test_a_timeout_is_named_as_its_error(
    call: Caller, server: Server, tracing: Tracing, timeout: float
) -> None:
    server.respond(then_hang(b""))
    with pytest.raises(APITimeoutError):
        call(get, middleware=tracing.middleware(call), timeout=timeout, max_retries=0)
    [span] = tracing.spans
    assert (span.attributes or {})["error.type"] == "APITimeoutError"


def test_a_canceled_call_is_named_as_its_exception(server: Server, tracing: Tracing) -> None:
    async def main() -> None:
        options: Any = {"api_key": API_KEY, "base_url": server.url}
        middleware = [open_telemetry_async(tracing.provider)]
        async with AsyncSupportChat(middleware=middleware, **options) as client:
            await asyncio.wait_for(get(client), 0.05)

    server.respond(then_hang(b""))
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(main())
    [span] = tracing.spans
    assert (span.attributes or {})["error.type"] == "CancelledError"


def inner(call: Caller, change: Callable[[httpx2.Request], httpx2.Request]) -> Any:
    """Return middleware that changes the request."""
    return lambda request, next: next(change(request))


def test_no_span_has_the_key_of_an_illegal_header(
    call: Caller, server: Server, tracing: Tracing
) -> None:
    def change(request: httpx2.Request) -> httpx2.Request:
        request.headers["authorization"] += "\n"
        return request

    middleware = [*tracing.middleware(call), inner(call, change)]
    with pytest.raises(APIConnectionError) as caught:
        call(get, middleware=middleware, max_retries=0)
    [span] = tracing.spans
    assert (span.attributes or {})["error.type"] == "APIConnectionError"
    assert "Illegal header value" in span.to_json()
    assert API_KEY not in span.to_json() + str(caught.value)


def test_an_address_of_another_scheme_is_an_error_of_the_http_client(
    call: Caller, server: Server, tracing: Tracing
) -> None:
    made = httpx2.Request("GET", "ftp://[::1]/v1/x")
    middleware = [inner(call, lambda _: made), *tracing.middleware(call)]
    with pytest.raises(APIConnectionError, match="unsupported protocol") as caught:
        call(get, middleware=middleware, max_retries=0)
    assert caught.value.outcome == "not_sent"
    [span] = tracing.spans
    assert (span.attributes or {})["server.address"] == "::1"
    assert "server.port" not in (span.attributes or {})


def test_an_error_of_middleware_is_named_as_it_is(
    call: Caller, server: Server, tracing: Tracing
) -> None:
    def fail(_: httpx2.Request) -> httpx2.Request:
        raise OSError(f"no {API_KEY}")

    with pytest.raises(OSError, match="no"):
        call(get, middleware=[*tracing.middleware(call), inner(call, fail)])
    [span] = tracing.spans
    assert (span.attributes or {})["error.type"] == "OSError"
    assert API_KEY not in span.to_json()


def test_the_span_of_an_instrumentation_of_httpx_is_a_child(
    call: Caller, server: Server, tracing: Tracing
) -> None:
    instrumentor: Any = HTTPX2ClientInstrumentor()
    instrumentor.instrument(tracer_provider=tracing.provider)
    try:
        server.respond(response(CONVERSATION))
        call(get, middleware=tracing.middleware(call))
    finally:
        instrumentor.uninstrument()
    spans = {span.name: span for span in tracing.spans}
    inner, outer = spans["GET"], spans["GET /v1/conversations/{id}"]
    assert inner.parent == outer.context
    assert server.requests[0].headers["traceparent"] == parent_of(inner)


SENT = "0af7651916cd43dd8448eb211c80319c"
ACTIVE = SpanContext(trace_id=1, span_id=1, is_remote=False)


@pytest.mark.parametrize("kind", ["wsgi", "asgi"])
@pytest.mark.parametrize(
    ("active", "headers", "expected"),
    [
        (None, {"traceparent": f"00-{SENT}-b7ad6b7169203331-01"}, int(SENT, 16)),
        (ACTIVE, {"traceparent": f"00-{SENT}-b7ad6b7169203331-01"}, 1),
        (None, {}, 0),
    ],
    ids=["of the delivery", "of the server", "none"],
)
def test_a_handler_runs_in_the_trace(
    kind: str, active: SpanContext | None, headers: dict[str, str], expected: int
) -> None:
    seen: list[int] = []

    def handle(event: Event) -> None:
        seen.append(get_current_span().get_span_context().trace_id)

    async def handle_async(event: Event) -> None:
        handle(event)

    pairs = [*HEADERS.items(), *headers.items()]
    webhooks = Webhooks(SECRET)
    before = get_current()
    with use_span(NonRecordingSpan(active or SpanContext(0, 0, is_remote=False))):
        if kind == "wsgi":
            ask_wsgi(
                continue_trace(wsgi.webhook_app(webhooks, handle)), environ_of("POST", BODY, pairs)
            )
        else:
            raw = [(name.lower().encode(), value.encode()) for name, value in pairs]
            app = continue_trace_async(asgi.webhook_app(webhooks, handle_async))
            scope = {"type": "http", "method": "POST", "headers": raw}
            ask_asgi(app, scope, [{"type": "http.request", "body": BODY}])
    assert seen == [expected]
    assert get_current() == before
