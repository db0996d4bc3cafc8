"""The options of clients and calls."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypedDict, TypeVar

import httpx2

from .._generated import names
from .._generated.contract import BASE_URL, CREDENTIAL, PATH_PREFIX
from .._generated.policy import LogLevel
from .levels import PACKAGE_LOGGER, threshold_of
from .mismatches import MismatchHook
from .operation import Operation
from .trace import Trace

Hook = TypeVar("Hook")

_KEY = re.compile(r"[\x21-\x7e]+")
# Stricter than the parser, which accepts white space, and credentials, a query or a fragment that are empty.
_BASE_URL = re.compile(r"https?://[^/\\\s?#@]+(/[^\\\s?#]*)?", re.IGNORECASE)


class RequestOptions(TypedDict, total=False):
    """The options of a call: keyword arguments of every method."""

    idempotency_key: str | None
    """Identifies one logical request, with the same value on every attempt. Defaults to a new UUID
    for operations that take a key."""
    timeout: float | None
    """The limit for one attempt in seconds, from connecting to the end of the body. None for no
    limit. Defaults to that of the client."""
    connect_timeout: float | None
    """The limit for opening a connection in seconds, within `timeout`. None for no limit of its
    own. Defaults to that of the client."""
    max_retries: int
    """The maximum number of retries of a failed request, where a retry is safe. Defaults to that of
    the client."""
    extra_headers: Mapping[str, str | None] | None
    """Headers to add or replace. None removes a header."""
    extra_query: Mapping[str, object] | None
    """Query parameters to add or replace. None removes a parameter."""
    extra_body: Mapping[str, object] | None
    """Members to add to the body, or to replace in it."""
    middleware: Sequence[Callable[..., Any]] | None
    """Functions around every attempt, closer to the wire than those of the client."""
    strict: bool | None
    """Whether a response that does not match the contract raises InvalidResponseError. Defaults to
    that of the client."""
    on_mismatch: MismatchHook | None
    """Called for every field of a response that does not match the contract. Defaults to that of the
    client."""


class RequestArguments(RequestOptions, total=False):
    """The parts of a request beside its method and path."""

    path_params: Mapping[str, object]
    """The values of the placeholders in the path."""
    query: Mapping[str, object]
    """The query parameters. None and UNSET are omitted."""
    headers: Mapping[str, object]
    """The header parameters of the operation. None and UNSET are omitted."""
    body: object
    """The body: a value for JSON and forms, otherwise bytes."""
    operation: Operation
    """The facts about an operation that is not in the contract."""


_OF_CALLS = frozenset(["middleware", "strict", "on_mismatch"])
"""The options of a call that change the settings of its client."""


class SharedOptions(TypedDict, total=False):
    """The options of blocking and asynchronous clients, which a clone can change."""

    api_key: str | None
    """The API key. Defaults to the environment variable."""
    base_url: str | None
    """The address of the API, without the version prefix. Defaults to the environment variable."""
    timeout: float | None
    """The limit for one attempt in seconds, from connecting to the end of the body. None for no
    limit."""
    connect_timeout: float | None
    """The limit for opening a connection in seconds, within `timeout`. None for no limit of its
    own."""
    max_retries: int
    """The maximum number of retries of a failed request, where a retry is safe."""
    default_headers: Mapping[str, str | None] | None
    """Headers of every request. None removes a header."""
    default_query: Mapping[str, object] | None
    """Query parameters of every request."""
    strict: bool
    """Whether a response that does not match the contract raises InvalidResponseError."""
    on_mismatch: MismatchHook | None
    """Called for every field of a response that does not match the contract."""
    logger: logging.Logger | None
    """Logs every attempt. Defaults to the logger with the name of this package."""
    log_level: LogLevel | None
    """What is logged. Defaults to the environment variable, then to what the logger lets through."""
    trace: Trace | None
    """A hook around every attempt, for spans and metrics."""


Middleware = Callable[
    [httpx2.Request, Callable[[httpx2.Request], httpx2.Response]], httpx2.Response
]
"""Wraps every attempt: `def middleware(request, next): return next(request)`.

It gets the request as it will be sent, with credentials, and returns the response, whose body is not
read yet. It may change both, return a response without calling `next`, or raise: its errors reach the
caller unchanged. `request.extensions` has the `Attempt` under the name of this package.
"""

AsyncMiddleware = Callable[..., Any]
"""`Middleware` of an asynchronous client: `async def middleware(request, next): return await
next(request)`."""


class ClientOptions(SharedOptions, total=False):
    """The options of a client, which a clone can change."""

    http_client: httpx2.Client | None
    """Sends the requests, for proxies, certificates and tests."""
    middleware: Sequence[Middleware]
    """Functions around every attempt, the first outermost."""


class AsyncClientOptions(SharedOptions, total=False):
    """The options of an asynchronous client, which a clone can change."""

    http_client: httpx2.AsyncClient | None
    """Sends the requests, for proxies, certificates and tests."""
    middleware: Sequence[AsyncMiddleware]
    """Functions around every attempt, the first outermost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of a client, validated and complete."""

    api_key: str = field(repr=False)
    """Empty if the API needs no key."""
    base_url: str
    timeout: float | None
    connect_timeout: float | None
    max_retries: int
    default_headers: Mapping[str, str | None] = field(repr=False)
    default_query: Mapping[str, object] = field(repr=False)
    middleware: tuple[Callable[..., Any], ...]
    strict: bool
    on_mismatch: MismatchHook | None
    given_logger: logging.Logger | None
    log_level: LogLevel | None
    log_threshold: int
    trace: Trace | None
    warned: set[tuple[str, str]] = field(default_factory=set, repr=False)
    """The models and fields whose mismatch was logged. Clones share it."""

    @property
    def logger(self) -> logging.Logger:
        """The logger of the caller, otherwise that of this package."""
        return self.given_logger or PACKAGE_LOGGER

    def for_call(self, arguments: RequestArguments) -> Settings:
        """Return the settings of one call. None counts as not given."""
        if _OF_CALLS.isdisjoint(arguments):
            return self
        wrappers = _check_middleware(arguments.get("middleware") or ())
        strict = arguments.get("strict")
        return replace(
            self,
            middleware=(*self.middleware, *wrappers),
            strict=self.strict if strict is None else bool(strict),
            on_mismatch=_check_hook("on_mismatch", arguments.get("on_mismatch"))
            or self.on_mismatch,
        )

    def changed(self, options: Mapping[str, Any]) -> Settings:
        """Return settings of a clone with other options."""
        same = {one.name: getattr(self, one.name) for one in fields(self)}
        same["logger"] = same.pop("given_logger")
        del same["log_threshold"]
        return resolve_options(**{**same, **options})


def resolve_options(
    *,
    api_key: str | None,
    base_url: str | None,
    timeout: float | None,
    connect_timeout: float | None,
    max_retries: int,
    default_headers: Mapping[str, str | None] | None,
    default_query: Mapping[str, object] | None,
    middleware: Sequence[Callable[..., Any]],
    strict: bool,
    on_mismatch: MismatchHook | None,
    logger: logging.Logger | None,
    log_level: LogLevel | None,
    trace: Trace | None,
    warned: set[tuple[str, str]] | None = None,
) -> Settings:
    """Validate the options of a client and fill in defaults.

    Raises the base error with the outcome `not_sent` for an invalid option.
    """
    check_limits(timeout=timeout, connect_timeout=connect_timeout, max_retries=max_retries)
    mappings = {"default_headers": default_headers, "default_query": default_query}
    for name, mapping in mappings.items():
        if not isinstance(mapping, Mapping | None):
            raise names.BaseError(f"{name} must be a mapping.")
    return Settings(
        api_key=_check_key(_given(api_key, names.ENV_API_KEY)) if CREDENTIAL else "",
        base_url=_check_base_url(_given(base_url, names.ENV_BASE_URL, BASE_URL)),
        timeout=timeout,
        connect_timeout=connect_timeout,
        max_retries=max_retries,
        default_headers=dict(default_headers or {}),
        default_query=dict(default_query or {}),
        middleware=_check_middleware(middleware),
        strict=bool(strict),
        on_mismatch=_check_hook("on_mismatch", on_mismatch),
        given_logger=logger,
        log_level=log_level,
        log_threshold=threshold_of(log_level, logger),
        trace=_check_hook("trace", trace),
        warned=set() if warned is None else warned,
    )


def _check_middleware(given: Any) -> tuple[Callable[..., Any], ...]:
    functions = tuple(given) if isinstance(given, Sequence) else (given,)
    if not all(map(callable, functions)):
        raise names.BaseError("middleware must be callable.")
    return functions


def _check_hook(name: str, given: Hook) -> Hook:
    if given is not None and not callable(given):
        raise names.BaseError(f"{name} must be callable.")
    return given


def check_limits(**limits: Any) -> None:
    """Raise the base error for an invalid timeout or number of retries."""
    for name, limit in limits.items():
        is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if name == "max_retries":
            if not (is_number and isinstance(limit, int) and limit >= 0):
                raise names.BaseError("max_retries must be a whole number, 0 or more.")
        elif limit is not None and not (
            is_number and math.isfinite(limit) and 0 < limit < 2**31 / 1_000
        ):
            raise names.BaseError(f"{name} must be a number of seconds above 0 and below 2147483.")


def _given(option: str | None, variable: str, default: str | None = None) -> str | None:
    """Return the option, otherwise the environment variable. A blank variable counts as unset."""
    return os.environ.get(variable, "").strip() or default if option is None else option


# The messages below never quote a value, because a mixed-up option may hold the key.


def _check_key(key: Any) -> str:
    if key is None:
        raise names.BaseError(f"No API key. Pass api_key or set {names.ENV_API_KEY}.")
    if isinstance(key, str) and _KEY.fullmatch(key):
        return key
    raise names.BaseError(
        "The API key is empty, or contains white space or other invalid characters."
    )


def _check_base_url(base_url: Any) -> str:
    if base_url is None:
        raise names.BaseError(
            f"No base URL. Pass base_url or set {names.ENV_BASE_URL}. "
            f"To start a mock of the API: {names.START_MOCK}"
        )
    text = str(base_url).strip()
    try:
        url = httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError):
        url = httpx2.URL()
    if not (url.host and _BASE_URL.fullmatch(text)):
        raise names.BaseError(
            "The base URL must be an http:// or https:// URL without white space, credentials, "
            "query or fragment."
        )
    path = url.raw_path.decode("ascii").rstrip("/")
    base = f"{url.scheme}://{url.netloc.decode('ascii')}{path}"
    if PATH_PREFIX and base.endswith(PATH_PREFIX):
        raise names.BaseError(
            f"The paths add {PATH_PREFIX} to the base URL. "
            f"Use {base.removesuffix(PATH_PREFIX)} without it."
        )
    return base
