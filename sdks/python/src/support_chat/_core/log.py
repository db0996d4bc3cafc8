"""Lines about attempts, in Python's own logging."""

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
    about: Attempt,
    more: Callable[[], Mapping[str, object]],
) -> None:
    """Write a line about an attempt, without the key; it is also attributes of the log record.

    A handler that raises never fails the call it reports on.
    """
    logger = settings.logger
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
        shown = {name: _shown(value, settings) for name, value in fields.items()}
        logger.log(level, f"{text} %(method)s %(path)s", shown, extra=shown)


def _shown(value: object, settings: Settings) -> object:
    """Give a value whose texts do not hold the key."""
    if isinstance(value, dict):
        return {name: _shown(item, settings) for name, item in value.items()}
    return without_key(value, settings) if isinstance(value, str) else value


def redact(headers: Mapping[str, str]) -> dict[str, str]:
    """Give the headers as a dict, with the values of those that may hold a secret replaced."""
    return {
        name: policy.REDACTION_TEXT if name in _SECRET else value for name, value in headers.items()
    }
