"""A transport for httpx2 whose sockets respect a deadline.

httpx2 applies a timeout to each read and write, so a body that arrives byte by byte never times out.
An event loop can limit a whole attempt. Blocking sockets must look at the clock.

It uses only public parts of httpcore2. Remove when httpx2 has a timeout for a whole request.
"""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpcore2
import httpx2

from .cookies import no_cookies
from .deadline import Deadline
from .leftovers import has_leftovers

_PIECE = 16_384


def open_client() -> httpx2.Client:
    """Return an HTTP client that uses the proxies of the environment."""
    return httpx2.Client(transport=DeadlineTransport(), cookies=no_cookies())


class DeadlineTransport(httpx2.BaseTransport):
    """Sends requests over one pool of connections per origin."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, bytes], httpcore2.ConnectionPool] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return the response with its body unread."""
        origin = (request.url.scheme, request.url.netloc)
        pool = self._pools.get(origin) or self._pools.setdefault(origin, _pool(*origin))
        with _translated():
            response = pool.handle_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            pool.close()


class _Body(httpx2.SyncByteStream):
    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _translated():
            yield from self._response.iter_stream()
            if has_leftovers(self._response):
                self._response.extensions["network_stream"].close()

    def close(self) -> None:
        self._response.close()


class _Backend(httpcore2.SyncBackend):
    """Opens connections that respect a deadline."""

    def connect_tcp(self, *args: Any, **options: Any) -> httpcore2.NetworkStream:
        return _Stream(super().connect_tcp(*args, **options))


class _Stream(httpcore2.NetworkStream):
    """A connection that waits only until its deadline."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            piece = buffer[start : start + _PIECE]
            self._stream.write(piece, _left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(timeout: float | None, expired: type[Exception]) -> float | None:
    if not isinstance(timeout, Deadline):
        return timeout
    left = timeout.left()
    if left > 0:
        return left
    raise expired("timed out")


@contextmanager
def _translated() -> Iterator[None]:
    """Convert errors of httpcore2 into those of httpx2 with the same names."""
    try:
        yield
    except Exception as error:
        same = getattr(httpx2, type(error).__name__, None)
        if same is None or type(error).__module__.partition(".")[0] != "httpcore2":
            raise
        raise same(str(error)) from error


def _pool(scheme: str, netloc: bytes) -> httpcore2.ConnectionPool:
    proxy = _proxy_for(scheme, netloc.decode("ascii"))
    secure = scheme == "https" or proxy.startswith("https:")
    options: dict[str, Any] = {
        # Reading the trusted certificates is slow.
        "ssl_context": httpx2.create_ssl_context() if secure else None,
        "max_connections": 100,
        "max_keepalive_connections": 20,
        "keepalive_expiry": 5.0,
        "network_backend": _Backend(),
    }
    if not proxy:
        return httpcore2.ConnectionPool(**options)
    kind = httpcore2.SOCKSProxy if proxy.startswith("socks5") else httpcore2.HTTPProxy
    via = httpx2.Proxy(proxy)
    return kind(proxy_url=str(via.url), proxy_auth=via.raw_auth, **options)


def _proxy_for(scheme: str, netloc: str) -> str:
    """Return the URL of the proxy for an origin in the environment, or an empty string."""
    if urllib.request.proxy_bypass(netloc):
        return ""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all") or ""
    return proxy if "://" in proxy or not proxy else f"http://{proxy}"
