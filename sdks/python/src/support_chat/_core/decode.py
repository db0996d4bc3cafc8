"""From an answer to what it comes to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar
from urllib.parse import urljoin, urlsplit

from .._generated import policy
from .._generated.errors import error_class
from .errors import APIError, InvalidResponseError
from .message import describe, without_key
from .operation import Operation
from .options import Settings
from .reply import Reply
from .retry import server_delay

T = TypeVar("T")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_parse = json.JSONDecoder(parse_constant=_refuse).decode


def decode(
    reply: Reply, read: Callable[[Any], T], operation: Operation, settings: Settings
) -> T | None:
    """Read an answer; one without content is None.

    Raises APIError for a status that is no success, InvalidResponseError for a success that
    cannot be read.
    """
    if not reply.ok:
        raise _error_of(reply, settings)
    if operation.answer == "none" or reply.method == "HEAD" or reply.status == 204:
        return None
    if operation.optional and not reply.content:
        return None
    if operation.answer == "binary":
        return read(reply.content)
    if operation.answer == "text":
        return read(reply.text)
    try:
        value = _parse(reply.text)
    except (ValueError, RecursionError):
        raise invalid("the body is not JSON", reply, settings) from None
    try:
        return read(value)
    except (TypeError, RecursionError):
        raise invalid("the body is not what was asked for", reply, settings) from None


def invalid(what: str, reply: Reply, settings: Settings) -> InvalidResponseError:
    """Make the error for a success that cannot be used."""
    message = _describe(f"{reply.status}: {what}", reply, settings, reply.request_id)
    return InvalidResponseError(message, request_id=reply.request_id)


def _error_of(reply: Reply, settings: Settings) -> APIError:
    body = _body_of(reply)
    code = _pick(body, "code")
    request_id = reply.request_id or _pick(body, "request_id")
    detail = _redirect(reply) if 300 <= reply.status <= 399 else _explanation(body, settings)
    message = str(reply.status) + (f" {code}" if code else "") + (f": {detail}" if detail else "")
    unknown = any(low <= reply.status <= high for low, high in policy.ERRORS_UNKNOWN_STATUSES)
    return error_class(reply.status)(
        _describe(message, reply, settings, request_id),
        status=reply.status,
        outcome="unknown" if unknown else "rejected",
        headers=reply.headers,
        body=body,
        code=code,
        request_id=request_id,
        retry_after=server_delay(reply.headers),
    )


def _describe(message: str, reply: Reply, settings: Settings, request_id: str | None) -> str:
    return describe(message, settings, method=reply.method, url=reply.url, request_id=request_id)


def _body_of(reply: Reply) -> object:
    try:
        return _parse(reply.text)
    except (ValueError, RecursionError):
        return reply.text


def _redirect(reply: Reply) -> str:
    """Say where a redirect leads without its path and query, which may hold a secret."""
    location = reply.headers.get("location")
    try:
        target = urlsplit(urljoin(reply.url, location) if location else "")
    except ValueError:
        target = urlsplit("")
    host = target.netloc.rpartition("@")[2]
    return f"redirect to {f'{target.scheme}://{host}' if host else 'nowhere'}, not followed"


def _explanation(body: object, settings: Settings) -> str:
    """Give the sentence in which a body says what is wrong."""
    if isinstance(body, str):
        return without_key(body.strip(), settings)[: policy.ERRORS_MAX_MESSAGE_CHARS]
    return _pick(body, "detail") or _pick(body, "message") or _pick(body, "title") or ""


def _pick(body: object, field: str) -> str | None:
    """Give a string of a problem, or of one that is wrapped as `error`."""
    for _ in range(2):
        if not isinstance(body, dict):
            break
        value = body.get(field)
        if value and isinstance(value, str):
            return value
        body = body.get("error")
    return None
