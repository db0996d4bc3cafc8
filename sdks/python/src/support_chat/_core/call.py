"""The course of a call: (attempt → wait)… → response or error.

One generator serves both clients. It yields drafts to send and seconds to wait, and receives the
result of each step. `sync` and `aio` carry out the steps.
"""

from __future__ import annotations

import itertools
import logging
import platform
import re
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar, cast

import httpx2

from .._generated import names, policy
from .._generated.contract import CREDENTIAL, OPERATIONS
from .._version import __version__
from . import clock
from .body import write_body
from .decode import decode
from .errors import APIConnectionError
from .log import log, redact
from .message import describe, path_of
from .model import json_of, text_of
from .operation import Operation
from .options import RequestArguments, Settings, check_limits
from .path import fill_path, items_of
from .query import write_query
from .response import HTTPResponse
from .retry import retry_delay
from .trace import Attempt, Span
from .unset import UNSET

T = TypeVar("T")

_RUNTIME = f"{platform.python_implementation()}/{platform.python_version()}"
USER_AGENT = f"{names.USER_AGENT}/{__version__} ({_RUNTIME})"
_JSON_TYPES = "application/json, application/problem+json"
_PLAIN = Operation()
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A request that can be sent again."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    timeout: float
    """The limit for one attempt, in seconds."""
    settings: Settings

    def describe(self, message: str) -> str:
        """Return a message that ends with this request."""
        return describe(message, self.settings, method=self.method, url=self.url)

    def request(self, common: Mapping[str, str], timeout: float | None) -> httpx2.Request:
        """Build the request, on top of the headers that the HTTP client adds to all requests."""
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), timeout)
        return httpx2.Request(
            self.method,
            self.url,
            headers={**common, **self.headers},
            content=self.content,
            extensions={"timeout": timeouts},
        )

    def response_of(self, received: httpx2.Response, content: bytes) -> HTTPResponse:
        """Build the response to this request."""
        return HTTPResponse(
            method=self.method,
            url=self.url,
            status=received.status_code,
            headers=received.headers,
            content=content,
        )


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """The data that a call returns, and the response with it."""

    data: T
    response: HTTPResponse


Steps: TypeAlias = Generator[Draft | float, HTTPResponse | names.BaseError | None, T]
"""The steps of a call: yields a draft to send or the seconds to wait, and returns the result."""


def call(
    settings: Settings,
    method: str,
    path: str,
    read: Callable[[Any], T],
    arguments: RequestArguments,
) -> Steps[Result[T]]:
    """Send a request, retry it where that is safe, and read the response.

    Raises what `decode` raises, and APIConnectionError if no complete response arrives.
    """
    operation = operation_of(method, path, arguments)
    draft = _draft(settings, method, path, operation, arguments)
    max_retries = arguments.get("max_retries", settings.max_retries)
    check_limits(draft.timeout, max_retries)
    retryable = operation.retryable
    if retryable is None:
        retryable = method in policy.RETRIES_RETRYABLE_METHODS
    for retry in itertools.count():
        attempt = Attempt(
            method=method, template=path, path=path_of(draft.url, settings), retry=retry
        )
        result = yield from _run(draft, attempt)
        delay = None
        if retry < max_retries:
            delay = retry_delay(result, retryable=retryable, retry=retry)
        if delay is None:
            break
        wait = partial(dict[str, object], delay=delay)
        log(settings, logging.WARNING, "retry in %(delay).3f s:", attempt, wait)
        yield delay
    if not isinstance(result, HTTPResponse):
        raise result
    # If there may be no content, the return type of the operation includes None.
    return Result(cast("T", decode(result, read, operation, settings)), result)


def operation_of(method: str, path: str, arguments: RequestArguments) -> Operation:
    """Return the facts about an operation."""
    return arguments.get("operation") or OPERATIONS.get(f"{method} {path}", _PLAIN)


def _draft(
    settings: Settings,
    method: str,
    path: str,
    operation: Operation,
    arguments: RequestArguments,
) -> Draft:
    """Build a request. Raises the base error with the outcome `not_sent` if that fails."""
    unknown = sorted(arguments.keys() - RequestArguments.__annotations__.keys())
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}")
    filled = fill_path(path, arguments.get("path_params", {}))
    query = write_query(arguments.get("query", {}), operation.query)
    try:
        body = arguments.get("body", UNSET)
        content, headers = write_body(body, operation.content_type)
        headers |= _idempotency(operation, arguments)
        headers = _headers(settings, operation, headers, arguments)
    except (TypeError, ValueError, RecursionError):
        # Without the cause, which may quote a header with a secret.
        raise names.BaseError(
            f"{method} {path}: the query, a header or the body cannot be serialized."
        ) from None
    return Draft(
        method=method,
        url=f"{settings.base_url}{filled}{query and '?'}{query}",
        headers=headers,
        content=content,
        timeout=arguments.get("timeout", settings.timeout),
        settings=settings,
    )


def _headers(
    settings: Settings,
    operation: Operation,
    own: Mapping[str, str],
    arguments: RequestArguments,
) -> dict[str, str]:
    """Merge the headers of one call over those of the client."""
    headers = {
        "accept": _JSON_TYPES if operation.response in ("json", "none") else "*/*",
        policy.HEADERS_USER_AGENT: USER_AGENT,
    }
    if CREDENTIAL:
        headers[CREDENTIAL.header] = CREDENTIAL.prefix + settings.api_key
    headers |= own
    for name, value in arguments.get("headers", {}).items():
        if value is not None and value is not UNSET:
            headers[name.lower()] = ",".join(map(text_of, items_of(json_of(value))))
    for name, given in arguments.get("extra_headers", {}).items():
        headers.pop(name.lower(), None)
        if given is not None:
            headers[name.lower()] = given
    for name, text in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise names.BaseError("The name of a header is invalid.")
        if not _HEADER_VALUE.fullmatch(text):
            raise names.BaseError(
                "The value of a header contains a control character or non-ASCII text."
            )
    return headers


def _idempotency(operation: Operation, arguments: RequestArguments) -> dict[str, str]:
    """Return the idempotency key, which is made once and sent with every attempt."""
    key = arguments.get("idempotency_key")
    if key is None:
        header = operation.idempotency_header
        return {header.lower(): str(uuid.uuid4())} if header else {}
    if not _IDEMPOTENCY_KEY.fullmatch(key):
        raise names.BaseError("The idempotency key must be visible ASCII.")
    return {(operation.idempotency_header or policy.HEADERS_IDEMPOTENCY_KEY).lower(): key}


def _run(draft: Draft, attempt: Attempt) -> Steps[HTTPResponse | APIConnectionError]:
    """Make one attempt and log it. A failed connection is a result."""
    settings = draft.settings
    started = clock.monotonic()
    log(settings, logging.DEBUG, "request", attempt, lambda: {"headers": redact(draft.headers)})
    span = Span(draft.settings.trace, attempt)
    try:
        result = cast("HTTPResponse | names.BaseError", (yield draft))
        span.end(result)
    finally:
        span.close()
    duration = clock.monotonic() - started
    if isinstance(result, HTTPResponse):
        log(
            settings,
            logging.INFO,
            "%(status)d:",
            attempt,
            lambda: _response_fields(result, duration),
        )
        return result
    log(settings, logging.ERROR, "failure", attempt, lambda: _failure_fields(result, duration))
    if isinstance(result, APIConnectionError):
        return result
    raise result


def _response_fields(response: HTTPResponse, duration: float) -> Mapping[str, object]:
    return {
        "status": response.status,
        "request_id": response.request_id,
        "headers": redact(response.headers),
        "duration": duration,
    }


def _failure_fields(error: names.BaseError, duration: float) -> Mapping[str, object]:
    return {"reason": error.message, "outcome": error.outcome, "duration": duration}
