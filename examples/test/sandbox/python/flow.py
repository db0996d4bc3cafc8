"""Posts a message, reads it back, and handles events until it is ended."""

from __future__ import annotations

import json
import os
import threading
from typing import Any
from urllib.request import Request, urlopen
from wsgiref.simple_server import WSGIRequestHandler, make_server

from support_chat import ConversationMessageEvent, SupportChat
from support_chat.webhooks import Event, MemoryDedupeStore, Webhooks
from support_chat.webhooks.wsgi import webhook_app


def control(path: str, body: dict[str, Any]) -> Any:
    headers = {
        "authorization": f"Bearer {os.environ['SUPPORT_CHAT_API_KEY']}",
        "content-type": "application/json",
    }
    url = f"{os.environ['SUPPORT_CHAT_BASE_URL']}/_mock/{path}"
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as response:
        return json.load(response)


class Handler:
    failures = 0

    def __call__(self, event: Event) -> None:
        assert isinstance(event, ConversationMessageEvent)
        text = event.data.message.text
        if text == "Not now." and self.failures < 5:
            self.failures += 1
            print(f"failed: {text}", flush=True)
            raise RuntimeError(text)
        print(f"handled: {text}", flush=True)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    with make_server("127.0.0.1", 0, lambda *_: [], handler_class=Quiet) as server:
        url = f"http://127.0.0.1:{server.server_port}/"
        endpoint = control("endpoints", {"url": url, "events": ["conversation.message"]})
        webhooks, store = Webhooks(endpoint["secret"]), MemoryDedupeStore()
        server.set_app(webhook_app(webhooks, Handler(), store=store, on_error=lambda _: None))
        receiving = threading.Thread(target=server.serve_forever)
        receiving.start()
        with SupportChat() as client:
            id = control("conversations", {})["id"]
            message = client.conversations.messages.create(id, text="On its way.")
            print(f"posted: {message.text}", flush=True)
            transcript = client.conversations.get(id).transcript
            print(f"read: {', '.join(message.text for message in transcript)}", flush=True)
        receiving.join()


if __name__ == "__main__":
    main()
