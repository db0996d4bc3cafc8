"""Gives the receiver what the service may send, and what a stranger may."""

from __future__ import annotations

import threading
from http.client import HTTPConnection
from wsgiref.simple_server import WSGIRequestHandler, make_server

from receiver import receiver
from support_chat.testing import fake_delivery
from support_chat.webhooks import Webhooks, WebhookVerificationError

SECRET = "whsec_rehearsal"


class Quiet(WSGIRequestHandler):
    """Writes no line per request."""

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    app = receiver(Webhooks(SECRET), lambda line: print(f"  {line}"), report)
    with make_server("127.0.0.1", 0, app, handler_class=Quiet) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            rehearse(server.server_port)
        finally:
            server.shutdown()


def rehearse(port: int) -> None:
    """Send the requests, one after the other."""

    def expect(
        status: int, what: str, body: bytes, headers: dict[str, str], method: str = "POST"
    ) -> None:
        print(f"{what}:")
        connection = HTTPConnection("127.0.0.1", port)
        connection.request(method, "/", body, headers)
        actual = connection.getresponse().status
        connection.close()
        print(f"  returned {actual}")
        if actual != status:
            raise RuntimeError(f"The status should have been {status}.")

    handoff = fake_delivery("conversation.handoff", secret=SECRET)
    newer = fake_delivery("future", secret=SECRET)
    expect(204, "a genuine delivery", handoff.body, handoff.headers)
    expect(204, "the same event again", handoff.body, handoff.headers)
    expect(204, "a newer kind", newer.body, newer.headers)
    expect(401, "another body", newer.body, handoff.headers)
    expect(401, "no signature", handoff.body, {})
    expect(413, "too large a body", b"", {**handoff.headers, "content-length": "2000000"})
    expect(405, "a GET", b"", {}, "GET")


def report(error: Exception) -> None:
    """Say why a delivery is refused."""
    print(f"  refused: {error.code if isinstance(error, WebhookVerificationError) else error}")


if __name__ == "__main__":
    main()
