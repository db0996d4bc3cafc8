"""Files in forms."""

from __future__ import annotations

from typing import IO, TypeAlias

FileTypes: TypeAlias = bytes | IO[bytes] | tuple[str, bytes | IO[bytes], str]
"""A file in a form: its content, an open file, or a tuple of name, content and media type."""
