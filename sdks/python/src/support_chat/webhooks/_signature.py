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
_encode = _ACCEPTED[0][2]
_ANY_ALGORITHM = re.compile(r"[0-9A-Za-z_-]{1,32}=")

_Hash: TypeAlias = "HASH"

Key: TypeAlias = tuple["HASH", "HASH"]
"""The two hashes of HMAC after the secret, which every signature copies."""


def key_of(secret: bytes) -> Key:
    """Prepare a secret (RFC 2104), which takes longer than hashing a short body.

    Copying two hashes takes half as long as copying an `hmac` object.
    """
    short = sha256(secret).digest() if len(secret) > _BLOCK_BYTES else secret
    block = short.ljust(_BLOCK_BYTES, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in block)), sha256(
        bytes(byte ^ 0x5C for byte in block)
    )


def matching_key(value: str, body: bytes, keys: Sequence[Key]) -> int:
    """Return the index of the key that makes the signature in a trimmed header, or -1.

    Takes the same time for every key.

    Their digest is never decoded, because decoders tolerate too much. Ours is encoded in its form.

    Raises WebhookVerificationError: `malformed_signature`, `unsupported_algorithm`.
    """
    if not value.isascii():  # which `compare_digest` does not take
        _parse(value)
    digests = []
    found = -1
    for index, (inner, outer) in enumerate(keys):
        content = inner.copy()
        content.update(body)
        digest = outer.copy()
        digest.update(content.digest())
        # The form that the service uses needs no parsing, because nothing else equals it.
        if compare_digest(SIGNATURE_PREFIX + _encode(digest), value) and found < 0:
            found = index
        digests.append(digest)
    if found < 0:
        theirs, encode = _parse(value)
        for index, digest in enumerate(digests):
            if compare_digest(encode(digest), theirs) and found < 0:
                found = index
    return found


def sign(body: bytes, key: Key, encoding: SignatureEncoding = SIGNATURE_ENCODINGS[0]) -> str:
    """Return the whole value of the signature header, with padding for base64."""
    inner, outer = key
    content = inner.copy()
    content.update(body)
    digest = outer.copy()
    digest.update(content.digest())
    _, _, encode = _ENCODINGS[encoding]
    return SIGNATURE_PREFIX + encode(digest) + _PADDING.get(encoding, "")


def _parse(value: str) -> tuple[str, Callable[[_Hash], str]]:
    """Return the digest in a header, and the function that encodes ours in that form."""
    for match, fold, encode in _ACCEPTED:
        if found := match(value):
            return fold(found[1]), encode
    if _ANY_ALGORITHM.match(value) and not value.startswith(SIGNATURE_PREFIX):
        raise WebhookVerificationError("unsupported_algorithm")
    raise WebhookVerificationError("malformed_signature")
