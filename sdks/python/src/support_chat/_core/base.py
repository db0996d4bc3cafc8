"""What blocking and asynchronous clients have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Generic, NoReturn, TypeVar

from .._generated.names import BaseError
from .call import Result
from .connections import Connections
from .model import remember_request_id
from .options import Settings, resolve_options
from .raw import raw_response

Http = TypeVar("Http")
Self = TypeVar("Self", bound="BaseClient[Any]")


class BaseClient(Generic[Http]):
    """A client: its options, its connections and its clones."""

    _keeps_responses = False
    """Whether methods return the response with its data."""

    def __init__(self, http: Http | None, kind: type[Http], **options: Any) -> None:
        self._settings: Settings = resolve_options(**options)
        self._kind = kind
        self._connections: Connections[Http] = self._connect(http)
        self._owns_connections = http is None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._settings.base_url!r})"

    def __copy__(self: Self) -> Self:
        return self._copy()

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled, since the pickle would hold the API key."""
        raise TypeError(f"cannot pickle {type(self).__name__}: it holds the API key")

    @staticmethod
    def _open() -> Any:
        """Open an HTTP client."""

    def _connect(self, http: Http | None) -> Connections[Http]:
        if not isinstance(http, self._kind | None):
            name = f"httpx2.{self._kind.__name__}"
            raise BaseError(f"http_client must be an {name}, not {type(http).__name__}.")
        return Connections(self._open, http)

    def _clone(self: Self, options: Mapping[str, Any]) -> Self:
        """Return a client with other options that shares the connections of this one."""
        changes = dict(options)
        http = changes.pop("http_client", None)
        clone = self._copy()
        clone._settings = self._settings.changed(changes)
        if http is not None:
            clone._connections = self._connect(http)
        return clone

    def _keeping(self: Self) -> Self:
        """Return a client whose methods return a `RawResponse`."""
        clone = self._copy()
        clone._keeps_responses = True
        return clone

    def _copy(self: Self) -> Self:
        """Return a shallow copy, also of a subclass, whose resources belong to the copy."""
        clone = object.__new__(type(self))
        vars(clone).update(vars(self))
        for name in [*vars(clone)]:
            if isinstance(getattr(type(clone), name, None), cached_property):
                del clone.__dict__[name]
        clone._owns_connections = False
        return clone

    def _give(self, result: Result[Any]) -> Any:
        """Convert a result into what the caller gets."""
        if self._keeps_responses:
            return raw_response(result)
        remember_request_id(result.data, result.response.request_id)
        return result.data


def keep_responses(client: Self) -> Self:
    """Return a client whose methods return a `RawResponse`."""
    return client._keeping()
