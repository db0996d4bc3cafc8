"""The log levels, and the logger of this package."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping

from .._generated import names, policy
from .._generated.policy import LogLevel

_LEVELS: Mapping[str, int] = {
    "off": logging.CRITICAL + 1,
    "error": logging.ERROR,
    "warn": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}

PACKAGE_LOGGER = logging.getLogger(__name__.partition(".")[0])
# Without a handler, Python writes warnings to stderr.
PACKAGE_LOGGER.addHandler(logging.NullHandler())


class _Stderr(logging.Handler):
    """Writes to stderr in a program that has not configured logging."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        if not logging.getLogger().handlers:
            sys.stderr.write(f"{self.format(record)}\n")


def threshold_of(level: LogLevel | None, logger: logging.Logger | None) -> int:
    """Return the lowest level that is logged.

    The environment variable is the default. With it, the logger of this package writes to stderr if
    the program has not configured logging. Raises the base error for an unknown level.
    """
    variable = "" if level else os.environ.get(names.ENV_LOG, "").strip()
    chosen = level or variable
    if not chosen:
        return logging.NOTSET
    if chosen not in _LEVELS:
        source = "log_level" if level else names.ENV_LOG
        raise names.BaseError(f"{source} must be one of {', '.join(policy.LOG_LEVELS)}.")
    if logger is None:
        PACKAGE_LOGGER.setLevel(_LEVELS[chosen])
        if not any(isinstance(handler, _Stderr) for handler in PACKAGE_LOGGER.handlers):
            handler = _Stderr()
            handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
            PACKAGE_LOGGER.addHandler(handler)
    return _LEVELS[chosen]
