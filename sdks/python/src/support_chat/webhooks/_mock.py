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
from .._generated.names import ENV_MOCK, INSTALL_MOCK, START_MOCK, BaseError
from .._generated.samples import SampleKind

START_TIMEOUT = 30.0
CALL_TIMEOUT = 60.0

DeliveryState = Literal["pending", "succeeded", "dead"]
DeliveryOrder = Literal["original", "reverse", "shuffled"]


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

    def rotate(self, endpoint_id: str) -> str:
        """Give an endpoint a new secret, and return it."""
        return str(self._call("POST", _path("endpoints", endpoint_id, "rotate"), {})["secret"])

    def disable(self, endpoint_id: str) -> None:
        """Send no more events to an endpoint. Its pending deliveries wait."""
        self._call("POST", _path("endpoints", endpoint_id, "disable"), {})

    def enable(self, endpoint_id: str) -> None:
        """Send events to an endpoint again."""
        self._call("POST", _path("endpoints", endpoint_id, "enable"), {})

    def trigger(
        self, kind: SampleKind, data: dict[str, Any] | None = None, *, copies: int = 1
    ) -> dict[str, Any]:
        """Send a synthetic event, with `data` merged into its data, and return it.

        The kind `future` is an event that no contract has. Each endpoint gets `copies` of it.
        """
        body = {"kind": kind, "data": data or {}, "copies": copies}
        sent: dict[str, Any] = self._call("POST", "trigger", body)
        return sent

    def events(self) -> list[dict[str, Any]]:
        """Return the latest events, newest first."""
        happened: list[dict[str, Any]] = self._call("GET", "events")["data"]
        return happened

    def create_conversation(
        self, text: str | None = None, *, name: str | None = None
    ) -> dict[str, Any]:
        """Create a conversation as a visitor, and return it with its `id`."""
        body = {"name": name} if text is None else {"text": text, "name": name}
        created: dict[str, Any] = self._call("POST", "conversations", body)
        return created

    def say(
        self,
        conversation_id: str,
        text: str,
        *,
        author: Literal["visitor", "agent"] = "visitor",
    ) -> dict[str, Any]:
        """Add a message to a conversation, and return it."""
        path = _path("conversations", conversation_id, "messages")
        said: dict[str, Any] = self._call("POST", path, {"author": author, "text": text})
        return said

    def handoff(self, conversation_id: str, reason: str) -> None:
        """Hand a conversation off to a human."""
        self._call("POST", _path("conversations", conversation_id, "handoff"), {"reason": reason})

    def resolve(self, conversation_id: str) -> None:
        """Resolve a conversation."""
        self._call("POST", _path("conversations", conversation_id, "resolve"), {})

    def csat(self, conversation_id: str, rating: int, comment: str | None = None) -> None:
        """Rate a resolved conversation, as its visitor."""
        body = {"rating": rating, "comment": comment}
        self._call("POST", _path("conversations", conversation_id, "csat"), body)

    def fail(
        self,
        *,
        method: str | None = None,
        path: str | None = None,
        status: int | None = None,
        retry_after: int | None = None,
        times: int | None = None,
        rate: float | None = None,
        delay: str | None = None,
        reset: bool | None = None,
        truncate: bool | None = None,
    ) -> dict[str, Any]:
        """Let matching requests to the API fail, and return the rule.

        `path` is a path, a template such as `/v1/things/{id}`, or the start of paths and `*`.
        `retry_after` is in seconds, and `delay` is a text such as `2s` or `300ms`.
        """
        given = {
            "method": method,
            "path": path,
            "status": status,
            "retry_after": retry_after,
            "times": times,
            "rate": rate,
            "delay": delay,
            "reset": reset,
            "truncate": truncate,
        }
        body = {name: value for name, value in given.items() if value is not None}
        rule: dict[str, Any] = self._call("POST", "faults", body)
        return rule

    def faults(self) -> list[dict[str, Any]]:
        """Return the rules of `fail`, with how many requests each still counts (`left`)."""
        rules: list[dict[str, Any]] = self._call("GET", "faults")["data"]
        return rules

    def clear_faults(self) -> None:
        """Remove all rules of `fail`."""
        self._call("DELETE", "faults")

    def requests(self) -> list[dict[str, Any]]:
        """Return the latest requests to the API, newest first, without secrets."""
        made: list[dict[str, Any]] = self._call("GET", "requests")["data"]
        return made

    def snapshot(self, name: str) -> None:
        """Keep the sandbox under a name, with its clock, endpoints and deliveries."""
        self._call("POST", "snapshots", {"name": name})

    def snapshots(self) -> list[dict[str, Any]]:
        """Return the snapshots, oldest first, with the `name` of each."""
        kept: list[dict[str, Any]] = self._call("GET", "snapshots")["data"]
        return kept

    def restore(self, name: str) -> None:
        """Bring the sandbox back to a snapshot."""
        self._call("POST", _path("snapshots", name, "restore"), {})

    def remove_snapshot(self, name: str) -> None:
        """Remove a snapshot. The sandbox stays as it is."""
        self._call("DELETE", _path("snapshots", name))

    def pause(self) -> None:
        """Hold all deliveries back. Events still happen."""
        self._call("POST", "deliveries/pause", {})

    def resume(self, order: DeliveryOrder | None = None) -> None:
        """Send what waited: at once, or one by one in an order. There is no timeout."""
        body = {} if order is None else {"order": order}
        self._call("POST", "deliveries/resume", body, is_patient=True)

    def cancel(self, delivery_id: str) -> None:
        """Make a pending delivery dead."""
        self._call("POST", _path("deliveries", delivery_id, "cancel"), {})

    def retry_now(self, delivery_id: str) -> None:
        """Make the next attempt of a pending delivery, and return when it has ended."""
        self._call("POST", _path("deliveries", delivery_id, "retry"), {})
        self.advance("PT0S")

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
        self._call("POST", _path("deliveries", delivery_id, "replay"), {}, is_patient=True)
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
                f"Install it with `{INSTALL_MOCK}`, or set {ENV_MOCK} to the command that starts it or to the URL of a "
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


def _path(collection: str, item: str, *step: str) -> str:
    return "/".join([collection, quote(item, safe=""), *step])


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
