"""The life of a call: (attempt → wait)… → answer or error.

It is written once, as a generator of what is to be done: it yields drafts to be sent and seconds
to be waited, and is given what came of them. `sync` and `aio` do these two things, each in its way.
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
from .reply import Reply
from .retry import retry_delay
from .trace import Attempt, Span
from .unset import UNSET

T = TypeVar("T")

_RUNTIME = f"{platform.python_implementation()}/{platform.python_version()}"
USER_AGENT = f"{names.USER_AGENT}/{__version__} ({_RUNTIME})"
_JSON_TYPES = "application/json, application/problem+json"
_NOTHING = Operation()
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A request that can be sent any number of times."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    timeout: float
    """Seconds that one attempt may take."""
    settings: Settings

    def describe(self, message: str) -> str:
        """Write a message that ends with this request."""
        return describe(message, self.settings, method=self.method, url=self.url)

    def request(self, common: Mapping[str, str], timeout: float | None) -> httpx2.Request:
        """Write the request over the headers that all requests of an HTTP client have."""
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), timeout)
        return httpx2.Request(
            self.method,
            self.url,
            headers={**common, **self.headers},
            content=self.content,
            extensions={"timeout": timeouts},
        )

    def reply(self, response: httpx2.Response, content: bytes) -> Reply:
        """Make the answer to this request."""
        return Reply(
            method=self.method,
            url=self.url,
            status=response.status_code,
            headers=response.headers,
            content=content,
        )


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """What a call comes to, and the answer it was read from."""

    data: T
    reply: Reply


Steps: TypeAlias = Generator[Draft | float, Reply | names.BaseError | None, T]
"""A call: yields what is to be sent or the seconds to wait, and returns what it comes to."""


def call(
    settings: Settings,
    method: str,
    path: str,
    read: Callable[[Any], T],
    arguments: RequestArguments,
) -> Steps[Result[T]]:
    """Send a request, repeating it where that is safe, and read the answer.

    Raises what `decode` raises, and APIConnectionError where no whole answer came.
    """
    operation = operation_of(method, path, arguments)
    draft = _draft(settings, method, path, operation, arguments)
    max_retries = arguments.get("max_retries", settings.max_retries)
    check_limits(draft.timeout, max_retries)
    repeatable = operation.repeatable
    if repeatable is None:
        repeatable = method in policy.RETRIES_RETRYABLE_METHODS
    for retry in itertools.count():
        about = Attempt(
            method=method, template=path, path=path_of(draft.url, settings), retry=retry
        )
        result = yield from _attempt(draft, about)
        delay = None
        if retry < max_retries:
            delay = retry_delay(result, repeatable=repeatable, retry=retry)
        if delay is None:
            break
        wait = partial(dict[str, object], delay=delay)
        log(settings, logging.WARNING, "retry in %(delay).3f s:", about, wait)
        yield delay
    if not isinstance(result, Reply):
        raise result
    # Where there is no content the operation says so, in its return type too.
    return Result(cast("T", decode(result, read, operation, settings)), result)


def operation_of(method: str, path: str, arguments: RequestArguments) -> Operation:
    """Find what is special about an operation."""
    return arguments.get("operation") or OPERATIONS.get(f"{method} {path}", _NOTHING)


def _draft(
    settings: Settings,
    method: str,
    path: str,
    operation: Operation,
    arguments: RequestArguments,
) -> Draft:
    """Write a request. Raises the base error, with the outcome `not_sent`, where that fails."""
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
        # Without its cause, which may quote a header, and that may hold a secret.
        raise names.BaseError(f"{method} {path}: its headers or body cannot be written.") from None
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
    """Lay the headers of one call over the client's own; the caller's win."""
    headers = {
        "accept": _JSON_TYPES if operation.answer in ("json", "none") else "*/*",
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
        if not (_HEADER_NAME.fullmatch(name) and _HEADER_VALUE.fullmatch(text)):
            raise ValueError("a header that cannot be sent")
    return headers


def _idempotency(operation: Operation, arguments: RequestArguments) -> dict[str, str]:
    """Name this logical request; the name is made once and sent with every attempt."""
    key = arguments.get("idempotency_key")
    if key is None:
        header = operation.idempotency_header
        return {header.lower(): str(uuid.uuid4())} if header else {}
    if not _IDEMPOTENCY_KEY.fullmatch(key):
        raise names.BaseError("idempotency_key must be visible ASCII.")
    return {(operation.idempotency_header or policy.HEADERS_IDEMPOTENCY_KEY).lower(): key}


def _attempt(draft: Draft, about: Attempt) -> Steps[Reply | APIConnectionError]:
    """Make one attempt and report it; a connection that fails is its result."""
    settings = draft.settings
    started = clock.monotonic()
    log(settings, logging.DEBUG, "request", about, lambda: {"headers": redact(draft.headers)})
    span = Span(draft.settings.trace, about)
    try:
        result = cast("Reply | names.BaseError", (yield draft))
        span.end(result)
    finally:
        span.close()
    duration = clock.monotonic() - started
    if isinstance(result, Reply):
        log(settings, logging.INFO, "%(status)d:", about, lambda: _answer(result, duration))
        return result
    log(settings, logging.ERROR, "failure", about, lambda: _failure(result, duration))
    if isinstance(result, APIConnectionError):
        return result
    raise result


def _answer(reply: Reply, duration: float) -> Mapping[str, object]:
    return {
        "status": reply.status,
        "request_id": reply.request_id,
        "headers": redact(reply.headers),
        "duration": duration,
    }


def _failure(error: names.BaseError, duration: float) -> Mapping[str, object]:
    return {"reason": error.message, "outcome": error.outcome, "duration": duration}
