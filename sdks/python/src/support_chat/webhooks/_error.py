"""The error of a refused delivery."""

from __future__ import annotations

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_HINTS, WEBHOOKS_REFUSALS, WebhookFailure


class WebhookVerificationError(BaseError):
    """A delivery failed verification, or a verifier has no secret.

    The message and the hint hold no digest, no secret and nothing of the body. Log them, but never
    return them to the sender.
    """

    code: WebhookFailure
    """The first check that failed."""
    hint: str
    """The probable cause, and what to do about it."""

    def __init__(self, code: WebhookFailure, hint: str | None = None) -> None:
        self.code = code
        self.hint = hint or WEBHOOKS_HINTS[code]
        super().__init__(f"{self.hint} ({code})", outcome=None)

    @property
    def status(self) -> int:
        """The status of the response: 4xx ends the delivery, and after 500 the service retries."""
        return WEBHOOKS_REFUSALS[self.code]


def already_parsed(cure: str) -> WebhookVerificationError:
    """Return the refusal of a body that is not raw. The cure differs by framework."""
    code: WebhookFailure = "body_already_parsed"
    return WebhookVerificationError(code, f"{WEBHOOKS_HINTS[code]} {cure}")
