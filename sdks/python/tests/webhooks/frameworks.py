"""The frameworks and servers in which receivers are proved, each with a real server."""

from __future__ import annotations

import asyncio
import base64
import logging
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import django
import hypercorn.asyncio
import waitress.wasyncore
from aiohttp import web
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler as ASGIHandler
from django.core.handlers.wsgi import WSGIHandler as WSGIHandler
from django.test import RequestFactory
from django.urls import clear_url_caches, path
from fastapi import FastAPI
from flask import Flask
from starlette.applications import Starlette
from starlette.routing import Route
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from support_chat.webhooks import aiohttp, asgi, aws_lambda, flask, wsgi
from webhooks.servers import PATH, Host, on_uvicorn, on_wsgiref, serve_asgi, serve_wsgi

logging.getLogger("waitress").disabled = True
settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "file:shop?mode=memory"}
    },
    # What a new project has, and what refuses a POST without a token.
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="secret",
    LOGGING_CONFIG=None,
)
django.setup()
urlpatterns: list[Any] = []
"""What Django serves."""


def django_urls(view: Any) -> None:
    """Let Django serve a view."""
    urlpatterns[:] = [path(PATH.removeprefix("/"), view)]
    clear_url_caches()


def django_request(body: bytes, headers: dict[str, str]) -> Any:
    """A request as a view of Django gets it."""
    request = RequestFactory().generic("POST", PATH, body, headers=headers)
    request.META["CONTENT_LENGTH"] = str(len(body))
    return request


def in_flask() -> Iterator[Host]:
    def make(*given: Any, **options: Any) -> Any:
        app = Flask("shop")
        app.add_url_rule(PATH, view_func=flask.webhook_view(*given, **options))
        return app

    yield from serve_wsgi(Host(make, is_async=False))


def beside_flask() -> Iterator[Host]:
    def make(*given: Any, **options: Any) -> Any:
        return DispatcherMiddleware(Flask("shop"), {PATH: wsgi.webhook_app(*given, **options)})

    yield from serve_wsgi(Host(make, is_async=False))


def in_django() -> Iterator[Host]:
    from support_chat.webhooks.django import webhook_view

    handler = WSGIHandler()

    def make(*given: Any, **options: Any) -> Any:
        django_urls(webhook_view(*given, **options))
        return handler

    yield from serve_wsgi(Host(make, is_async=False))


def in_async_django() -> Iterator[Host]:
    from support_chat.webhooks.django import async_webhook_view

    handler = ASGIHandler()

    def make(*given: Any, **options: Any) -> Any:
        django_urls(async_webhook_view(*given, **options))
        return handler

    yield from serve_asgi(Host(make, is_async=True))


def in_starlette() -> Iterator[Host]:
    def make(*given: Any, **options: Any) -> Any:
        return Starlette(routes=[Route(PATH, asgi.webhook_app(*given, **options))])

    yield from serve_asgi(Host(make, is_async=True))


def in_fastapi() -> Iterator[Host]:
    def make(*given: Any, **options: Any) -> Any:
        app = FastAPI()
        app.routes.append(Route(PATH, asgi.webhook_app(*given, **options)))
        return app

    yield from serve_asgi(Host(make, is_async=True))


def in_aiohttp() -> Iterator[Host]:
    host = Host(aiohttp.webhook_handler, is_async=True)

    async def dispatch(request: web.Request) -> web.StreamResponse:
        response: web.StreamResponse = await host.app(request)
        return response

    async def serve(ready: Callable[[int], None], ended: asyncio.Event) -> None:
        app = web.Application()
        app.router.add_route("*", PATH, dispatch)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        [(_, port)] = runner.addresses
        ready(port)
        await ended.wait()
        await runner.cleanup()

    yield from _serve_loop(host, serve)


def on_hypercorn() -> Iterator[Host]:
    host = Host(asgi.webhook_app, is_async=True)

    async def serve(ready: Callable[[int], None], ended: asyncio.Event) -> None:
        config = hypercorn.Config()
        config.bind = ["127.0.0.1:0"]
        config.loglevel = "CRITICAL"
        sockets = config.create_sockets()
        config.create_sockets = lambda: sockets  # type: ignore[method-assign]  # it tells no port
        [socket] = sockets.insecure_sockets
        socket.listen()
        ready(socket.getsockname()[1])
        await hypercorn.asyncio.serve(host.asgi, config, shutdown_trigger=ended.wait)

    yield from _serve_loop(host, serve)


def on_waitress() -> Iterator[Host]:
    host = Host(wsgi.webhook_app, is_async=False)
    channels: dict[int, Any] = {}
    ended = threading.Event()
    server = waitress.create_server(host.wsgi, channels, host="127.0.0.1", port=0, threads=8)
    host.port = server.effective_port

    def serve() -> None:
        while not ended.is_set():
            waitress.wasyncore.loop(0.01, map=channels, count=1)

    thread = threading.Thread(target=serve)
    thread.start()
    yield host
    ended.set()
    thread.join()
    server.task_dispatcher.shutdown()
    waitress.wasyncore.close_all(channels)


def in_lambda(convert: Callable[..., dict[str, Any]]) -> Callable[[], Iterator[Host]]:
    """A bridge from HTTP to a Lambda function, as API Gateway and load balancers are one."""

    def make(*given: Any, **options: Any) -> Any:
        function = aws_lambda.webhook_handler(*given, **options)

        def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            response = function(convert(environ, body), None)
            status = HTTPStatus(response["statusCode"])
            start_response(f"{status.value} {status.phrase}", [*response["headers"].items()])
            return [response["body"].encode()]

        return app

    def host() -> Iterator[Host]:
        yield from serve_wsgi(Host(make, is_async=False))

    host.__name__ = convert.__name__
    return host


def _headers_of(environ: dict[str, Any]) -> dict[str, str]:
    fields = {key: value for key, value in environ.items() if key.startswith("HTTP_")}
    return {key[5:].replace("_", "-").title(): value for key, value in fields.items()}


def in_lambda_of_rest_api(environ: dict[str, Any], body: bytes) -> dict[str, Any]:
    headers = _headers_of(environ)
    return {
        "httpMethod": environ["REQUEST_METHOD"],
        "headers": headers,
        "multiValueHeaders": {name: value.split(",") for name, value in headers.items()},
        "body": body.decode() or None,
        "isBase64Encoded": False,
    }


def in_lambda_of_http_api(environ: dict[str, Any], body: bytes) -> dict[str, Any]:
    return {
        "version": "2.0",
        "requestContext": {"http": {"method": environ["REQUEST_METHOD"]}},
        "headers": {name.lower(): value for name, value in _headers_of(environ).items()},
        "body": base64.b64encode(body).decode(),
        "isBase64Encoded": True,
    }


HOSTS = [
    on_wsgiref,
    on_waitress,
    in_flask,
    beside_flask,
    in_django,
    on_uvicorn,
    on_hypercorn,
    in_starlette,
    in_fastapi,
    in_async_django,
    in_aiohttp,
    in_lambda(in_lambda_of_rest_api),
    in_lambda(in_lambda_of_http_api),
]


def _serve_loop(host: Host, serve: Callable[..., Any]) -> Iterator[Host]:
    """Run a server in an event loop of its own."""
    started = threading.Event()
    loop: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def ready(port: int) -> None:
        host.port = port
        started.set()

    async def main() -> None:
        ended = asyncio.Event()
        loop.append((asyncio.get_running_loop(), ended))
        await serve(ready, ended)

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    assert started.wait(10)
    yield host
    running, ended = loop[0]
    running.call_soon_threadsafe(ended.set)
    thread.join()
