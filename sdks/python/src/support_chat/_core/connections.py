"""The connections of a client and its clones."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

Http = TypeVar("Http")


class Connections(Generic[Http]):
    """An HTTP client that is opened when it is needed, in every process anew.

    A forked process inherits open connections. On a shared connection, parent and child would read
    each other's responses.
    """

    __slots__ = ("_by_process", "_is_closed", "_open", "is_own")

    def __init__(self, open_client: Callable[[], Http], given: Http | None) -> None:
        self._open = open_client if given is None else lambda: given
        self._by_process: dict[int, Http] = {}
        self._is_closed = False
        self.is_own = given is None
        """Whether the HTTP client was opened here, and not by the caller."""

    def get(self) -> Http:
        """Return the HTTP client of this process. Raises RuntimeError after `close`."""
        if self._is_closed:
            raise RuntimeError("The client is closed.")
        process = os.getpid()
        # The clients of other processes are kept: closing them could wait for a lock that no thread
        # of this process holds.
        return self._by_process.get(process) or self._by_process.setdefault(process, self._open())

    def close(self) -> Http | None:
        """Return the HTTP client that is to be closed, or None."""
        if not self.is_own:
            return None
        self._is_closed = True
        return self._by_process.get(os.getpid())
