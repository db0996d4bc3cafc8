"""Signatures as a header bears them."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Callable, Sequence
from hmac import HMAC, compare_digest
from typing import NamedTuple, TypeAlias

from .._generated.signature import SIGNATURE_ENCODINGS, SIGNATURE_PREFIX
from ._error import WebhookVerificationError


def _base64(digest: bytes) -> str:
    return b2a_base64(digest, newline=False).decode().rstrip("=")


def _base64url(digest: bytes) -> str:
    return _base64(digest).replace("+", "-").replace("/", "_")


class _Encoding(NamedTuple):
    match: Callable[[str], re.Match[str] | None]
    """Finds the digest in the whole header, without its padding."""
    fold: Callable[[str], str]
    """Takes away what makes no difference."""
    encode: Callable[[bytes], str]
    """Writes a digest of ours in the same form."""


def _header_of(digest: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(re.escape(SIGNATURE_PREFIX) + digest).fullmatch


_ENCODINGS = {
    "hex": _Encoding(_header_of("([0-9A-Fa-f]{64})"), str.lower, bytes.hex),
    "base64": _Encoding(_header_of("([0-9A-Za-z+/]{43})=?"), str, _base64),
    "base64url": _Encoding(_header_of("([0-9A-Za-z_-]{43})=?"), str, _base64url),
}
_ACCEPTED = [_ENCODINGS[name] for name in SIGNATURE_ENCODINGS]
_ANY_ALGORITHM = re.compile(r"[0-9A-Za-z_-]{1,32}=")

ClaimedSignature: TypeAlias = tuple[str, Callable[[bytes], str]]
"""The digest of a header whose form is right, and what writes ours in that form.

Theirs is never decoded, as decoders forgive too much.
"""


def parse_signature(value: str) -> ClaimedSignature:
    """Read a signature header that is trimmed and not empty.

    Raises WebhookVerificationError: `malformed_signature`, `unsupported_algorithm`.
    """
    for match, fold, encode in _ACCEPTED:
        if found := match(value):
            return fold(found[1]), encode
    if _ANY_ALGORITHM.match(value) and not value.startswith(SIGNATURE_PREFIX):
        raise WebhookVerificationError("unsupported_algorithm")
    raise WebhookVerificationError("malformed_signature")


def key_of(secret: bytes) -> HMAC:
    """Prepare a secret, which takes longer than hashing a short body. It is never updated."""
    return HMAC(secret, digestmod="sha256")


def matches(claimed: ClaimedSignature, body: bytes, keys: Sequence[HMAC]) -> bool:
    """Tell whether one of the keys makes the signature. Takes as long for a yes as for any no."""
    theirs, encode = claimed
    found = False
    for key in keys:
        found |= compare_digest(encode(_digest(key, body)), theirs)
    return found


def sign(body: bytes, key: HMAC) -> str:
    """Write the whole value of the signature header."""
    return SIGNATURE_PREFIX + _ACCEPTED[0].encode(_digest(key, body))


def _digest(key: HMAC, body: bytes) -> bytes:
    digest = key.copy()
    digest.update(body)
    return digest.digest()
