"""What a call and a page of the Python client cost beside httpx2 and json alone.

Prints each round, in microseconds per call, as JSON.
"""

import json
import sys
import uuid

import httpx2
from measure import race
from support_chat import ConversationPage, SupportChat

API_KEY = "sk_test_bench"
ID = "conv_01J2Z8M3VN"
TEXT = "The carrier left it with your neighbour at number 12."

def main(base_url: str) -> None:
    bare = httpx2.Client(
        base_url=base_url, headers={"authorization": f"Bearer {API_KEY}"}, timeout=30
    )
    ours = SupportChat(api_key=API_KEY, base_url=base_url)
    page = bare.get("/v1/conversations").content
    rounds = {
        "get": race(
            {
                "bare": lambda: bare.get(f"/v1/conversations/{ID}").json(),
                "ours": lambda: ours.conversations.get(ID),
            }
        ),
        "post": race(
            {
                "bare": lambda: bare.post(
                    f"/v1/conversations/{ID}/messages",
                    json={"text": TEXT},
                    headers={"idempotency-key": str(uuid.uuid4())},
                ).json(),
                "ours": lambda: ours.conversations.messages.create(ID, text=TEXT),
            }
        ),
        "decode": race(
            {
                "bare": lambda: json.loads(page),
                "ours": lambda: ConversationPage.from_dict(json.loads(page)),
            }
        ),
    }
    print(json.dumps(rounds))


main(sys.argv[1])
