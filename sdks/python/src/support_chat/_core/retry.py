"""Decides about retries."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from .._generated import policy
from . import clock
from .response import HTTPResponse

if TYPE_CHECKING:
    import httpx2

    from .errors import APIConnectionError

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_HTTP_DATE = re.compile(
    r"\w+, \d\d[ -]\w{3}[ -](\d\d){1,2} [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}", re.ASCII
)


def retry_delay(
    result: HTTPResponse | APIConnectionError, *, retryable: bool, retry: int
) -> float | None:
    """Return the seconds to wait before a retry. Returns None if the request must not be retried.

    `retryable` says whether a second effect is impossible. `retry` is 0 for the first retry.
    """
    if not isinstance(result, HTTPResponse):
        return _backoff(retry) if retryable or result.outcome == "not_sent" else None
    statuses = policy.RETRIES_RETRYABLE_STATUSES if retryable else policy.RETRIES_OTHER_STATUSES
    if result.status not in statuses:
        return None
    requested = server_delay(result.headers)
    if requested is None:
        return _backoff(retry)
    return requested if requested <= policy.RETRIES_SERVER_DELAY_MAX_MS / 1_000 else None


def server_delay(headers: httpx2.Headers) -> float | None:
    """Return the delay in seconds that the service requests. None without a usable header."""
    milliseconds = _number(headers.get(policy.RETRIES_SERVER_DELAY_MILLISECONDS_HEADER))
    if milliseconds is not None:
        return milliseconds / 1_000
    value = headers.get(policy.RETRIES_SERVER_DELAY_HEADER)
    seconds = _number(value)
    return _until(value) if seconds is None else seconds


def _backoff(retry: int) -> float:
    full: float = policy.RETRIES_BACKOFF_INITIAL_MS * policy.RETRIES_BACKOFF_FACTOR**retry
    low, high = policy.RETRIES_BACKOFF_JITTER_FROM, policy.RETRIES_BACKOFF_JITTER_TO
    jitter = low + (high - low) * clock.random()
    return min(full, policy.RETRIES_BACKOFF_MAX_MS) * jitter / 1_000


def _number(value: str | None) -> float | None:
    return float(value) if value and _NUMBER.fullmatch(value) else None


def _until(value: str | None) -> float | None:
    # The three forms of RFC 9110. The parser alone accepts nearly anything, some as local time.
    if not value or not _HTTP_DATE.fullmatch(value):
        return None
    try:
        moment = parsedate_to_datetime(f"{value.removesuffix(' GMT')} GMT").timestamp()
    except (ValueError, OverflowError):
        return None
    delay = moment - clock.now()
    return delay if delay >= 0 else None
