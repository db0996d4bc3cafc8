from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest

from support import Caller, Server
from support_chat._core import clock


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="give fuzz tests a million inputs")


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, server: Server) -> Caller:
    return Caller(request.param, server.url)


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Sleeps end at once; this is how long they would have been, without jitter."""
    slept: list[float] = []

    async def sleep_async(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(clock, "sleep", slept.append)
    monkeypatch.setattr(clock, "sleep_async", sleep_async)
    monkeypatch.setattr(clock, "random", lambda: 1.0)
    return slept


@pytest.fixture
def stop_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Hold the time of day still."""
    return lambda seconds: monkeypatch.setattr(clock, "now", lambda: seconds)


@pytest.fixture
def full() -> Iterator[str]:
    """A server whose queue is full, so that no connection comes about."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = []
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
            waiting.append(one)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        for one in waiting:
            one.close()
