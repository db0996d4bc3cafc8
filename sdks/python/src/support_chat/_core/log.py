"""Logs attempts with the logging module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from .._generated import policy
from .._generated.contract import CREDENTIAL
from .message import without_key
from .options import Settings
from .trace import Attempt

_SECRET = frozenset([*policy.REDACTION_HEADERS, *([CREDENTIAL.header] if CREDENTIAL else [])])


def log(
    settings: Settings,
    level: int,
    text: str,
    more: Callable[[], Mapping[str, object]],
    attempt: Attempt,
) -> None:
    """Log a line about an attempt without the key. The log record has the fields as attributes.

    A log handler that raises never fails the call.
    """
    logger = settings.logger
    if level < settings.log_threshold or not logger.isEnabledFor(level):
        return
    with suppress(Exception):
        fields = {
            "operation": attempt.operation,
            "method": attempt.method,
            "template": attempt.template,
            "path": attempt.path,
            "retry": attempt.retry,
            **more(),
        }
        shown = {name: _shown(value, settings) for name, value in fields.items()}
        logger.log(level, f"{text} %(method)s %(path)s", shown, extra=shown)


def _shown(value: object, settings: Settings) -> object:
    """Return a value without the key."""
    if isinstance(value, dict):
        return {name: _shown(item, settings) for name, item in value.items()}
    return without_key(value, settings) if isinstance(value, str) else value


def redact(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers as a dict, with secret values redacted."""
    return {
        name: policy.REDACTION_TEXT if name in _SECRET else value for name, value in headers.items()
    }
