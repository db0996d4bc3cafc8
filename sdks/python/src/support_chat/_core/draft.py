"""Requests that can be sent again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .._generated import names, policy
from .._generated.contract import CREDENTIAL, OPERATIONS
from .._version import __version__
from .body import write_body
from .message import describe
from .model import json_of, text_of
from .operation import Operation
from .options import RequestArguments, Settings, check_limits
from .path import fill_path, items_of
from .query import write_query
from .unset import UNSET
from .unwritable import reason_of

_JSON_TYPES = "application/json, application/problem+json"
_PLAIN = Operation()
_BODILESS = ("GET", "HEAD")
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
    timeout: float | None
    """The limit for one attempt, in seconds."""
    connect_timeout: float | None
    """The limit for opening a connection, in seconds."""
    is_streamed: bool
    """Whether the caller reads the body of a success."""
    settings: Settings

    def describe(self, message: str) -> str:
        """Return a message that ends with this request."""
        return describe(message, self.settings, method=self.method, url=self.url)


class _Headers(dict[str, object]):
    """Headers whose values no traceback shows that prints local variables."""

    def __repr__(self) -> str:
        return f"<headers {', '.join(self)}>"


def operation_of(method: str, path: str, arguments: RequestArguments) -> Operation:
    """Return the facts about an operation."""
    return arguments.get("operation") or OPERATIONS.get(f"{method} {path}", _PLAIN)


def make_draft(
    settings: Settings,
    method: str,
    path: str,
    operation: Operation,
    arguments: RequestArguments,
    *,
    is_streamed: bool,
) -> Draft:
    """Build a request. Raises the base error with the outcome `not_sent` if that fails."""
    unknown = sorted(arguments.keys() - RequestArguments.__annotations__.keys())
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}")
    timeout = arguments.get("timeout", settings.timeout)
    connect_timeout = arguments.get("connect_timeout", settings.connect_timeout)
    check_limits(timeout=timeout, connect_timeout=connect_timeout)
    filled = fill_path(path, arguments.get("path_params") or {})
    query = _query(settings, arguments)
    content_type = operation.content_type
    body = arguments.get("body", UNSET)
    extra = arguments.get("extra_body")
    if extra:
        if method in _BODILESS:
            raise names.BaseError(f"A {method} request has no body. Use extra_query instead.")
        if body is UNSET:
            body, content_type = {}, "application/json"
        body = {**_members(body), **extra}
    headers = _Headers()
    try:
        text = write_query(query, operation.query)
        content, own = write_body(body, content_type)
        headers = _merged_headers(settings, operation, own, arguments)
        written = {name: _header(name, value) for name, value in headers.items()}
    except (TypeError, ValueError, RecursionError):
        # Without the cause, which may quote a header with a secret.
        parts = {"query": query, "header": headers, "body": body}
        raise names.BaseError(f"{method} {path}: {reason_of(parts)}.") from None
    return Draft(
        method=method,
        url=f"{settings.base_url}{filled}{text and '?'}{text}",
        headers=written,
        content=content,
        timeout=timeout,
        connect_timeout=connect_timeout,
        is_streamed=is_streamed,
        settings=settings,
    )


def _query(settings: Settings, arguments: RequestArguments) -> dict[str, object]:
    """Merge the query of a call over that of the client. None in `extra_query` removes a parameter."""
    own = arguments.get("query") or {}
    given = {name: value for name, value in own.items() if value is not None and value is not UNSET}
    return {**settings.default_query, **given, **(arguments.get("extra_query") or {})}


def _members(body: Any) -> Mapping[str, Any]:
    """Return the members of a body, to which those of a call are added."""
    members = body if isinstance(body, Mapping) else json_of(body)
    if not isinstance(members, Mapping):
        raise names.BaseError("extra_body needs a body that is an object.")
    return members


def _merged_headers(
    settings: Settings,
    operation: Operation,
    own: Mapping[str, str],
    arguments: RequestArguments,
) -> _Headers:
    """Merge the headers of one call over those of the client. None removes a header."""
    headers = _Headers()
    headers["accept"] = _JSON_TYPES if operation.response in ("json", "none") else "*/*"
    headers[policy.HEADERS_USER_AGENT] = _user_agent()
    if CREDENTIAL:
        headers[CREDENTIAL.header] = CREDENTIAL.prefix + settings.api_key
    _merge(headers, settings.default_headers)
    headers |= own
    headers |= _idempotency(operation, arguments)
    for name, value in (arguments.get("headers") or {}).items():
        if value is not None and value is not UNSET:
            headers[name.lower()] = ",".join(map(text_of, items_of(json_of(value))))
    _merge(headers, arguments.get("extra_headers") or {})
    return headers


def _merge(headers: dict[str, object], more: Mapping[str, str | None]) -> None:
    for name, value in more.items():
        headers.pop(name.lower(), None)
        if value is not None:
            headers[name.lower()] = value


def _header(name: str, value: object) -> str:
    if not _HEADER_NAME.fullmatch(name):
        raise names.BaseError("The name of a header is invalid.")
    if not isinstance(value, str):
        raise TypeError(name)
    if not _HEADER_VALUE.fullmatch(value):
        raise names.BaseError(
            "The value of a header contains a control character or non-ASCII text."
        )
    return value.strip("\t ")


# Both import what a program that only imports this package does not need.


@cache
def _user_agent() -> str:
    import platform

    runtime = f"{platform.python_implementation()}/{platform.python_version()}"
    return f"{names.USER_AGENT}/{__version__} ({runtime})"


def _fresh_key() -> str:
    import uuid

    return str(uuid.uuid4())


def _idempotency(operation: Operation, arguments: RequestArguments) -> dict[str, str]:
    """Return the idempotency key, which is made once and sent with every attempt."""
    key = arguments.get("idempotency_key")
    header = (operation.idempotency_header or policy.HEADERS_IDEMPOTENCY_KEY).lower()
    if key is None:
        # One that the client has for all calls would make each call a retry of the first.
        return {header: _fresh_key()} if operation.idempotency_header else {}
    if not isinstance(key, str) or not _IDEMPOTENCY_KEY.fullmatch(key):
        raise names.BaseError("The idempotency key must be visible ASCII.")
    return {header: key}
