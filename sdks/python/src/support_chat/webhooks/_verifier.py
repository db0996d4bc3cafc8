"""The verifier."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_MAX_BODY_BYTES
from .._generated.signature import SIGNATURE_ENCODINGS, SignatureEncoding
from ._body import WebhookBody, bytes_of, utf8
from ._delivery import read_delivery
from ._envelope import read_envelope
from ._error import WebhookVerificationError
from ._headers import WebhookHeaders
from ._hints import mismatch_hint
from ._signature import key_of, matches, sign

if TYPE_CHECKING:
    from ._event import Event

_Size = TypeVar("_Size", int, float)


class Webhooks:
    """Verifies that deliveries come from the service, and reads their events.

    It may be shared between threads.
    """

    __slots__ = ("_has_padded_secret", "_keys", "_max_body_bytes", "_now", "_tolerance")

    def __init__(
        self,
        secrets: str | Iterable[str],
        *,
        tolerance: float | None = None,
        now: Callable[[], float] = time.time,
        max_body_bytes: int = WEBHOOKS_MAX_BODY_BYTES,
    ) -> None:
        """Take the signing secret of the receiving endpoint, or all in use during a rotation.

        `tolerance` is how far, in seconds, `occurred_at` may be from now, to either side. Leave it
        out unless you accept that retries, which come many hours after `occurred_at`, are refused.
        `now` is the clock, in seconds since 1970, and `max_body_bytes` the largest body that is
        looked at.

        Raises WebhookVerificationError: `missing_secret`.
        """
        given = _check_secrets(secrets)
        self._keys = [key_of(utf8(secret)) for secret in given]
        self._has_padded_secret = any(secret != secret.strip() for secret in given)
        self._tolerance = None if tolerance is None else check_size("tolerance", tolerance)
        self._now = now
        self._max_body_bytes = check_size("max_body_bytes", max_body_bytes)

    @property
    def max_body_bytes(self) -> int:
        """The largest body that is looked at, in bytes."""
        return self._max_body_bytes

    def unwrap(self, body: WebhookBody, headers: WebhookHeaders) -> Event:
        """Verify a delivery and return its event.

        Pass the body as it came; not parsed, not written again. A kind that is newer than this
        package is an `UnknownEvent`. Fields of `data` may be missing or of another type where the
        service changed.

        Raises WebhookVerificationError for every delivery that must not be trusted.
        """
        content, claimed, kind = read_delivery(body, headers, self._max_body_bytes)
        if not matches(claimed, content, self._keys):
            raise self._mismatch(content)
        envelope = read_envelope(content)
        if kind is not None and kind != envelope.kind:
            raise WebhookVerificationError("event_mismatch")
        if not self._is_fresh(envelope.occurred_at):
            raise WebhookVerificationError("stale_event")
        from ._event import read_event  # a verifier starts without the classes of events

        return read_event(envelope.value)

    def verify(self, body: WebhookBody, headers: WebhookHeaders) -> None:
        """Verify the signature of a delivery alone: neither its form nor its age.

        Pass the body as it came; not parsed, not written again.

        Raises WebhookVerificationError: up to `signature_mismatch`.
        """
        content, claimed, _ = read_delivery(body, headers, self._max_body_bytes)
        if not matches(claimed, content, self._keys):
            raise self._mismatch(content)

    @staticmethod
    def sign(body: WebhookBody, secret: str) -> str:
        """Sign a body as the service does, and give the whole value of the signature header.

        Raises WebhookVerificationError: `missing_secret`, `body_already_parsed`.
        """
        return sign_as(SIGNATURE_ENCODINGS[0], body, secret)

    def _mismatch(self, content: bytes) -> WebhookVerificationError:
        hint = mismatch_hint(content, has_padded_secret=self._has_padded_secret)
        return WebhookVerificationError("signature_mismatch", hint)

    def _is_fresh(self, occurred_at: dt.datetime) -> bool:
        if self._tolerance is None:
            return True
        age = self._now() - occurred_at.timestamp()
        return abs(age) <= self._tolerance


def sign_as(encoding: SignatureEncoding, body: WebhookBody, secret: str) -> str:
    """Sign a body with the digest in one of the encodings.

    Raises WebhookVerificationError: `missing_secret`, `body_already_parsed`; the base error for
    another encoding.
    """
    if encoding not in SIGNATURE_ENCODINGS:
        raise BaseError(f"The encoding must be one of {', '.join(SIGNATURE_ENCODINGS)}.")
    [first, *_] = _check_secrets(secret)
    return sign(bytes_of(body, float("inf")), key_of(utf8(first)), encoding)


def _check_secrets(secrets: Any) -> list[str]:
    """Give all secrets; programs without types pass what a missing variable gives them, too."""
    is_list = isinstance(secrets, Iterable) and not isinstance(secrets, str)
    given = list(secrets) if is_list else [secrets]
    if given and all(isinstance(secret, str) and secret.strip() for secret in given):
        return given
    raise WebhookVerificationError("missing_secret")


def check_size(option: str, value: _Size) -> _Size:
    """Give an option that is a number of 0 or more; raises the base error for any other."""
    if isinstance(value, int | float) and value >= 0:
        return value
    raise BaseError(f"{option} must be 0 or more.")
