"""Deliveries, signed apart from the code under test."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest

from support_chat.webhooks import WebhookVerificationError

SECRET = "whsec_3hV0c1p2Jt6bqX8d"

ENVELOPE: dict[str, Any] = {
    "event": "conversation.handoff",
    "id": "evt_01J2Z91J4S",
    "occurred_at": "2026-03-02T09:21:48Z",
    "data": {
        "conversation_id": "conv_01J2Z8M3VN",
        "reason": "Il veut parler à quelqu’un 🙋",
        "transcript_url": "http://127.0.0.1:4010/v1/conversations/conv_01J2Z8M3VN",
    },
}
OCCURRED_AT = 1_772_443_308


def written(envelope: object) -> bytes:
    return json.dumps(envelope, ensure_ascii=False).encode()


BODY = written(ENVELOPE)


def signed(body: bytes, secret: str = SECRET) -> str:
    digest = hmac.new(secret.encode(), body, hashlib.sha256)
    return f"sha256={digest.hexdigest()}"


def signed_as(encoding: str, body: bytes) -> str:
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
    encode = {"base64": base64.b64encode, "base64url": base64.urlsafe_b64encode}[encoding]
    return f"sha256={encode(digest).decode()}"


SIGNATURE = signed(BODY)
HEADERS = {"x-service-signature": SIGNATURE, "x-service-event": ENVELOPE["event"]}


def refusal_of(call: Callable[..., object], *given: Any) -> WebhookVerificationError:
    """The refusal that a call must end with."""
    with pytest.raises(WebhookVerificationError) as caught:
        call(*given)
    return caught.value


def code_of(call: Callable[..., object], *given: Any) -> str:
    """`ok`, or the code of the refusal; anything else that is raised is raised on."""
    try:
        call(*given)
    except WebhookVerificationError as error:
        return error.code
    return "ok"
