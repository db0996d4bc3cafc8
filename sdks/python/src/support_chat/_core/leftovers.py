"""Detects bytes that a server sends after its response.

httpx2 reads such bytes as the response to the next request, which may hold somebody else's data. It
has no public way to see them, so this module reads private attributes of httpx2 and httpcore2.

Remove when httpcore2 closes a connection whose parser holds `trailing_data` at the end of a response
(`HTTP11Connection._response_closed`), and `httpx2` in pyproject.toml requires that release.
`tests/test_upstream.py` fails when a release moves the attributes.
"""

from __future__ import annotations

from typing import Any

# The attributes that lead from a stream of httpx2 through httpcore2 to the h11 parser.
_INNER = ("_h11_state", "_connection", "_stream", "_httpcore_stream", "stream")


def has_leftovers(stream: Any) -> bool:
    """Return whether more bytes arrived than those of the response that was just read."""
    parser = parser_of(stream)
    return parser is not None and bool(parser.trailing_data[0])


def parser_of(stream: Any) -> Any:
    """Return the parser of a connection. None without one, as with HTTP/2 and transports of tests."""
    for _ in range(8):
        if hasattr(stream, "trailing_data"):
            return stream
        stream = next((getattr(stream, name) for name in _INNER if hasattr(stream, name)), None)
    return None
