"""RFC 4231, section 4, without its truncated case."""

from __future__ import annotations

import base64

import pytest

from support_chat.webhooks._signature import key_of, matches, parse_signature, sign

CASES = {
    "1": (
        b"\x0b" * 20,
        b"Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ),
    "2": (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    "3": (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
    "4": (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    "6": (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    "7": (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
}


@pytest.mark.parametrize(("key", "data", "digest"), CASES.values(), ids=CASES)
def test_signs_and_verifies_as_the_rfc_says(key: bytes, data: bytes, digest: str) -> None:
    assert sign(data, key_of(key)) == f"sha256={digest}"
    keys = [key_of(b"another"), key_of(key)]
    raw = bytes.fromhex(digest)
    forms = [base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()]
    for text in [digest, digest.upper(), *forms, *(form.rstrip("=") for form in forms)]:
        claimed = parse_signature(f"sha256={text}")
        assert matches(claimed, data, keys)
        assert not matches(claimed, data + b"x", keys)
