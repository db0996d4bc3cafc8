"""What clients and calls can be told."""

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
_SPACE = re.compile(r"\s")

PACKAGE_LOGGER = logging.getLogger(__package__.partition(".")[0])
# Without a handler of its own, Python would write warnings to stderr unasked.
PACKAGE_LOGGER.addHandler(logging.NullHandler())


class RequestOptions(TypedDict, total=False):
    """What one call may do differently: keyword arguments of every method."""

    idempotency_key: str
    """Identifies one logical request, equal on every attempt of it. By default a fresh UUID for
    operations that take one."""
    timeout: float
    """Seconds that one attempt may take, from connecting to the end of the body. By default the
    client's."""
    max_retries: int
    """How many times a failed request is repeated, where repeating is safe. By default the
    client's."""
    extra_headers: Mapping[str, str | None]
    """Sent beside the client's own headers and over them; None takes one away."""


class RequestArguments(RequestOptions, total=False):
    """What a request is made from, beside its method and path."""

    path_params: Mapping[str, object]
    """Values for the placeholders of the path."""
    query: Mapping[str, object]
    """The parameters of the query; None and UNSET are left out."""
    headers: Mapping[str, object]
    """Headers that the operation itself has; None and UNSET are left out."""
    body: object
    """What the operation's media type asks for: a value for JSON or a form, else its bytes."""
    operation: Operation
    """What is special about an operation that the contract does not list."""


class ClientOptions(TypedDict, total=False):
    """What a client can be told, and changed in a clone."""

    api_key: str | None
    base_url: str | None
    timeout: float
    max_retries: int
    logger: logging.Logger | None
    trace: Trace | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A client's options once they are checked and nothing is left open."""

    api_key: str = field(repr=False)
    """Empty where the API needs none."""
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
    """Check a client's options and fill in what is left out.

    Raises the base error with the outcome `not_sent` for an option that cannot be used.
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
    """Raise the base error for a number that nothing can wait or that counts no retries."""
    number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not (number and math.isfinite(timeout) and 0 < timeout < 2**31 / 1_000):
        raise names.BaseError("timeout must be seconds, above 0 and below 2147483.")
    if not (
        isinstance(max_retries, int) and not isinstance(max_retries, bool) and max_retries >= 0
    ):
        raise names.BaseError("max_retries must be a whole number from 0.")


def _given(option: str | None, variable: str) -> str | None:
    """Give the option, else the environment's value; a blank one counts as unset."""
    return os.environ.get(variable, "").strip() or None if option is None else option


# The messages below never quote what was given: options get mixed up, and it may be the key.


def _check_key(key: Any) -> str:
    if key is None:
        raise names.BaseError(f"No API key. Pass api_key or set {names.ENV_API_KEY}.")
    if isinstance(key, str) and _KEY.fullmatch(key):
        return key
    raise names.BaseError("The API key is empty or has a space, a line break or the like.")


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
    if url.scheme not in ("http", "https") or not url.host or _SPACE.search(text):
        raise names.BaseError("The base URL must begin with http:// or https:// and a host.")
    if url.userinfo or url.query or url.fragment:
        raise names.BaseError("The base URL must have no user name, password, query or fragment.")
    path = url.raw_path.decode("ascii").rstrip("/?")
    base = f"{url.scheme}://{url.netloc.decode('ascii')}{path}"
    if PATH_PREFIX and base.endswith(PATH_PREFIX):
        raise names.BaseError(
            f"The paths add {PATH_PREFIX} to the base URL. "
            f"Use {base.removesuffix(PATH_PREFIX)} without it."
        )
    return base
