"""The mock server, as integrators start it in their tests."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import PIPE, Popen
from urllib.parse import urlsplit
from urllib.request import urlopen
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from support_chat import SupportChat, SupportChatError
from support_chat.testing import MockServer, mock_server
from support_chat.webhooks import Event, Webhooks, _mock
from support_chat.webhooks.wsgi import webhook_app

COMMAND = f"node '{Path(__file__).parents[4] / 'mock-server/bin.js'}' serve"
# For a shell within the shell.
QUOTED = COMMAND.replace("'", '"')
URL = "http://127.0.0.1:9/webhooks"

pytestmark = pytest.mark.timeout(60)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def is_open(url: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", urlsplit(url).port)) != errno.ECONNREFUSED


@pytest.fixture(scope="module")
def running() -> Iterator[MockServer]:
    with mock_server(COMMAND) as mock:
        yield mock


@pytest.fixture
def mock(running: MockServer) -> MockServer:
    running.reset()
    return running


def test_a_client_uses_it_and_reset_restores_it(mock: MockServer) -> None:
    with SupportChat(base_url=mock.url, api_key=mock.api_key) as client:
        conversation = client.conversations.list().data[0].id
        client.conversations.messages.create(conversation, text="Hello!")
        transcript = client.conversations.get(conversation).transcript
        assert transcript[-1].text == "Hello!"
        mock.reset()
        assert client.conversations.get(conversation).transcript == transcript[:-1]


def test_a_receiver_gets_what_is_triggered_and_again_what_it_failed_to_handle(
    mock: MockServer,
) -> None:
    seen: list[str] = []

    def handle(event: Event) -> None:
        seen.append(event.id)
        if len(seen) <= 5:
            raise RuntimeError("not now")

    with make_server("127.0.0.1", 0, lambda *_: [], handler_class=Quiet) as server:
        endpoint = mock.add_endpoint(
            f"http://127.0.0.1:{server.server_port}", events=["conversation.handoff"]
        )
        server.set_app(webhook_app(Webhooks(endpoint.secret), handle, on_error=lambda _: None))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            mock.trigger("conversation.csat")
            event = mock.trigger("conversation.handoff", {"reason": "A refund."})
            assert event["data"]["reason"] == "A refund."
            mock.advance("PT24H")
            [dead] = mock.deliveries("dead")
            assert [attempt["status"] for attempt in dead["attempts"]] == [503] * 5
            mock.replay(dead["id"])
            assert [delivery["id"] for delivery in mock.deliveries("succeeded")] == [dead["id"]]
            assert seen == [event["id"]] * 6
        finally:
            server.shutdown()
            thread.join()


def test_a_secret_of_ones_own_signs_and_is_not_shown(mock: MockServer) -> None:
    endpoint = mock.add_endpoint(URL, secret="whsec_mine")
    assert endpoint.secret == "whsec_mine"
    assert "whsec_mine" not in repr(endpoint)


def test_one_that_runs_is_taken_by_its_url_and_left_running(running: MockServer) -> None:
    with mock_server(running.url) as mock:
        assert mock.api_key != running.api_key
        mock.add_endpoint(URL)
        mock.trigger("conversation.csat")
        assert len(mock.deliveries()) == 1
    assert (mock.deliveries(), running.deliveries()) == ([], [])


def test_the_environment_says_what_to_start(
    monkeypatch: pytest.MonkeyPatch, running: MockServer
) -> None:
    monkeypatch.setenv("SUPPORT_CHAT_MOCK", running.url)
    with mock_server() as mock:
        assert mock.url == running.url


def test_it_ends_with_its_block_and_everything_that_the_command_started() -> None:
    with mock_server(f"sh -c '{QUOTED} \"$@\"; true' sh") as mock:
        assert urlopen(f"{mock.url}/_mock/health").status == 200
    mock.close()
    with pytest.raises(SupportChatError, match="does not respond"):
        mock.deliveries()


def test_it_ends_with_its_block_where_the_command_has_ended_before_it() -> None:
    in_background = f"sh -c 'exec 3<&0; {QUOTED} \"$@\" <&3 &' sh"
    with mock_server(in_background) as mock:
        assert is_open(mock.url)
    while is_open(mock.url):
        pass


def test_it_ends_where_the_program_that_started_it_is_killed() -> None:
    code = (
        "import sys; from support_chat.testing import mock_server; "
        "mock = mock_server(sys.argv[1]); print(mock.url, flush=True); sys.stdin.read()"
    )
    program = [sys.executable, "-c", code, COMMAND]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with Popen(program, stdin=PIPE, stdout=PIPE, text=True, env=env) as child:
        assert child.stdout
        url = child.stdout.readline().strip()
        assert is_open(url)
        child.kill()
    while is_open(url):
        pass


@pytest.mark.parametrize(
    ("command", "code", "complaint"),
    [
        ("there-is-no-such-program", 127, "not found"),
        (COMMAND.removesuffix(" serve"), 2, "error: unknown option '--port'"),
    ],
)
def test_a_command_that_ends_is_an_error_that_says_how_and_what_to_do(
    command: str, code: int, complaint: str
) -> None:
    with pytest.raises(SupportChatError) as caught:
        mock_server(command)
    assert f"`{command}` ended with exit code {code}.\n" in str(caught.value)
    assert complaint in str(caught.value)
    assert "SUPPORT_CHAT_MOCK" in str(caught.value)


def test_a_command_that_prints_something_else_is_an_error_that_shows_it() -> None:
    with pytest.raises(SupportChatError, match="`echo Hello from` printed 'Hello from --port 0"):
        mock_server("echo Hello from")


def test_what_it_refuses_is_an_error_with_its_reason(mock: MockServer) -> None:
    with pytest.raises(SupportChatError, match="422"):
        mock.advance("tomorrow")


def test_a_state_that_there_is_not_is_an_error_with_its_reason(mock: MockServer) -> None:
    with pytest.raises(SupportChatError, match="422") as caught:
        mock.deliveries("daed")  # type: ignore[arg-type]  # what type checkers refuse
    assert "dead" in str(caught.value)


def test_time_passes_for_as_long_as_receivers_take_and_nothing_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_asked, may_answer = threading.Event(), threading.Event()

    class Slow(BaseHTTPRequestHandler):
        """Moves the clock once something else was given up, which it never responses."""

        def do_POST(self) -> None:
            if self.path == "/_mock/reset":
                self.rfile.read()
                return
            is_asked.set()
            may_answer.wait()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"now": "2026-11-21T12:00:00Z"}')

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.setattr(_mock, "CALL_TIMEOUT", 0.05)
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server, ThreadPoolExecutor() as pool:
        pool.submit(server.serve_forever)
        try:
            mock = mock_server(f"http://127.0.0.1:{server.server_port}")
            replayed = pool.submit(mock.replay, "dlv_1")
            is_asked.wait()
            with pytest.raises(SupportChatError, match="does not respond"):
                mock.reset()
            may_answer.set()
            replayed.result()
            assert mock.advance("PT0S") == "2026-11-21T12:00:00Z"
        finally:
            may_answer.set()
            server.shutdown()


def test_requests_fail_by_rules(mock: MockServer) -> None:
    mock.fail(path="/v1/conversations", status=429, retry_after=2, times=1)
    with SupportChat(base_url=mock.url, api_key=mock.api_key, max_retries=0) as client:
        with pytest.raises(SupportChatError, match="429"):
            client.conversations.list()
        client.conversations.list()
    assert mock.faults()[0]["left"] == 0
    assert [made["response"]["status"] for made in mock.requests()] == [200, 429]
    mock.clear_faults()
    assert mock.faults() == []


def test_deliveries_are_held_back_and_sent_in_another_order(mock: MockServer) -> None:
    endpoint = mock.add_endpoint(URL)
    mock.pause()
    conversation = str(mock.create_conversation("Hello?", name="Ada")["id"])
    mock.say(conversation, "Anybody?", author="agent")
    mock.handoff(conversation, "A refund.")
    mock.resolve(conversation)
    mock.csat(conversation, 5, "Quick.")
    mock.trigger("future", copies=2)
    first, second, *others = mock.deliveries()
    assert first["kind"] == second["kind"] == "future.event"
    assert {one["state"] for one in others} == {"pending"}
    mock.cancel(first["id"])
    mock.retry_now(second["id"])
    assert mock.deliveries("dead")[0]["reason"] == "cancelled"
    mock.disable(endpoint.id)
    mock.resume("reverse")
    mock.enable(endpoint.id)
    assert mock.rotate(endpoint.id) != endpoint.secret
    assert len(mock.deliveries()) == len(others) + 2


def test_a_snapshot_is_restored(mock: MockServer) -> None:
    mock.snapshot("base")
    mock.add_endpoint(URL)
    mock.trigger("future")
    mock.restore("base")
    assert mock.deliveries() == []
