"""Every case and every vector that the receivers of all SDKs share, over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support_chat import SupportChatError
from support_chat.webhooks import Lease, MemoryDedupeStore, Webhooks, WebhookVerificationError
from webhooks.frameworks import HOSTS, in_flask, in_starlette
from webhooks.requests import ask
from webhooks.servers import Host, Response, on_uvicorn, on_wsgiref, send
from webhooks.vectors import VECTORS, body_of, name_of, verifier_of

FILE = Path(__file__).parents[3] / "conformance/webhooks/receivers.json"
RECEIVERS: dict[str, Any] = json.loads(FILE.read_text())


def name(host: Any) -> str:
    return str(host.__name__)


@pytest.fixture(scope="module", params=HOSTS, ids=name)
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    yield from request.param()


# The others differ in nothing that a vector is about.
@pytest.fixture(scope="module", params=[on_wsgiref, in_flask, on_uvicorn, in_starlette], ids=name)
def some_host(request: pytest.FixtureRequest) -> Iterator[Host]:
    yield from request.param()


class StoreError(Exception):
    """What a broken store raises."""


class Store(MemoryDedupeStore):
    """A store with a clock of its own, one of whose methods may be broken."""

    def __init__(self, broken: str) -> None:
        self.time = 0.0
        self._broken = broken
        super().__init__(now=lambda: self.time)

    def begin(self, event_id: str, /) -> Lease:
        self._may_fail("begin fails")
        return super().begin(event_id)

    def done(self, event_id: str, token: str, /) -> None:
        self._may_fail("done fails")
        super().done(event_id, token)

    def release(self, event_id: str, token: str, /) -> None:
        self._may_fail("release fails")
        super().release(event_id, token)

    def _may_fail(self, broken: str) -> None:
        if broken == self._broken:
            raise StoreError


class Play:
    """A case on its stage: what the handler does, and what it and the hook receive."""

    def __init__(self, case: dict[str, Any], host: Host) -> None:
        self.handled: list[str] = []
        self.errors: list[str] = []
        self.responses: list[Response] = []
        self._case = case
        self._port = host.port
        self._outcomes = iter([*case["handler"], *case["handler"][-1:] * len(case["steps"])])
        self._hold: threading.Event | None = None
        self._entered = threading.Event()
        self._store = None if case["store"] == "none" else Store(case["store"])
        limit = {"max_body_bytes": case["maxBodyBytes"]} if "maxBodyBytes" in case else {}
        webhooks = Webhooks(case["secrets"], **limit)
        host.receive(webhooks, self._handle, store=self._store, on_error=self._note)

    def run(self) -> None:
        """Send all requests, each after the response to the one before, or while that is held."""
        with ThreadPoolExecutor() as threads:
            responses: list[Future[Response]] = []
            held: threading.Event | None = None
            for step in self._case["steps"]:
                if self._store and "after" in step:
                    self._store.time += step["after"]
                self._hold = threading.Event() if "held" in step else None
                self._entered.clear()
                request = (self._port, step["method"], body_of(step), step["headers"])
                responses.append(threads.submit(send, *request))
                if self._hold:
                    assert self._entered.wait(3)
                else:
                    responses[-1].result()
                if held:
                    held.set()
                    responses[-2].result()
                held = self._hold
            self.responses = [response.result() for response in responses]

    def _handle(self, event: Any) -> None:
        hold, outcome = self._hold, next(self._outcomes)
        self.handled.append(event.id)
        self._entered.set()
        if hold:
            hold.wait()
        if outcome == "raises":
            raise RuntimeError("handler")

    def _note(self, error: Exception) -> None:
        if isinstance(error, WebhookVerificationError):
            self.errors.append(error.code)
        elif isinstance(error, SupportChatError) and "is being handled by another" in str(error):
            self.errors.append("in_progress")
        else:
            self.errors.append("store" if isinstance(error, StoreError) else str(error))
        if "hookRaises" in self._case:
            raise RuntimeError("hook")


@pytest.mark.parametrize("case", RECEIVERS["cases"], ids=name_of)
def test_a_case(case: dict[str, Any], host: Host) -> None:
    play = Play(case, host)
    play.run()
    # A framework writes a body for the methods that it refuses itself.
    responses = [(response.status, response.allow) for response in play.responses]
    assert responses == [(step["status"], step.get("allow")) for step in case["steps"]]
    assert [response.body for response in play.responses if response.status != 405] == [
        b"" for step in case["steps"] if step["status"] != 405
    ]
    assert play.handled == case["handled"]
    assert play.errors == case["errors"]


# The others have no verifier to receive with.
RECEIVED = [vector for vector in VECTORS if vector["result"] != "missing_secret"]


@pytest.mark.parametrize("vector", RECEIVED, ids=name_of)
def test_a_vector(vector: dict[str, Any], some_host: Host) -> None:
    host = some_host
    handled: list[str] = []
    errors: list[Any] = []
    note = errors.append
    host.receive(verifier_of(vector), lambda event: handled.append(event.id), on_error=note)
    request = ("POST", body_of(vector), vector["headers"])
    response = send(host.port, *request) if travels(vector) else ask(host, *request)
    result = vector["result"]
    assert response == Response(RECEIVERS["statuses"][result], None, b"")
    assert [error.code for error in errors] == ([] if result == "ok" else [result])
    assert len(handled) == (result == "ok")


def travels(vector: dict[str, Any]) -> bool:
    """Whether HTTP brings the headers as they are: servers disagree about all but ASCII."""
    text = "".join(f"{name}{value}" for name, value in vector["headers"])
    return all(character == "\t" or " " <= character <= "~" for character in text)
