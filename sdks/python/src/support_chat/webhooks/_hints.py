"""Hints at the probable cause of a mismatch."""

from __future__ import annotations

import codecs
import re

from .._generated import policy

_BASE64 = re.compile(rb"[\w+/-]+=*")


def mismatch_hint(body: bytes, *, has_padded_secret: bool) -> str:
    """Return the probable cause of a mismatch, judging by the body and the secrets."""
    if has_padded_secret:
        return policy.WEBHOOKS_MISMATCHES_PADDED_SECRET
    if body.startswith(codecs.BOM_UTF8):
        return policy.WEBHOOKS_MISMATCHES_BYTE_ORDER_MARK
    if _BASE64.fullmatch(body[:64]):
        return policy.WEBHOOKS_MISMATCHES_BASE64_BODY
    return policy.WEBHOOKS_HINTS["signature_mismatch"]
