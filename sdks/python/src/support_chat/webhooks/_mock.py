"""Runs the mock server for tests."""

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
    """An endpoint that the mock server sends events to."""

    id: str
    url: str
    secret: str = field(repr=False)
    """The signing secret."""


class MockServer:
    """A mock server with a separate, seeded sandbox. See `mock_server`."""

    url: str
    """The base URL for clients, and for the control API under `_mock`."""
    api_key: str
    """The API key of the sandbox."""

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
        """Restore the initial state: no endpoints, no events, and the right time."""
        self._call("POST", "reset", {})

    def advance(self, duration: str) -> str:
        """Advance the clock, for example by `PT24H`, and return the new time.

        Returns after every attempt that is due by then has ended. There is no timeout.
        """
        return str(self._call("POST", "clock", {"advance": duration}, is_patient=True)["now"])

    def add_endpoint(
        self, url: str, *, secret: str | None = None, events: Sequence[EventKind] | None = None
    ) -> MockEndpoint:
        """Register an endpoint for some event kinds, or for all. The default secret is random."""
        wanted = {"url": url, "events": events and [*events]}
        given = {} if secret is None else {"secret": secret}
        added = self._call("POST", "endpoints", {**wanted, **given})
        return MockEndpoint(added["id"], added["url"], added["secret"])

    def trigger(self, kind: EventKind, data: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a synthetic event, with `data` merged into its data, and return it."""
        sent: dict[str, Any] = self._call("POST", "trigger", {"kind": kind, "data": data or {}})
        return sent

    def deliveries(self, state: DeliveryState | None = None) -> list[dict[str, Any]]:
        """Return the deliveries, newest first, after all due attempts have ended.

        A delivery has an `id`, an `event_id`, a `kind`, an `endpoint_id`, a `state` (`pending`,
        `succeeded` or `dead`) and its `attempts`. Without `state`, returns all deliveries.
        """
        self.advance("PT0S")
        query = "" if state is None else f"?{urlencode({'state': state})}"
        sent: list[dict[str, Any]] = self._call("GET", f"deliveries{query}")["data"]
        return sent

    def replay(self, delivery_id: str) -> None:
        """Replay a delivery that succeeded or is dead.

        Returns after the attempt has ended. There is no timeout.
        """
        path = f"deliveries/{quote(delivery_id, safe='')}/replay"
        self._call("POST", path, {}, is_patient=True)
        self.advance("PT0S")

    def close(self) -> None:
        """Stop the server. If it was running before, reset the sandbox instead."""
        if self._process is None:
            self.reset()
        else:
            _stop(self._process)

    def _start(self, command: str) -> str:
        # In a separate process group, so that child processes end with it. Its standard input
        # closes with this program, even if that is killed.
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
            _, found, url = line.partition("Listening on ")
            if found:
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
                f"Install it, or set {ENV_MOCK} to the command that starts it or to the URL of a "
                "running server."
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
            raise BaseError(f"The mock server at {self.url} does not respond: {error}.") from error
        finally:
            connection.close()
        if response.status >= 400:
            raise BaseError(f"{method} /_mock/{path} returned {response.status}: {text.decode()}")
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
