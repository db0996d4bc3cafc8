"""What can be known of a delivery without a secret."""

from __future__ import annotations

from typing import TypeAlias

from .._generated.signature import SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER
from ._body import WebhookBody, bytes_of
from ._error import WebhookVerificationError
from ._headers import WebhookHeaders, header_values
from ._signature import ClaimedSignature, parse_signature

Delivery: TypeAlias = tuple[bytes, ClaimedSignature, str | None]
"""A request whose form is right and whose signature is still to be checked.

Its body, its signature, and the kind that the event header names; None where that is absent.
"""


def read_delivery(body: WebhookBody, headers: WebhookHeaders, max_body_bytes: int) -> Delivery:
    """Read all that can be known without a secret.

    Raises WebhookVerificationError: `payload_too_large` to `unsupported_algorithm`.
    """
    content = bytes_of(body, max_body_bytes)
    values = header_values(headers)
    claimed = values.get(SIGNATURE_HEADER)
    kind = values.get(SIGNATURE_EVENT_HEADER)
    if not claimed:
        raise WebhookVerificationError("missing_signature")
    # Neither value has a comma of itself.
    if "," in claimed or (kind and "," in kind):
        raise WebhookVerificationError("duplicate_header")
    return content, parse_signature(claimed), kind
