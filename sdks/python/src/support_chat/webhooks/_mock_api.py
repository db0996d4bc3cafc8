"""A mock of the API inside a test, without a server."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from typing import Any
from urllib.parse import unquote

import httpx2

from .._core.model import json_of
from .._generated.mocks import FAILURES, MOCKS, OperationID
from .._generated.names import BaseError
from .._generated.policy import (
    HEADERS_REQUEST_ID,
    RETRIES_SERVER_DELAY_HEADER,
    RETRIES_SERVER_DELAY_MILLISECONDS_HEADER,
)
from ._fakes import merged
from ._mock_memory import Memory

_PROBLEM = "application/problem+json"
_PARAMETER = re.compile(r"\{([^}]*)\}")


@dataclass
class _Override:
    """Responds instead of the contract's example."""

    operation: str | None
    left: float
    make: Callable[[httpx2.Request], httpx2.Response]


class MockAPI:
    """Responds to every operation with the example of the contract, inside the test.

        api = MockAPI()
        client = Client(base_url=api.url, api_key="sk_test", http_client=api.http_client())
        api.fail(429, retry_after=2, times=1)

    What a POST creates comes back from later calls. It checks neither credentials nor requests; for
    the whole behaviour of the service, use `mock_server`. Threads and tasks may share it.
    """

    url = "http://mock.test"
    """The base URL for clients."""

    def __init__(self) -> None:
        """Create a mock."""
        self.requests: list[httpx2.Request] = []
        """The requests, in the order in which they came."""
        self._mocks = [(mock, *_pattern_of(mock["id"])) for mock in map(json.loads, MOCKS)]
        failures: list[Any] = [json.loads(text) for text in FAILURES]
        self._failures = {failure["status"]: failure for failure in failures}
        self._lock = Lock()
        self.reset()

    def reset(self) -> None:
        """Forget what was created and which requests came, and undo `respond` and `fail`."""
        with self._lock:
            self.requests.clear()
            self._memory = Memory()
            self._overrides: list[_Override] = []

    @property
    def transport(self) -> httpx2.MockTransport:
        """The transport for an `httpx2.Client` or an `httpx2.AsyncClient` of your own."""
        return httpx2.MockTransport(self.handle)

    def http_client(self) -> httpx2.Client:
        """Return the `http_client` of a client."""
        return httpx2.Client(transport=self.transport)

    def async_http_client(self) -> httpx2.AsyncClient:
        """Return the `http_client` of an async client."""
        return httpx2.AsyncClient(transport=self.transport)

    def respond(
        self, operation: OperationID, data: Any | Callable[[httpx2.Request], Any], /
    ) -> None:
        """Let an operation return data, such as a fixture or JSON, or an `httpx2.Response`.

        A function is called with each request, and returns one of these.

        Raises the base error for an operation that the contract does not have, and for data that
        JSON cannot hold.
        """
        mock = self._mock_of(operation)
        if not callable(data) and not isinstance(data, httpx2.Response):
            _check_json(data)

        def make(request: httpx2.Request) -> httpx2.Response:
            result = data(request) if callable(data) else data
            if isinstance(result, httpx2.Response):
                return httpx2.Response(
                    result.status_code, headers=result.headers, content=result.content
                )
            return _response(mock["status"], mock["contentType"], json_of(result))

        self._add(_Override(operation, math.inf, make))

    def fail(
        self,
        status: int,
        /,
        *,
        operation: OperationID | None = None,
        retry_after: float | None = None,
        times: int | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> None:
        """Let an operation fail, or every operation.

        The body is the contract's example of the status, or a problem (RFC 9457) for a status that
        the contract does not declare, with `body` merged into it. `retry_after` is how long the
        client should wait, in seconds. `times` is how many requests fail (all by default). The
        newest `fail` or `respond` counts.

        Raises the base error for a status below 400, for negative numbers, for an operation that the
        contract does not have and for a body that JSON cannot hold.
        """
        _check_json(dict(body or {}))
        if operation is not None:
            self._mock_of(operation)
        if not 400 <= status <= 599 or (retry_after or 0) < 0 or (times or 0) < 0:
            raise BaseError("A failure has a status from 400 to 599, and numbers of 0 or more.")
        content_type, problem = self._problem(status)
        content = merged(problem, json_of(dict(body or {})))
        headers = {} if retry_after is None else _delay(retry_after)
        if isinstance(content, dict) and isinstance(content.get("request_id"), str):
            headers[HEADERS_REQUEST_ID] = content["request_id"]
        left = math.inf if times is None else times
        make = lambda _request: _response(status, content_type, content, headers)  # noqa: E731
        self._add(_Override(operation, left, make))

    def handle(self, request: httpx2.Request, /) -> httpx2.Response:
        """Respond to a request, as the transport does it."""
        target = request.url.raw_path.decode("ascii").partition("?")[0]
        with self._lock:
            self.requests.append(request)
            for mock, pattern, names in self._mocks:
                found = pattern.fullmatch(target)
                if found is None or mock["id"].partition(" ")[0] != request.method:
                    continue
                override = self._overriding(mock["id"])
                if override is None:
                    params = dict(zip(names, map(_unquoted, found.groups()), strict=True))
                    body = _json_of(request) if mock["creates"] else None
                    content = self._memory.respond(mock, target.rstrip("/"), params, body)
                    return _response(mock["status"], mock["contentType"], content)
                break
            else:
                detail = f"The contract has no {request.method} {target}."
                problem = {"type": "about:blank", "title": "Not Found", "status": 404}
                return _response(404, _PROBLEM, {**problem, "detail": detail})
        return override.make(request)

    def _mock_of(self, operation: str) -> Any:
        for mock, _, _ in self._mocks:
            if mock["id"] == operation:
                return mock
        known = ", ".join(mock["id"] for mock, _, _ in self._mocks)
        raise BaseError(f"There is no operation {operation!r}. Operations: {known}.")

    def _problem(self, status: int) -> tuple[str | None, Any]:
        if status in self._failures:
            return self._failures[status]["contentType"], self._failures[status]["example"]
        try:
            title = HTTPStatus(status).phrase
        except ValueError:
            title = "Error"
        return _PROBLEM, {"type": "about:blank", "title": title, "status": status}

    def _add(self, override: _Override) -> None:
        with self._lock:
            self._overrides.append(override)

    def _overriding(self, operation: str) -> _Override | None:
        """Return the newest override of an operation that is not used up."""
        for override in reversed(self._overrides):
            if override.left > 0 and override.operation in (None, operation):
                override.left -= 1
                return override
        return None


def _pattern_of(operation: str) -> tuple[re.Pattern[str], list[str]]:
    """Return what matches a path, and the names of its parameters."""
    template = operation.partition(" ")[2]
    parts = _PARAMETER.split(template)
    texts = [re.escape(part) if index % 2 == 0 else "([^/]+?)" for index, part in enumerate(parts)]
    return re.compile("".join(texts) + "/?"), parts[1::2]


def _response(
    status: int, content_type: str | None, content: Any, headers: Mapping[str, str] | None = None
) -> httpx2.Response:
    if content_type is None:
        return httpx2.Response(status, headers=headers)
    is_json = re.search(r"[/+]json\b", content_type, re.IGNORECASE)
    body = json.dumps(content).encode() if is_json else content
    return httpx2.Response(
        status, headers={"content-type": content_type, **(headers or {})}, content=body
    )


def _unquoted(text: str) -> str:
    """Return a text as it came where it is not UTF-8."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _check_json(value: Any) -> None:
    try:
        json.dumps(json_of(value), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BaseError(f"The data cannot be written as JSON: {error}") from None


def _delay(seconds: float) -> dict[str, str]:
    """Return the headers that tell a client to wait. `Retry-After` has whole seconds."""
    headers = {RETRIES_SERVER_DELAY_HEADER: str(math.ceil(seconds))}
    if seconds != int(seconds):
        headers[RETRIES_SERVER_DELAY_MILLISECONDS_HEADER] = str(round(seconds * 1_000))
    return headers


def _json_of(request: httpx2.Request) -> Any:
    try:
        return json.loads(request.content.decode(errors="replace"))
    except ValueError:
        return None
