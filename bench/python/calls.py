"""What a call and a page of the Python client cost beside httpx2 and json alone.

Prints each round, in microseconds per call, as JSON. Timed as measure.ts does it.
"""

import gc
import json
import random
import sys
import time
import uuid
from collections.abc import Callable

import httpx2
from support_chat import ConversationPage, SupportChat

Contenders = dict[str, Callable[[], object]]

API_KEY = "sk_test_bench"
ID = "conv_01J2Z8M3VN"
TEXT = "The carrier left it with your neighbour at number 12."

ROUNDS = 41
UNSETTLED = 10
SLICE = 0.02
WARM_UP = 0.3


def race(contenders: Contenders) -> list[dict[str, float]]:
    calls = {name: max(1, round(SLICE / warm_up(run))) for name, run in contenders.items()}
    rounds = []
    for _ in range(UNSETTLED + ROUNDS):
        names = random.sample(list(contenders), len(contenders))
        rounds.append({name: timed(contenders[name], calls[name]) for name in names})
    return [{name: seconds * 1e6 for name, seconds in one.items()} for one in rounds[UNSETTLED:]]


def timed(run: Callable[[], object], calls: int) -> float:
    gc.collect(0)
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def warm_up(run: Callable[[], object]) -> float:
    calls = 1
    while (per_call := timed(run, calls)) * calls < WARM_UP / 2:
        calls *= 2
    return per_call


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
