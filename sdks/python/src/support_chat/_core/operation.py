"""The facts about an operation beyond its method and path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """The header that carries the API key."""

    header: str
    """In lower case."""
    prefix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFields:
    """The names of the fields that pagination uses."""

    items: str
    """The field that holds the items."""
    next_cursor: str
    """The field that holds the cursor of the next page."""
    cursor_param: str
    """The query parameter for the cursor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The serialization of a list or an object in a query, in the terms of OpenAPI."""

    style: Literal["form", "spaceDelimited", "pipeDelimited", "deepObject"] = "form"
    explode: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The facts about an operation that differ from the defaults."""

    name: str | None = None
    """The name of the method, such as `things.list`."""
    idempotency_header: str | None = None
    """The header for the idempotency key. With it, every call sends a key."""
    retryable: bool | None = None
    """Whether a repeated request has no second effect. None: the method decides."""
    page: PageFields | None = None
    """The pagination of a list, otherwise None."""
    content_type: str = "application/json"
    """The media type of the request body."""
    response: Literal["json", "text", "binary", "none"] = "json"
    """The content of a success."""
    optional: bool = False
    """Whether a success may lack content."""
    query: Mapping[str, Style] = field(default_factory=dict)
    """Parameters with another style than `form` with `explode`."""
