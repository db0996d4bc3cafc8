"""What a server sends beyond its answer."""

from __future__ import annotations

from typing import Any

# From a stream of httpx2 to the parser of its connection, by way of httpcore2.
_INNER = ("_h11_state", "_connection", "_stream", "_httpcore_stream", "stream")


def has_leftovers(stream: Any) -> bool:
    """Whether more arrived than the answer that was just read.

    httpx2 would read the rest as the answer to the next request. It has no public way to see it;
    where the way there is another one, nothing is seen.
    """
    for _ in range(8):
        if hasattr(stream, "trailing_data"):
            return bool(stream.trailing_data[0])
        stream = next((getattr(stream, name) for name in _INNER if hasattr(stream, name)), None)
    return False
