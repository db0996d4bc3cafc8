"""The one error that a delivery can end with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._generated.names import BaseError
from ._hints import HINTS

if TYPE_CHECKING:
    from .._generated.policy import WebhookFailure


class WebhookVerificationError(BaseError):
    """A delivery that must not be trusted, or a verifier without a secret.

    Its texts hold no digest, no secret and nothing of the body. They are for your logs: do not
    answer the sender with them.
    """

    code: WebhookFailure
    """The first rule that was broken."""
    hint: str
    """What is probably wrong, and what to do about it."""

    def __init__(self, code: WebhookFailure, hint: str | None = None) -> None:
        self.code = code
        self.hint = hint or HINTS[code]
        super().__init__(f"{self.hint} ({code})")
