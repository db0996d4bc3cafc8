"""Calls a server that limits requests, and prints how each call ends."""

from __future__ import annotations

from time import monotonic

from support_chat import RateLimitError, SupportChat


def ending(client: SupportChat, max_retries: int) -> str:
    start = monotonic()
    try:
        client.analytics.get(max_retries=max_retries)
    except RateLimitError as error:
        return f"refused: {error.retry_after:g}"
    return "succeeded after a wait" if monotonic() - start >= 1 else "succeeded"


if __name__ == "__main__":
    with SupportChat() as client:
        for max_retries in (2, 2, 0):
            print(ending(client, max_retries))
