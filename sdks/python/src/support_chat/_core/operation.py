"""What the runtime must know of an operation beyond its method and path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """How a request carries the key."""

    header: str
    """In lower case."""
    prefix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFields:
    """Where a list keeps what paging needs."""

    items: str
    """The field with the items."""
    next_cursor: str
    """The field with the cursor of the next page."""
    cursor_param: str
    """The query parameter that takes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a list or an object becomes text in a query, in OpenAPI's terms."""

    style: Literal["form", "spaceDelimited", "pipeDelimited", "deepObject"] = "form"
    explode: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What is special about an operation. What is left out is as with most."""

    idempotency_header: str | None = None
    """The header that names one logical request; with it, every call sends a key."""
    repeatable: bool | None = None
    """Whether a repeated request has no second effect; None: as its method has it."""
    page: PageFields | None = None
    """Set for lists that come page by page."""
    content_type: str = "application/json"
    """The media type of the request body, which says how it is written."""
    answer: Literal["json", "text", "binary", "none"] = "json"
    """What a success holds."""
    optional: bool = False
    """Whether a success may have no content where others have some."""
    query: Mapping[str, Style] = field(default_factory=dict)
    """Parameters that are written in another style than `form` with `explode`."""
