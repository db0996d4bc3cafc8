"""Starts the receiver."""

from __future__ import annotations

import os
import sys
from functools import partial
from wsgiref.simple_server import make_server

from receiver import receiver
from support_chat.webhooks import Webhooks


def main() -> None:
    webhooks = Webhooks(os.environ.get("SUPPORT_CHAT_WEBHOOK_SECRET", ""))
    app = receiver(webhooks, partial(print, flush=True), partial(print, file=sys.stderr))
    # For production take gunicorn, waitress or any other server that handles requests at once.
    with make_server("127.0.0.1", int(os.environ.get("PORT", "8080")), app) as server:
        print(f"Receiving events on http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
