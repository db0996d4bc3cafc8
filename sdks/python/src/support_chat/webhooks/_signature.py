"""Parses, makes and compares signatures."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Callable, Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, TypeAlias

from .._generated.signature import SIGNATURE_ENCODINGS, SIGNATURE_PREFIX, SignatureEncoding
from ._error import WebhookVerificationError

if TYPE_CHECKING:
    from _hashlib import HASH

_BLOCK_BYTES = 64


def _base64(digest: HASH) -> str:
    return b2a_base64(digest.digest(), newline=False).decode().rstrip("=")


def _base64url(digest: HASH) -> str:
    return _base64(digest).replace("+", "-").replace("/", "_")


def _header_of(digest: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(re.escape(SIGNATURE_PREFIX) + digest).fullmatch


# Finds the digest in the header, without its padding; folds its case; and encodes our digest in the
# same form.
_Encoding: TypeAlias = tuple[
    Callable[[str], re.Match[str] | None], Callable[[str], str], Callable[["HASH"], str]
]
_ENCODINGS: dict[str, _Encoding] = {
    "hex": (_header_of("([0-9A-Fa-f]{64})"), str.lower, type(sha256()).hexdigest),
    "base64": (_header_of("([0-9A-Za-z+/]{43})=?"), str, _base64),
    "base64url": (_header_of("([0-9A-Za-z_-]{43})=?"), str, _base64url),
}
_PADDING = {"base64": "="}
_ACCEPTED = [_ENCODINGS[name] for name in SIGNATURE_ENCODINGS]
_ANY_ALGORITHM = re.compile(r"[0-9A-Za-z_-]{1,32}=")

ClaimedSignature: TypeAlias = tuple[str, Callable[["HASH"], str]]
"""The digest of a well-formed header, and the function that encodes ours in that form.

Their digest is never decoded, because decoders tolerate too much.
"""

Key: TypeAlias = tuple["HASH", "HASH"]
"""The two hashes of HMAC after the secret, which every signature copies."""


def parse_signature(value: str) -> ClaimedSignature:
    """Parse a signature header that is trimmed and not empty.

    Raises WebhookVerificationError: `malformed_signature`, `unsupported_algorithm`.
    """
    for match, fold, encode in _ACCEPTED:
        if found := match(value):
            return fold(found[1]), encode
    if _ANY_ALGORITHM.match(value) and not value.startswith(SIGNATURE_PREFIX):
        raise WebhookVerificationError("unsupported_algorithm")
    raise WebhookVerificationError("malformed_signature")


def key_of(secret: bytes) -> Key:
    """Prepare a secret (RFC 2104), which takes longer than hashing a short body.

    Copying two hashes takes half as long as copying an `hmac` object.
    """
    short = sha256(secret).digest() if len(secret) > _BLOCK_BYTES else secret
    block = short.ljust(_BLOCK_BYTES, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in block)), sha256(
        bytes(byte ^ 0x5C for byte in block)
    )


def matches(claimed: ClaimedSignature, body: bytes, keys: Sequence[Key]) -> bool:
    """Return whether one of the keys makes the signature, in constant time."""
    theirs, encode = claimed
    found = False
    for inner, outer in keys:
        found |= compare_digest(encode(_digest(inner, outer, body)), theirs)
    return found


def sign(body: bytes, key: Key, encoding: SignatureEncoding = SIGNATURE_ENCODINGS[0]) -> str:
    """Return the whole value of the signature header, with padding for base64."""
    _, _, encode = _ENCODINGS[encoding]
    return SIGNATURE_PREFIX + encode(_digest(*key, body)) + _PADDING.get(encoding, "")


def _digest(inner: HASH, outer: HASH, body: bytes) -> HASH:
    content = inner.copy()
    content.update(body)
    digest = outer.copy()
    digest.update(content.digest())
    return digest
