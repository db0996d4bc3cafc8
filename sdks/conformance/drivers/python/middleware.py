"""The middleware of a case, for the client of either kind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2

Layer = dict[str, Any]


class Own(Exception):
    """An error of the middleware itself."""


def sync_layers(layers: list[Layer], told: list[Any]) -> list[Any]:
    def made(layer: Layer) -> Callable[..., httpx2.Response]:
        def run(request: httpx2.Request, following: Callable[..., httpx2.Response]) -> Any:
            before(layer, request, told)
            if "respond" in layer:
                return response(layer["respond"], request)
            if "again" in layer:
                following(request).read()
            received = following(request)
            if "replace" not in layer:
                return received
            received.read()
            return response(layer["replace"], request)

        return run

    return [made(layer) for layer in layers]


def async_layers(layers: list[Layer], told: list[Any]) -> list[Any]:
    def made(layer: Layer) -> Callable[..., Awaitable[httpx2.Response]]:
        async def run(
            request: httpx2.Request, following: Callable[..., Awaitable[httpx2.Response]]
        ) -> Any:
            before(layer, request, told)
            if "respond" in layer:
                return response(layer["respond"], request)
            if "again" in layer:
                await (await following(request)).aread()
            received = await following(request)
            if "replace" not in layer:
                return received
            await received.aread()
            return response(layer["replace"], request)

        return run

    return [made(layer) for layer in layers]


def before(layer: Layer, request: httpx2.Request, told: list[Any]) -> None:
    """Do what a layer does with the request."""
    if "tell" in layer:
        attempt = request.extensions["support_chat"]
        names = ("operation", "method", "template", "path", "retry")
        told.append({"by": layer["tell"], **{name: getattr(attempt, name) for name in names}})
    if "raise" in layer:
        raise Own(layer["raise"])
    request.headers.update(layer.get("set_header", {}))


def response(made: Layer, request: httpx2.Request) -> httpx2.Response:
    headers = made.get("headers", {})
    return httpx2.Response(made["status"], headers=headers, json=made["json"], request=request)
