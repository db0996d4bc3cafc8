"""Hints at the probable cause of a refusal."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .._generated.signature import SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER, SIGNATURE_PREFIX

if TYPE_CHECKING:
    from .._generated.policy import WebhookFailure

HINTS: Mapping[WebhookFailure, str] = {
    "missing_secret": "A secret is missing or blank.",
    "payload_too_large": "The body exceeds max_body_bytes.",
    "body_already_parsed": (
        "Pass the raw body. Flask: request.get_data(). Django: request.body. "
        "FastAPI and Starlette: await request.body(). aiohttp: await request.read()."
    ),
    "missing_signature": f"{SIGNATURE_HEADER} is missing. Pass all headers of the request.",
    "duplicate_header": f"{SIGNATURE_HEADER} or {SIGNATURE_EVENT_HEADER} is repeated.",
    "malformed_signature": f"{SIGNATURE_HEADER} must be {SIGNATURE_PREFIX} and a digest.",
    "unsupported_algorithm": f"{SIGNATURE_HEADER} does not begin with {SIGNATURE_PREFIX}.",
    "signature_mismatch": (
        "The secret belongs to another endpoint, or the body is not raw (parsed and serialized again)."
    ),
    "invalid_encoding": "The body is not UTF-8.",
    "invalid_json": "The body is not valid JSON, is nested too deeply, or begins with a byte order mark.",
    "invalid_envelope": "event, id, occurred_at or data is missing or malformed.",
    "event_mismatch": f"{SIGNATURE_EVENT_HEADER} does not match the event in the body.",
    "stale_event": "occurred_at is outside the tolerance. Retries arrive hours after the event.",
}
"""The hints that depend only on the code."""

_BASE64 = re.compile(rb"[\w+/-]+=*")


def mismatch_hint(body: bytes, *, has_padded_secret: bool) -> str:
    """Return the probable cause of a mismatch, judging by the body and the secrets."""
    if has_padded_secret:
        return "A secret begins or ends with white space."
    if body.startswith(codecs.BOM_UTF8):
        return "The body begins with a byte order mark."
    if _BASE64.fullmatch(body[:64]):
        return "The body is base64 (AWS Lambda: isBase64Encoded)."
    return HINTS["signature_mismatch"]
