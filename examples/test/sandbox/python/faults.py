"""Makes the given calls, each with a fault, and prints the result of each."""

from __future__ import annotations

import json
import sys
from typing import Any

from support_chat import APIError, SupportChat, SupportChatError


def ending(client: SupportChat, case: dict[str, Any]) -> str:
    options = {
        "extra_headers": {"x-mock-fault": case["fault"]},
        "max_retries": case["retries"],
        "timeout": case["timeout"] / 1000,
    }
    try:
        if case["call"] == "read":
            client.analytics.get(**options)
        else:
            client.conversations.messages.create("conv_01J2Z8M3VN", text=case["fault"], **options)
    except APIError as error:
        return f"{error.status} {error.outcome}"
    except SupportChatError as error:
        return str(error.outcome)
    return "succeeded"


if __name__ == "__main__":
    with SupportChat() as client:
        for case in json.loads(sys.argv[1]):
            print(ending(client, case))
