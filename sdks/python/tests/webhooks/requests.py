"""Requests without a server, for what no server or no HTTP lets through."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable
from typing import Any
from wsgiref.util import setup_testing_defaults

from webhooks.servers import PATH, Host, Response


def ask(
    host: Host, method: str, body: bytes, headers: Iterable[tuple[str, str]]
) -> Response | None:
    """Hand a request to the app of a host."""
    if not host.is_async:
        return ask_wsgi(host.app, environ_of(method, body, headers))
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "method": method, "path": PATH, "query_string": b"", "headers": pairs}
    return ask_asgi(host.app, scope, [{"type": "http.request", "body": body}])


def environ_of(method: str, body: bytes, headers: Iterable[tuple[str, str]] = ()) -> dict[str, Any]:
    """What a WSGI server makes of a request."""
    environ: dict[str, Any] = {"REQUEST_METHOD": method, "PATH_INFO": PATH}
    setup_testing_defaults(environ)
    for name, text in headers:
        key, value = (
            f"HTTP_{name.upper().replace('-', '_')}",
            text.encode(errors="surrogatepass").decode("latin-1"),
        )
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return {**environ, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}


def ask_wsgi(app: Any, environ: dict[str, Any]) -> Response:
    """Call a WSGI app."""
    started: list[Any] = []
    body = b"".join(app(environ, lambda *given: started.append(given)))
    [(status, headers)] = started
    return Response(int(status.split(" ")[0]), dict(headers).get("Allow"), body)


def ask_asgi(
    app: Any, scope: dict[str, Any], messages: Iterable[dict[str, Any]]
) -> Response | None:
    """Call an ASGI app; None if it sends no response."""
    waiting = iter(messages)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(waiting)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    if not sent:
        return None
    start, *rest = sent
    allow = dict(start["headers"]).get(b"allow", b"").decode() or None
    return Response(start["status"], allow, b"".join(part.get("body", b"") for part in rest))
