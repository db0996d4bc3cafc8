"""From an answer to what it comes to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import httpx2

from .._generated import policy
from .._generated.errors import error_class
from .errors import APIError, InvalidResponseError
from .message import describe
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
    if operation.answer == "binary":
        return read(reply.content)
    if operation.answer == "text":
        return read(reply.text)
    try:
        value = _parse(reply.content.decode())
    except (ValueError, RecursionError):
        raise invalid("the body is not JSON", reply, settings) from None
    try:
        return read(value)
    except (TypeError, RecursionError):
        raise invalid("the body is not what was asked for", reply, settings) from None


def invalid(what: str, reply: Reply, settings: Settings) -> InvalidResponseError:
    """Make the error for a success that cannot be used."""
    message = _describe(f"{reply.status}: {what}", reply, settings)
    return InvalidResponseError(message, request_id=reply.request_id)


def _error_of(reply: Reply, settings: Settings) -> APIError:
    body = _body_of(reply)
    code = _pick(body, "code")
    detail = _redirect(reply) if 300 <= reply.status <= 399 else _explanation(body)
    message = str(reply.status) + (f" {code}" if code else "") + (f": {detail}" if detail else "")
    unknown = any(low <= reply.status <= high for low, high in policy.ERRORS_UNKNOWN_STATUSES)
    return error_class(reply.status)(
        _describe(message, reply, settings),
        status=reply.status,
        outcome="unknown" if unknown else "rejected",
        headers=reply.headers,
        body=body,
        code=code,
        request_id=reply.request_id,
        retry_after=server_delay(reply.headers),
    )


def _describe(message: str, reply: Reply, settings: Settings) -> str:
    return describe(
        message, settings, method=reply.method, url=reply.url, request_id=reply.request_id
    )


def _body_of(reply: Reply) -> object:
    try:
        return _parse(reply.text)
    except (ValueError, RecursionError):
        return reply.text


def _redirect(reply: Reply) -> str:
    """Say where a redirect leads without its path and query, which may hold a secret."""
    target = "nowhere"
    try:
        location = reply.headers.get("location")
        if location:
            url = httpx2.URL(reply.url).join(location)
            target = f"{url.scheme}://{url.netloc.decode('ascii')}"
    except (httpx2.InvalidURL, ValueError):
        pass
    return f"redirect to {target}, not followed"


def _explanation(body: object) -> str:
    """Give the sentence in which a body says what is wrong."""
    if isinstance(body, str):
        return body.strip()[: policy.ERRORS_MAX_MESSAGE_CHARS]
    return _pick(body, "detail") or _pick(body, "message") or _pick(body, "title") or ""


def _pick(body: object, field: str) -> str | None:
    """Give a string of a problem, or of one that is wrapped as `error`."""
    while isinstance(body, dict):
        value = body.get(field)
        if isinstance(value, str):
            return value
        body = body.get("error")
    return None
