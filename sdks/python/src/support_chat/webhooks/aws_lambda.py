"""An AWS Lambda function that receives deliveries.

handler = webhook_handler(Webhooks(secret), handle, store=store)

It takes the requests of API Gateway (REST and HTTP APIs), of function URLs and of Application Load
Balancers.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from ._body import WebhookBody
from ._error import already_parsed
from ._event import Event
from ._receiver import OnError, blocking_flow, run
from ._store import DedupeStore
from ._verifier import Webhooks

__all__ = ["LambdaHandler", "webhook_handler"]

LambdaHandler: TypeAlias = Callable[[Mapping[str, Any], object], dict[str, Any]]
"""A handler of Lambda: it takes a request and a context, and returns a response."""

_CONSUMED = "AWS Lambda: pass the request as it came, with body and isBase64Encoded."
_NO_REQUEST = (
    "This is no HTTP request. Put the function behind API Gateway, a load balancer or a function "
    "URL."
)


def webhook_handler(
    webhooks: Webhooks,
    handler: Callable[[Event], object],
    *,
    store: DedupeStore | None = None,
    on_error: OnError | None = None,
) -> LambdaHandler:
    """Return a Lambda handler that verifies deliveries and passes their events to `handler`.

    `handler` does the work before the function returns, because Lambda then freezes the process. If
    it raises, the service retries the delivery. It also receives events of unknown kinds, as
    `UnknownEvent`. With a `store`, an event that was handled or is in progress is not handled
    again. It must last, because Lambda runs many processes. `on_error` is called with every refusal
    (`WebhookVerificationError`), with the errors of the handler and the store, and with the base
    error for an event in progress. Without it, they are logged to the logger of this package.

    Raises the base error for an async function. The handler raises it for anything but an HTTP
    request.
    """
    flow = blocking_flow(webhooks, handler, store, on_error)

    def respond(request: Mapping[str, Any], _context: object = None) -> dict[str, Any]:
        if _method_of(request) != "POST":
            return _response(WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, {"allow": "POST"})
        headers = request.get("multiValueHeaders") or request.get("headers") or {}
        try:
            body = _body_of(request)
        except (TypeError, ValueError):
            return _response(flow.reject(already_parsed(_CONSUMED)))
        return _response(run(flow.receive(body, headers)))

    return respond


def _method_of(request: Mapping[str, Any]) -> str:
    method = request.get("httpMethod")
    if method is None:
        method = ((request.get("requestContext") or {}).get("http") or {}).get("method")
    if method is None:
        raise BaseError(_NO_REQUEST, outcome=None)
    return str(method)


def _body_of(request: Mapping[str, Any]) -> WebhookBody:
    body: WebhookBody | None = request.get("body")
    if body is None:
        return b""
    return b64decode(body) if request.get("isBase64Encoded") else body


def _response(status: int, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {"statusCode": status, "headers": dict(headers or {}), "body": ""}
