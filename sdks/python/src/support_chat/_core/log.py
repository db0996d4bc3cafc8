"""Lines about attempts, in Python's own logging."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from .._generated import policy
from .._generated.contract import CREDENTIAL
from .trace import Attempt

_SECRET = frozenset([*policy.REDACTION_HEADERS, *([CREDENTIAL.header] if CREDENTIAL else [])])


def log(
    logger: logging.Logger,
    level: int,
    text: str,
    about: Attempt,
    more: Callable[[], Mapping[str, object]],
) -> None:
    """Write a line about an attempt; what it says is also attributes of the log record.

    A handler that raises never fails the call it reports on.
    """
    if not logger.isEnabledFor(level):
        return
    with suppress(Exception):
        fields = {
            "method": about.method,
            "template": about.template,
            "path": about.path,
            "retry": about.retry,
            **more(),
        }
        logger.log(level, f"{text} %(method)s %(path)s", fields, extra=fields)


def redact(headers: Mapping[str, str]) -> dict[str, str]:
    """Give the headers as a dict, with the values of those that may hold a secret replaced."""
    return {
        name: policy.REDACTION_TEXT if name in _SECRET else value for name, value in headers.items()
    }
