"""Stores that four processes share, some of which are killed, and databases that go away."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg_pool
import pytest
import redis

from support_chat.webhooks import (
    DedupeStore,
    Lease,
    PostgresDedupeStore,
    RedisDedupeStore,
    WebhookReceiver,
    Webhooks,
)
from webhooks.databases import postgres_url, redis_url
from webhooks.deliveries import ENVELOPE, SECRET, signed, written

PROCESSES, EVENTS, DUPLICATES = 4, 20, 50
LEASE = 1

WORKER = Path(__file__).with_name("worker.py")


class Worker:
    """A process that receives events, one a line, and prints a status for each."""

    def __init__(self, kind: str, name: str, log: Path) -> None:
        log.touch()
        command = [sys.executable, str(WORKER), kind, name, str(log), str(LEASE)]
        paths = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert self._line() == "ready"

    def receive(self, event_id: str) -> int | None:
        """Deliver an event; None if the process has died."""
        with suppress(BrokenPipeError):
            assert self.process.stdin
            self.process.stdin.write(f"{event_id}\n")
            self.process.stdin.flush()
            line = self._line()
            return int(line) if line else None
        return None

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


@pytest.mark.parametrize("kind", ["redis", "postgres", "sqlite"])
def test_four_processes_handle_each_event_once_and_lose_none(kind: str, tmp_path: Path) -> None:
    name = f"t{os.getpid()}_{time.time_ns()}"
    logs = [tmp_path / f"{number}.log" for number in range(PROCESSES)]
    workers = [Worker(kind, name, log) for log in logs]
    events = [f"evt_{number}" for number in range(EVENTS)]
    try:
        with ThreadPoolExecutor(PROCESSES) as threads:
            deliver = [threads.submit(_deliver_all, worker, events) for worker in workers]
            statuses = [status for one in deliver for status in one.result()]
    finally:
        for worker in workers:
            worker.end()
    handled = Counter(line for log in logs for line in log.read_text().splitlines())
    assert handled == Counter(f"handled {event_id}" for event_id in events)
    assert set(statuses) <= {204, 503}


def _deliver_all(worker: Worker, events: list[str]) -> list[int | None]:
    return [worker.receive(event_id) for event_id in events for _ in range(DUPLICATES // 4)]


@pytest.mark.parametrize("kind", ["redis", "postgres", "sqlite"])
def test_an_event_of_a_process_that_is_killed_comes_again(kind: str, tmp_path: Path) -> None:
    name = f"k{os.getpid()}_{time.time_ns()}"
    log = tmp_path / "killed.log"
    killed = Worker(kind, name, log)
    other = Worker(kind, name, tmp_path / "other.log")
    try:
        assert killed.process.stdin
        killed.process.stdin.write("evt_slow\n")
        killed.process.stdin.flush()
        while "begun evt_slow" not in log.read_text():
            time.sleep(0.01)
        os.kill(killed.process.pid, signal.SIGKILL)
        killed.process.wait()
        statuses = [other.receive("evt_slow_again")]
        statuses.append(other.receive("evt_slow"))
        while statuses[-1] == 503:
            time.sleep(0.02)
            statuses.append(other.receive("evt_slow"))
    finally:
        killed.end()
        other.end()
    assert statuses[-1] == 204
    said = (tmp_path / "other.log").read_text()
    assert said.count("handled evt_slow\n") == 1
    if len(statuses) > 2:
        assert f"is being handled by {socket.gethostname()}:{killed.process.pid}." in said


class Proxy:
    """A connection to a database that can go away, and come back."""

    def __init__(self, url: str) -> None:
        target = urlsplit(url)
        self._target = (target.hostname, target.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        address = f"{target.username}@" if target.username else ""
        port = self._listener.getsockname()[1]
        self.url = urlunsplit(target._replace(netloc=f"{address}127.0.0.1:{port}"))
        self._open: list[socket.socket] = []
        self.is_away = False
        threading.Thread(target=self._accept, daemon=True).start()

    def go_away(self) -> None:
        self.is_away = True
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.is_away:
                    client.close()
                    continue
                server = socket.create_connection(self._target)
                self._open += [client, server]
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    @staticmethod
    def _pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                sink.sendall(data)
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.go_away()
        self._listener.close()
        for one in self._open:
            one.close()


@pytest.mark.parametrize("kind", ["redis", "postgres"])
def test_a_store_that_goes_away_loses_nothing_and_returns(kind: str) -> None:
    proxy = Proxy(redis_url() if kind == "redis" else postgres_url())
    name = f"a{os.getpid()}_{time.time_ns()}"
    handled: list[str] = []
    errors: list[Exception] = []
    leave = [True]

    def handle(event: Any) -> None:
        handled.append(event.id)
        if leave.pop() if leave else False:
            proxy.go_away()

    client: Any
    store: DedupeStore
    if kind == "redis":
        client = redis.Redis.from_url(proxy.url, socket_timeout=1, socket_connect_timeout=1)
        store = RedisDedupeStore(client, prefix=f"{name}:", lease=0.2)
    else:
        client = psycopg_pool.ConnectionPool(
            proxy.url, open=True, timeout=1, reconnect_timeout=60, min_size=1
        )
        made = PostgresDedupeStore(client, table=name, lease=0.2)
        made.setup()
        store = made
    receiver = WebhookReceiver(Webhooks(SECRET), handle, store=store, on_error=errors.append)
    body = written({**ENVELOPE, "id": "evt_1"})
    headers = {"x-service-signature": signed(body)}
    # It is handled, and cannot be marked so. While the store is away, nothing is handled.
    assert [receiver.receive(body, headers) for _ in range(2)] == [503, 503]
    assert handled == ["evt_1"]
    proxy.is_away = False
    end = time.monotonic() + 20
    while (status := receiver.receive(body, headers)) != 204 and time.monotonic() < end:
        time.sleep(0.05)
    assert status == 204
    assert handled == ["evt_1", "evt_1"]
    assert receiver.receive(body, headers) == 204
    assert handled == ["evt_1", "evt_1"]
    assert len(errors) >= 2
    client.close()
    proxy.close()


def test_a_command_that_a_client_repeats_does_not_block_its_caller() -> None:
    """The connection breaks after the command arrived, so that its response is lost."""
    client = redis.Redis.from_url(redis_url())
    name = f"r{os.getpid()}_{time.time_ns()}:"

    class Repeating:
        """A client that sends each command twice."""

        def eval(self, *command: Any) -> Any:
            client.eval(*command)
            return client.eval(*command)

    store = RedisDedupeStore(Repeating(), prefix=name)
    lease = store.begin("evt_1")
    assert lease.state == "new"
    store.done("evt_1", lease.token)
    assert store.begin("evt_1") == Lease("done")
    client.close()
