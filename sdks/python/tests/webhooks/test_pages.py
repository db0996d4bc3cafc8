"""The programs of the documentation, one for each framework, on the server that it names."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from support_chat.testing import SampleKind, fake_delivery
from webhooks.databases import redis_url
from webhooks.deliveries import SECRET

PAGES = Path(__file__).parents[4] / "docs/webhooks"
SERVED = ["aiohttp", "django", "fastapi", "flask", "starlette"]

SHOP = """\
from support_chat.webhooks import Event


{define} handle(event: Event) -> None:
    print("handled", event.id, flush=True)
"""


def program_of(page: str, folder: Path) -> str:
    """Write the program of a page and a handler, and return the command."""
    text = (PAGES / f"{page}.md").read_text()
    code: str
    [code] = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    define = "async def" if "an `async def`" in text else "def"
    (folder / "main.py").write_text(code)
    (folder / "shop.py").write_text(SHOP.format(define=define))
    return code.partition("\n")[0].partition("started with: ")[2]


def send(port: int, kind: SampleKind, secret: str) -> int:
    delivery = fake_delivery(kind, secret=secret)
    head = [
        "POST /webhooks HTTP/1.1",
        "host: shop.example",
        "connection: close",
        f"content-length: {len(delivery.body)}",
        *(f"{name}: {value}" for name, value in delivery.headers.items()),
    ]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode() + delivery.body)
        return int(connection.makefile("rb").readline().split()[1])


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@pytest.mark.parametrize("page", SERVED)
def test_the_program_of_a_page_receives(page: str, tmp_path: Path) -> None:
    command = program_of(page, tmp_path)
    port = unused_port()
    env = {
        **os.environ,
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
        "PORT": str(port),
        "SUPPORT_CHAT_WEBHOOK_SECRET": SECRET,
    }
    log = tmp_path / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=tmp_path,
            env=env,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            _wait_for(port, server)
            kinds: list[SampleKind] = ["conversation.handoff", "conversation.handoff", "future"]
            assert [send(port, kind, SECRET) for kind in kinds] == [204, 204, 204]
            assert send(port, "future", "whsec_other") == 401
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
    said = [line for line in log.read_text().splitlines() if line.startswith("handled ")]
    assert said == ["handled evt_01J2Z91J4S", "handled evt_future"]
    assert "signature_mismatch" in log.read_text()
    assert SECRET not in log.read_text()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    with socket.socket() as connection:
        while connection.connect_ex(("127.0.0.1", port)):
            assert server.poll() is None
            time.sleep(0.05)


def test_the_function_of_a_page_receives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program_of("lambda-python", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SUPPORT_CHAT_WEBHOOK_SECRET", SECRET)
    monkeypatch.setenv("REDIS_URL", redis_url())
    main = importlib.import_module("main")
    try:
        overrides = {"id": f"evt_{tmp_path.name}_{os.getpid()}"}
        for secret, status in [(SECRET, 204), (SECRET, 204), ("whsec_other", 401)]:
            delivery = fake_delivery("future", secret=secret, overrides=overrides)
            request = {
                "requestContext": {"http": {"method": "POST"}},
                "headers": delivery.headers,
                "body": delivery.body.decode(),
                "isBase64Encoded": False,
            }
            response = main.handler(json.loads(json.dumps(request)), None)
            assert response["statusCode"] == status
    finally:
        main.store._eval.__self__.close()
        for name in ("main", "shop"):
            del sys.modules[name]


def test_the_page_of_python_lists_the_versions_that_are_tested() -> None:
    text = (PAGES / "python.md").read_text()
    is_oldest = sys.version_info[:2] == (3, 10)
    rows = re.findall(r"\| (\w+) (\d[\d.]*) \| (\w+) (\d[\d.]*) \|$", text, re.MULTILINE)
    assert len(rows) >= 10
    for oldest, first, newest, last in rows:
        name, said = (oldest, first) if is_oldest else (newest, last)
        assert said == (sys.version[: len(said)] if name == "Python" else version(name))


def test_a_page_links_to_what_is_there() -> None:
    for page in ["python", "lambda-python", *SERVED]:
        for link in re.findall(r"\]\(([^)#]+)", (PAGES / f"{page}.md").read_text()):
            assert (PAGES / link).exists()
