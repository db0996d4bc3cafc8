"""The options of clients and calls."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

import httpx2

from .._generated import names
from .._generated.contract import CREDENTIAL, PATH_PREFIX

if TYPE_CHECKING:
    from .operation import Operation
    from .trace import Trace

_KEY = re.compile(r"[\x21-\x7e]+")
# Stricter than the parser, which accepts white space, and credentials, a query or a fragment that are empty.
_BASE_URL = re.compile(r"https?://[^/\\\s?#@]+(/[^\\\s?#]*)?", re.IGNORECASE)

PACKAGE_LOGGER = logging.getLogger(__package__.partition(".")[0])
# Without a handler, Python writes warnings to stderr.
PACKAGE_LOGGER.addHandler(logging.NullHandler())


class RequestOptions(TypedDict, total=False):
    """The options of a call: keyword arguments of every method."""

    idempotency_key: str
    """Identifies one logical request, with the same value on every attempt. Defaults to a new UUID
    for operations that take a key."""
    timeout: float
    """The limit for one attempt in seconds, from connecting to the end of the body. Defaults to that
    of the client."""
    max_retries: int
    """The maximum number of retries of a failed request, where a retry is safe. Defaults to that of
    the client."""
    extra_headers: Mapping[str, str | None]
    """Headers to add or replace. None removes a header."""


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


class ClientOptions(TypedDict, total=False):
    """The options of a client, which a clone can change."""

    api_key: str | None
    base_url: str | None
    timeout: float
    max_retries: int
    logger: logging.Logger | None
    trace: Trace | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of a client, validated and complete."""

    api_key: str = field(repr=False)
    """Empty if the API needs no key."""
    base_url: str
    timeout: float
    max_retries: int
    logger: logging.Logger
    trace: Trace | None


def resolve_options(
    *,
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    logger: logging.Logger | None,
    trace: Trace | None,
) -> Settings:
    """Validate the options of a client and fill in defaults.

    Raises the base error with the outcome `not_sent` for an invalid option.
    """
    check_limits(timeout, max_retries)
    return Settings(
        api_key=_check_key(_given(api_key, names.ENV_API_KEY)) if CREDENTIAL else "",
        base_url=_check_base_url(_given(base_url, names.ENV_BASE_URL)),
        timeout=timeout,
        max_retries=max_retries,
        logger=logger or PACKAGE_LOGGER,
        trace=trace,
    )


def check_limits(timeout: Any, max_retries: Any) -> None:
    """Raise the base error for an invalid timeout or number of retries."""
    number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not (number and math.isfinite(timeout) and 0 < timeout < 2**31 / 1_000):
        raise names.BaseError("timeout must be a number of seconds above 0 and below 2147483.")
    if not (
        isinstance(max_retries, int) and not isinstance(max_retries, bool) and max_retries >= 0
    ):
        raise names.BaseError("max_retries must be a whole number, 0 or more.")


def _given(option: str | None, variable: str) -> str | None:
    """Return the option, otherwise the environment variable. A blank variable counts as unset."""
    return os.environ.get(variable, "").strip() or None if option is None else option


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
