"""What the stores of several processes share: times, tokens and holders."""

from __future__ import annotations

import os
from secrets import token_hex
from socket import gethostname

from .._generated.policy import WEBHOOKS_DEDUPE_KEPT_MS, WEBHOOKS_DEDUPE_LEASE_MS
from ._store import HeldLease, Lease, LeaseState
from ._verifier import check_size

LEASE = WEBHOOKS_DEDUPE_LEASE_MS / 1_000
KEEP = WEBHOOKS_DEDUPE_KEPT_MS / 1_000

_TOKEN_BYTES = 16


class Terms:
    """The terms of a lease."""

    __slots__ = ("_holder", "keep", "lease")

    def __init__(self, lease: float, keep: float, holder: str | None) -> None:
        self.lease = float(check_size("lease", lease))
        self.keep = float(check_size("keep", keep))
        self._holder = holder

    @property
    def holder(self) -> str:
        """What others call this process, which may be a fork of the one that made the store."""
        return f"{gethostname()}:{os.getpid()}" if self._holder is None else self._holder


def new_token() -> str:
    """Make the token of a lease. A command that a client repeats has the same one."""
    return token_hex(_TOKEN_BYTES)


def lease_of(state: LeaseState, holder: str, token: str) -> Lease:
    """Return the lease of a database's response."""
    if state == "in_progress" and holder:
        return HeldLease(holder)
    return Lease("new", token) if state == "new" else Lease(state)
