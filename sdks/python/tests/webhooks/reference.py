"""The rules of a delivery, in the plainest code, which the verifier must agree with."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import json
import re
from typing import Any

from support_chat._generated.signature import SIGNATURE_ENCODINGS

MAX_NESTING = 100

DIGESTS = {
    "hex": "[0-9A-Fa-f]{64}",
    "base64": "[0-9A-Za-z+/]{43}=?",
    "base64url": "[0-9A-Za-z_-]{43}=?",
}
DIGEST = re.compile(f"sha256=({'|'.join(DIGESTS[name] for name in SIGNATURE_ENCODINGS)})")
ALGORITHM = re.compile(r"(?!sha256=)[0-9A-Za-z_-]{1,32}=")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3])((?::[0-5]\d){2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII | re.IGNORECASE,
)


def verdict(body: bytes, headers: list[tuple[str, str]], secret: str) -> str:
    """`ok`, or the code of the first rule that a delivery breaks."""
    signature = _value(headers, "x-service-signature")
    kind = _value(headers, "x-service-event")
    if not signature:
        return "missing_signature"
    if "," in signature or (kind and "," in kind):
        return "duplicate_header"
    if not DIGEST.fullmatch(signature):
        return "unsupported_algorithm" if ALGORITHM.match(signature) else "malformed_signature"
    if signature not in _signatures(body, secret, signature):
        return "signature_mismatch"
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return "invalid_encoding"
    try:
        value = json.loads(text, parse_constant=_refuse, parse_int=float)
    except (ValueError, RecursionError):
        return "invalid_json"
    if _depth(text) > MAX_NESTING:
        return "invalid_json"
    if not _is_envelope(value):
        return "invalid_envelope"
    return "ok" if kind in (None, value["event"]) else "event_mismatch"


def _value(headers: list[tuple[str, str]], name: str) -> str | None:
    values = [value.strip(" \t") for key, value in headers if key.lower() == name]
    return ",".join(values) if values else None


def _signatures(body: bytes, secret: str, like: str) -> list[str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
    encoded = [base64.b64encode(digest).decode(), base64.urlsafe_b64encode(digest).decode()]
    texts = [*encoded, *(text.rstrip("=") for text in encoded)]
    if like[7:].lower() == digest.hex():
        texts.append(like[7:])
    return [f"sha256={text}" for text in texts]


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _depth(text: str) -> int:
    level = deepest = 0
    for character in STRING.sub("", text):
        level += (character in "[{") - (character in "]}")
        deepest = max(deepest, level)
    return deepest


def _is_envelope(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("data"), dict):
        return False
    texts = [value.get("event"), value.get("id")]
    return all(isinstance(text, str) and _is_text(text) for text in texts) and is_time(
        value.get("occurred_at")
    )


def _is_text(text: str) -> bool:
    """Whether it is neither empty nor has half of a character."""
    return bool(text) and not re.search("[\ud800-\udfff]", text)


def is_time(value: object) -> bool:
    parts = TIME.fullmatch(value) if isinstance(value, str) else None
    try:
        return bool(parts and dt.datetime.fromisoformat(f"{parts[1]}T{parts[2]}{parts[3]}"))
    except ValueError:
        return False
