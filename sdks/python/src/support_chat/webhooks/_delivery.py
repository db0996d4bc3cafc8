"""Reads what a delivery shows without a secret."""

from __future__ import annotations

from typing import TypeAlias

from .._generated.signature import SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER
from ._body import WebhookBody, bytes_of
from ._error import WebhookVerificationError
from ._headers import WebhookHeaders, header_values
from ._signature import ClaimedSignature, parse_signature

Delivery: TypeAlias = tuple[bytes, ClaimedSignature, str | None]
"""A well-formed request whose signature is not verified yet.

Its body, its signature, and the kind in the event header, or None without that header.
"""


def read_delivery(body: WebhookBody, headers: WebhookHeaders, max_body_bytes: int) -> Delivery:
    """Read everything that needs no secret.

    Raises WebhookVerificationError: `payload_too_large` to `unsupported_algorithm`.
    """
    content = bytes_of(body, max_body_bytes)
    values = header_values(headers)
    claimed = values.get(SIGNATURE_HEADER)
    kind = values.get(SIGNATURE_EVENT_HEADER)
    if not claimed:
        raise WebhookVerificationError("missing_signature")
    # Neither value ever contains a comma.
    if "," in claimed or (kind and "," in kind):
        raise WebhookVerificationError("duplicate_header")
    return content, parse_signature(claimed), kind
