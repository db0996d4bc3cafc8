"""What the other tests rely on."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from support import Server


def test_a_server_closes_a_connection_that_it_is_just_accepting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accepted: list[socket.socket] = []
    is_accepted, is_stopping = threading.Event(), threading.Event()

    class Listener(socket.socket):
        def accept(self) -> tuple[socket.socket, Any]:
            connection, address = super().accept()
            accepted.append(connection)
            is_accepted.set()
            is_stopping.wait()
            return connection, address

        def shutdown(self, how: int) -> None:
            super().shutdown(how)
            threading.Timer(0.05, is_stopping.set).start()

    def create_server(address: tuple[str, int]) -> socket.socket:
        listener = Listener()
        listener.bind(address)
        listener.listen()
        return listener

    monkeypatch.setattr(socket, "create_server", create_server)
    server = Server()
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)):
        is_accepted.wait()
    server.close()
    assert [one.fileno() for one in accepted] == [-1]
