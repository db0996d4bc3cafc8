"""Verifies deliveries."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import floor, isfinite
from typing import TYPE_CHECKING, Any, TypeVar

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_BLANK_CHARACTERS, WEBHOOKS_MAX_BODY_BYTES
from .._generated.signature import SIGNATURE_ENCODINGS, SignatureEncoding
from ._body import WebhookBody, bytes_of, utf8
from ._envelope import read_envelope, time_of
from ._error import WebhookVerificationError
from ._headers import WebhookHeaders, is_kind, webhook_headers
from ._hints import mismatch_hint
from ._signature import key_of, matching_key, sign

if TYPE_CHECKING:
    from ._event import Event

_Size = TypeVar("_Size", int, float)

_BLANKS = "".join(map(chr, WEBHOOKS_BLANK_CHARACTERS))
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
_MILLISECOND = dt.timedelta(milliseconds=1)


class Webhooks:
    """Verifies that deliveries come from the service, and reads their events.

    Threads may share it.
    """

    __slots__ = (
        "_has_padded_secret",
        "_keys",
        "_max_body_bytes",
        "_now",
        "_on_verified",
        "_tolerance",
    )

    def __init__(
        self,
        secrets: str | Iterable[str],
        *,
        tolerance: float | None = None,
        now: Callable[[], float] = time.time,
        max_body_bytes: int = WEBHOOKS_MAX_BODY_BYTES,
        on_verified: Callable[[int], object] | None = None,
    ) -> None:
        """Create a verifier with the signing secret of the endpoint, or with several in a rotation.

        `tolerance` is the maximum distance of `occurred_at` from now in seconds, past or future. By
        default there is none. Retries arrive many hours after `occurred_at`, so a tolerance refuses
        them. Times are compared in whole milliseconds. `now` is the clock, in seconds since 1970.
        `max_body_bytes` is the maximum size of a body (1 MiB by default). `on_verified`, a plain
        function, is called with the index of the secret, from 0, that made a signature. In a
        rotation it tells when the old secret is no longer used. Its errors are ignored.

        Raises WebhookVerificationError: `missing_secret`.
        """
        given = _check_secrets(secrets)
        self._keys = [key_of(utf8(secret)) for secret in given]
        self._has_padded_secret = any(secret != secret.strip(_BLANKS) for secret in given)
        self._tolerance = None if tolerance is None else _milliseconds(tolerance)
        self._now = now
        self._max_body_bytes = check_size("max_body_bytes", max_body_bytes)
        self._on_verified = on_verified

    @property
    def max_body_bytes(self) -> int:
        """The maximum size of a body, in bytes."""
        return self._max_body_bytes

    def unwrap(self, body: WebhookBody, headers: WebhookHeaders) -> Event:
        """Verify a delivery and return its event.

        Pass the raw body, not a parsed one. A kind that is newer than this package is an
        `UnknownEvent`. If the service has changed, fields of `data` may be missing or of another
        type.

        Raises WebhookVerificationError for a delivery that fails verification.
        """
        content, kind = self._authenticate(body, headers)
        value = read_envelope(content)
        event = (_readers or _load_readers())[value["event"]](value)
        # A time that is none on the calendar is left as text, also one that a contract keeps as text.
        occurred_at = event.occurred_at
        if occurred_at.__class__ is not dt.datetime:
            occurred_at = time_of(value)
        if kind is not None and not is_kind(kind, value["event"]):
            raise WebhookVerificationError("event_mismatch")
        if self._tolerance is not None and not self._is_fresh(occurred_at, self._tolerance):
            raise WebhookVerificationError("stale_event")
        return event

    def verify(self, body: WebhookBody, headers: WebhookHeaders) -> None:
        """Verify the signature of a delivery, but neither its content nor its age.

        Pass the raw body, not a parsed one.

        Raises WebhookVerificationError with the codes up to `signature_mismatch`.
        """
        self._authenticate(body, headers)

    @staticmethod
    def sign(body: WebhookBody, secret: str) -> str:
        """Sign a body as the service does, and return the value of the signature header.

        Raises WebhookVerificationError: `missing_secret`, `body_already_parsed`.
        """
        return sign_as(SIGNATURE_ENCODINGS[0], body, secret)

    def _authenticate(self, body: Any, headers: Any) -> tuple[bytes, str | None]:
        """Verify the signature. Returns the body, and the kind in the event header, if any."""
        content = body if type(body) is bytes else bytes_of(body)
        if len(content) > self._max_body_bytes:
            raise WebhookVerificationError("payload_too_large")
        signature, kind = webhook_headers(headers)
        if not signature:
            raise WebhookVerificationError("missing_signature")
        # Neither value ever contains a comma.
        if "," in signature or (kind and "," in kind):
            raise WebhookVerificationError("duplicate_header")
        index = matching_key(signature, content, self._keys)
        if index < 0:
            hint = mismatch_hint(content, has_padded_secret=self._has_padded_secret)
            raise WebhookVerificationError("signature_mismatch", hint)
        if self._on_verified is not None:
            with suppress(Exception):
                self._on_verified(index)
        return content, kind

    def _is_fresh(self, occurred_at: dt.datetime, tolerance: float) -> bool:
        now = self._now()
        if not isfinite(now):
            return False
        # Through microseconds, because a product of floats may fall below a whole millisecond.
        age = round(now * 1_000_000) // 1_000 - (occurred_at - _EPOCH) // _MILLISECOND
        return abs(age) <= tolerance


_readers: Mapping[str, Callable[[Any], Event]] = {}


def _load_readers() -> Mapping[str, Callable[[Any], Event]]:
    """Load the event classes with the first event."""
    global _readers
    from ._event import EVENT_READERS

    _readers = EVENT_READERS
    return _readers


def sign_as(encoding: SignatureEncoding, body: WebhookBody, secret: str) -> str:
    """Sign a body, with the digest in the given encoding.

    Raises WebhookVerificationError: `missing_secret`, `body_already_parsed`; the base error for
    another encoding.
    """
    if encoding not in SIGNATURE_ENCODINGS:
        raise BaseError(f"The encoding must be one of {', '.join(SIGNATURE_ENCODINGS)}.")
    [first, *_] = _check_secrets(secret)
    return sign(bytes_of(body), key_of(utf8(first)), encoding)


def _check_secrets(secrets: Any) -> list[str]:
    """Return the secrets as a list. Untyped callers may pass None for a missing variable."""
    is_list = isinstance(secrets, Iterable) and not isinstance(secrets, str)
    given = list(secrets) if is_list else [secrets]
    if given and all(isinstance(secret, str) and secret.strip(_BLANKS) for secret in given):
        return given
    raise WebhookVerificationError("missing_secret")


def _milliseconds(tolerance: float) -> float:
    """Return a tolerance in milliseconds, rounded to the nearest."""
    given = check_size("tolerance", tolerance)
    return floor(given * 1_000 + 0.5) if isfinite(given) else given


def check_size(option: str, value: _Size) -> _Size:
    """Return a number of 0 or more. Raises the base error for anything else."""
    if isinstance(value, int | float) and value >= 0:
        return value
    raise BaseError(f"{option} must be 0 or more.")
