"""What accepting a delivery costs in Python beside hmac and json alone, and beside others' verifiers.

`race FOLDER` prints each round for every delivery of a folder, in microseconds per call, as JSON;
`memory CONTENDER FILE` how many bytes the process grows by, at its peak, while it accepts a delivery.
"""

import hashlib
import hmac
import json
import sys
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import stripe
from measure import race
from peak import growth
from standardwebhooks.webhooks import Webhook as StandardWebhook
from support_chat.webhooks import Webhooks

SECRET = "whsec_9wPZ2hVQ7xk1mB4nT6yR8uJ3"


def contenders(body: bytes) -> dict[str, Callable[[], object]]:
    key = SECRET.encode()
    signature = Webhooks.sign(body, SECRET)
    headers = {
        "host": "shop.example.com",
        "user-agent": "support-chat/1",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "accept-encoding": "gzip",
        "connection": "keep-alive",
        "x-service-event": "conversation.message",
        "x-service-signature": signature,
    }
    ours = Webhooks(SECRET)

    now = int(time.time())
    signed = hmac.new(key, f"{now}.{body.decode()}".encode(), hashlib.sha256).hexdigest()
    stripe_header = f"t={now},v1={signed}"
    standard = StandardWebhook("whsec_" + "c2VjcmV0IHNlY3JldCBzZWNyZXQ=")
    signed_at = datetime.now(timezone.utc)
    standard_headers = {
        "webhook-id": "evt_01J2Z8M3VN",
        "webhook-timestamp": str(int(signed_at.timestamp())),
        "webhook-signature": standard.sign("evt_01J2Z8M3VN", signed_at, body.decode()),
    }

    def floor() -> None:
        digest = hmac.new(key, body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest("sha256=" + digest, signature):
            raise ValueError

    def floor_and_parse() -> object:
        floor()
        return json.loads(body.decode())

    return {
        "verify floor": floor,
        "verify ours": lambda: ours.verify(body, headers),
        "unwrap floor": floor_and_parse,
        "unwrap ours": lambda: ours.unwrap(body, headers),
        "unwrap stripe": lambda: stripe.Webhook.construct_event(body, stripe_header, SECRET),
        "unwrap standardwebhooks": lambda: standard.verify(body, standard_headers),
    }


def main(command: str, *args: str) -> None:
    if command == "memory":
        name, file = args
        print(growth(contenders(Path(file).read_bytes())[name]))
        return
    files = sorted(Path(args[0]).iterdir())
    print(json.dumps({file.name: race(contenders(file.read_bytes()), time.process_time) for file in files}))


main(*sys.argv[1:])
