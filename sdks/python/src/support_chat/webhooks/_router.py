"""Passes events to the handlers of their kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .._generated.names import BaseError
from ._receiver import check_callable

_Handler = TypeVar("_Handler", bound=Callable[[Any], Any])


class Routes:
    """The handlers of a router, by kind."""

    __slots__ = ("_by_kind", "_is_async", "_kinds", "_otherwise")

    def __init__(self, kinds: tuple[str, ...], *, is_async: bool) -> None:
        self._kinds = kinds
        self._is_async = is_async
        self._by_kind: dict[str, Callable[[Any], Any]] = {}
        self._otherwise: Callable[[Any], Any] | None = None

    def register(self, kind: str) -> Callable[[_Handler], _Handler]:
        """Return a decorator for the handler of a kind.

        Raises the base error for an unknown kind. The decorator raises it for a second handler.
        """
        if kind not in self._kinds:
            kinds = ", ".join(self._kinds)
            raise BaseError(f"{kind!r} is no kind of this version, but {kinds}. Use otherwise.")

        def add(handler: _Handler) -> _Handler:
            if kind in self._by_kind:
                raise BaseError(f"{kind} has a handler already.")
            check_callable("The handler", handler, is_async=self._is_async)
            self._by_kind[kind] = handler
            return handler

        return add

    def set_otherwise(self, handler: _Handler) -> _Handler:
        """Set the handler of all other events. Raises the base error for a second one."""
        if self._otherwise is not None:
            raise BaseError("There is a handler for all other events already.")
        check_callable("The handler", handler, is_async=self._is_async)
        self._otherwise = handler
        return handler

    def handler_of(self, event: Any) -> Callable[[Any], Any] | None:
        """Return the handler of an event, if there is one."""
        return self._by_kind.get(event.event, self._otherwise)
