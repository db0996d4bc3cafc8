"""The vectors that all SDKs share."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from support_chat._core.scalars import parse_date_time
from support_chat._generated.signature import SIGNATURE_ENCODINGS
from support_chat.webhooks import Webhooks

FILE = Path(__file__).parents[3] / "conformance/webhooks/vectors.json"
VECTORS: list[dict[str, Any]] = [
    vector
    for vector in json.loads(FILE.read_text())
    if vector.get("encoding", "hex") in SIGNATURE_ENCODINGS
]
"""Those of the encodings that the contract has."""


def name_of(vector: dict[str, Any]) -> str:
    return str(vector["id"])


def body_of(vector: dict[str, Any]) -> bytes:
    body = vector["body"]
    if "base64" in body:
        return base64.b64decode(body["base64"])
    return f"{body['utf8']}{' ' * body.get('spaces', 0)}".encode()


def verifier_of(vector: dict[str, Any]) -> Webhooks:
    time = vector.get("now", "2026-03-02T09:21:48Z")
    now = parse_date_time(time)
    options = {"max_body_bytes": vector["maxBodyBytes"]} if "maxBodyBytes" in vector else {}
    tolerance = vector.get("tolerance")
    return Webhooks(vector["secrets"], tolerance=tolerance, now=now.timestamp, **options)
