"""What goes wrong, by its class."""

from __future__ import annotations

from support_chat import (
    APIError,
    AuthenticationError,
    RateLimitError,
    SupportChatError,
    UnprocessableEntityError,
)


def explain(error: SupportChatError) -> str:
    """Describes a failed call for the log."""
    match error:
        case AuthenticationError():
            return f"Check the API key: {summary(error)}."
        case UnprocessableEntityError():
            return f"Check what was sent: {summary(error)}."
        case RateLimitError():
            seconds = 60 if error.retry_after is None else error.retry_after
            return f"Come back in {seconds} s: {summary(error)}."
        case APIError():
            # Quoting the request's id lets the service find it in its logs.
            return f"{summary(error)}, request {error.request_id}."
        case _:
            # No usable response. `unknown` means that the request may have taken effect.
            return f"{error.message} (outcome: {error.outcome})"


def summary(error: APIError) -> str:
    """The error's status and code."""
    return f"{error.status} {error.code or 'without a code'}"
