"""The mock server as a process of a test."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, Literal
from urllib.parse import quote, urlencode, urlsplit

from .._generated.events import EventKind
from .._generated.names import ENV_MOCK, START_MOCK, BaseError

START_TIMEOUT = 30.0
CALL_TIMEOUT = 60.0

DeliveryState = Literal["pending", "succeeded", "dead"]


@dataclass(frozen=True)
class MockEndpoint:
    """Where the mock server sends events."""

    id: str
    url: str
    secret: str = field(repr=False)
    """What its deliveries are signed with."""


class MockServer:
    """A mock server with a sandbox of its own, which starts seeded. See `mock_server`."""

    url: str
    """The base URL for clients, and for `_mock`, which controls the server."""
    api_key: str
    """The key of the sandbox."""

    def __init__(self, command: str | None = None) -> None:
        command = command or os.environ.get(ENV_MOCK) or START_MOCK
        self._process: subprocess.Popen[str] | None = None
        self.api_key = f"sk_test_{secrets.token_hex(8)}"
        self.url = command.rstrip("/") if command.startswith("http://") else self._start(command)

    def __enter__(self) -> MockServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reset(self) -> None:
        """Forget everything that happened, endpoints included, and set the clock right."""
        self._call("POST", "reset", {})

    def advance(self, duration: str) -> str:
        """Let time pass, such as `PT24H`; return the new time.

        Returns when every attempt that became due has ended, later ones included, however long
        the receivers take.
        """
        return str(self._call("POST", "clock", {"advance": duration}, is_patient=True)["now"])

    def add_endpoint(
        self, url: str, *, secret: str | None = None, events: Sequence[EventKind] | None = None
    ) -> MockEndpoint:
        """Send events to a URL: those of some kinds, or all. Without a secret one is made up."""
        wanted = {"url": url, "events": events and [*events]}
        given = {} if secret is None else {"secret": secret}
        added = self._call("POST", "endpoints", {**wanted, **given})
        return MockEndpoint(added["id"], added["url"], added["secret"])

    def trigger(self, kind: EventKind, data: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send an event for nothing that happened, with `data` merged into its own; return it."""
        sent: dict[str, Any] = self._call("POST", "trigger", {"kind": kind, "data": data or {}})
        return sent

    def deliveries(self, state: DeliveryState | None = None) -> list[dict[str, Any]]:
        """Return what was sent, the newest first, once nothing that is due waits.

        A delivery has an `id`, the `event_id`, `kind` and `endpoint_id`, a `state` (`pending`,
        `succeeded` or `dead`; all where it is left out) and its `attempts`.
        """
        self.advance("PT0S")
        query = "" if state is None else f"?{urlencode({'state': state})}"
        sent: list[dict[str, Any]] = self._call("GET", f"deliveries{query}")["data"]
        return sent

    def replay(self, delivery_id: str) -> None:
        """Send a delivery again that succeeded or is dead.

        Returns when its attempt has ended, however long the receiver takes.
        """
        path = f"deliveries/{quote(delivery_id, safe='')}/replay"
        self._call("POST", path, {}, is_patient=True)
        self.advance("PT0S")

    def close(self) -> None:
        """Stop the server, or where it was running before, empty the sandbox."""
        if self._process is None:
            self.reset()
        else:
            _stop(self._process)

    def _start(self, command: str) -> str:
        # In a group of its own, so that what the command starts ends with it. Its standard input
        # ends with this program, also where that is killed.
        with tempfile.TemporaryFile("w+") as stderr:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {command} --port 0 --memory --stop-with-stdin"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                start_new_session=True,
            )
            is_late = threading.Event()
            watchdog = threading.Timer(START_TIMEOUT, _give_up, [self._process, is_late])
            watchdog.daemon = True
            watchdog.start()
            assert self._process.stdout
            line = self._process.stdout.readline()
            if not line:
                self._process.wait()
            watchdog.cancel()
            _, said, url = line.partition("Listening on ")
            if said:
                return url.strip()
            _stop(self._process)
            stderr.seek(0)
            if line:
                reason = f"printed {line.strip()!r}"
            elif is_late.is_set():
                reason = f"printed nothing within {START_TIMEOUT:.0f} seconds"
            else:
                reason = f"ended with exit code {self._process.returncode}"
            raise BaseError(
                f"The mock server did not start: `{command}` {reason}.\n{stderr.read().strip()}\n"
                f"Install it, or set {ENV_MOCK} to the command that starts it or to the URL of one "
                "that runs."
            )

    def _call(
        self, method: str, path: str, body: object = None, *, is_patient: bool = False
    ) -> Any:
        address = urlsplit(self.url)
        timeout = None if is_patient else CALL_TIMEOUT
        connection = HTTPConnection(address.netloc, timeout=timeout)
        headers = {"authorization": f"Bearer {self.api_key}", "content-type": "application/json"}
        content = None if body is None else json.dumps(body)
        try:
            connection.request(method, f"/_mock/{path}", content, headers)
            response = connection.getresponse()
            text = response.read()
        except OSError as error:
            raise BaseError(f"The mock server at {self.url} does not answer: {error}.") from error
        finally:
            connection.close()
        if response.status >= 400:
            raise BaseError(
                f"{method} /_mock/{path} is answered {response.status}: {text.decode()}"
            )
        return json.loads(text or "null")


def _kill(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)


def _give_up(process: subprocess.Popen[str], is_late: threading.Event) -> None:
    is_late.set()
    _kill(process)


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        _kill(process)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    process.wait()
