"""A Flask view that receives deliveries.

app.add_url_rule("/webhooks", view_func=webhook_view(Webhooks(secret), handle, store=store))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, request

from ._arrival import BODY_TIMEOUT, check_timeout
from ._event import Event
from ._receiver import OnError, blocking_flow
from ._store import DedupeStore
from ._verifier import Webhooks
from .wsgi import status_of

__all__ = ["webhook_view"]


def webhook_view(
    webhooks: Webhooks,
    handler: Callable[[Event], object],
    *,
    store: DedupeStore | None = None,
    on_error: OnError | None = None,
    body_timeout: float | None = BODY_TIMEOUT,
) -> Callable[..., Response]:
    """Return a view that verifies deliveries and passes their events to `handler`.

    `handler` runs in the context of the app and the request. It also works if `before_request` has
    called `request.get_data()`. With Flask-WTF, pass the view to `CSRFProtect.exempt`. The options
    are those of `webhook_app` in `wsgi`.

    Raises the base error for an async function, because the view awaits nothing.
    """
    flow = blocking_flow(webhooks, handler, store, on_error)
    timeout = check_timeout(body_timeout)

    def webhook_view(**_: object) -> Response:
        environ = request.environ
        if "stream" in vars(request):  # Flask has read from it
            environ = {**environ, "wsgi.input": request.stream}
        return Response(status=status_of(flow, timeout, environ, request.get_data))

    # What `add_url_rule` reads from a view. Flask itself returns 405 for other methods.
    attributes: Any = webhook_view
    attributes.methods = ["POST"]
    attributes.provide_automatic_options = False
    return webhook_view
