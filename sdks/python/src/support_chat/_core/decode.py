"""Reads responses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar
from urllib.parse import urljoin, urlsplit

from .._generated import policy
from .._generated.errors import error_class
from .._generated.policy import Outcome
from .errors import APIError, InvalidResponseError
from .message import describe, without_key
from .operation import Operation
from .options import Settings
from .response import HTTPResponse
from .retry import server_delay

T = TypeVar("T")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_parse = json.JSONDecoder(parse_constant=_refuse).decode


def decode(
    response: HTTPResponse, read: Callable[[Any], T], operation: Operation, settings: Settings
) -> T | None:
    """Read a response. Returns None for a response without content.

    Raises APIError for an unsuccessful status, and InvalidResponseError for a success that cannot
    be read.
    """
    if not response.ok:
        raise _error_of(response, settings)
    if operation.response == "none" or response.method == "HEAD" or response.status == 204:
        return None
    if operation.optional and not response.content:
        return None
    if operation.response == "binary":
        return read(response.content)
    if operation.response == "text":
        return read(response.text)
    try:
        value = _parse(response.text)
    except (ValueError, RecursionError):
        raise invalid("the body is not valid JSON", response, settings) from None
    try:
        return read(value)
    except (TypeError, RecursionError):
        raise invalid("the body is not JSON of the expected type", response, settings) from None


def invalid(what: str, response: HTTPResponse, settings: Settings) -> InvalidResponseError:
    """Return the error for a success that cannot be read."""
    return invalid_value(f"{response.status}: {what}", response, settings)


def invalid_value(what: str, response: HTTPResponse, settings: Settings) -> InvalidResponseError:
    """Return the error for a success whose data does not match the contract."""
    return InvalidResponseError(
        _describe(what, response, settings, response.request_id),
        status=response.status,
        headers=response.headers,
        body=_text_or_bytes(response.content),
        request_id=response.request_id,
    )


def _text_or_bytes(content: bytes) -> str | bytes:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def outcome_of(status: int) -> Outcome:
    """Return whether a request may have taken effect although the status is no success."""
    unknown = any(low <= status <= high for low, high in policy.ERRORS_UNKNOWN_STATUSES)
    return "unknown" if unknown else "rejected"


def _error_of(response: HTTPResponse, settings: Settings) -> APIError:
    body = _body_of(response)
    code = _pick(body, "code")
    request_id = response.request_id or _pick(body, "request_id")
    detail = _redirect(response) if 300 <= response.status <= 399 else _explanation(body, settings)
    message = (
        str(response.status) + (f" {code}" if code else "") + (f": {detail}" if detail else "")
    )
    return error_class(response.status)(
        _describe(message, response, settings, request_id),
        status=response.status,
        outcome=outcome_of(response.status),
        headers=response.headers,
        body=body,
        code=code,
        request_id=request_id,
        retry_after=server_delay(response.headers),
    )


def _describe(
    message: str, response: HTTPResponse, settings: Settings, request_id: str | None
) -> str:
    return describe(
        message, settings, method=response.method, url=response.url, request_id=request_id
    )


def _body_of(response: HTTPResponse) -> object:
    try:
        return _parse(response.text)
    except (ValueError, RecursionError):
        return response.text


def _redirect(response: HTTPResponse) -> str:
    """Describe the target of a redirect, without path and query, which may hold a secret."""
    location = response.headers.get("location")
    try:
        target = urlsplit(urljoin(response.url, location) if location else "")
    except ValueError:
        target = urlsplit("")
    host = target.netloc.rpartition("@")[2]
    return f"redirect to {f'{target.scheme}://{host}' if host else 'nowhere'}, not followed"


def _explanation(body: object, settings: Settings) -> str:
    """Return the sentence in a body that explains the error."""
    if isinstance(body, str):
        return without_key(body.strip(), settings)[: policy.ERRORS_MAX_MESSAGE_CHARS]
    reasons = next(filter(None, map(_reasons, _problems(body))), [])
    if reasons:
        rest = len(reasons) - policy.ERRORS_REASONS_MAX
        shown = reasons[: policy.ERRORS_REASONS_MAX] + ([f"and {rest} more"] if rest > 0 else [])
        return without_key("; ".join(shown), settings)[: policy.ERRORS_MAX_MESSAGE_CHARS]
    return _pick(body, "detail") or _pick(body, "message") or _pick(body, "title") or ""


def _reasons(problem: dict[str, object]) -> list[str]:
    """Return the readable reasons of a problem: the name of the part, and what is wrong with it."""
    listed = problem.get(policy.ERRORS_REASONS_MEMBER)
    return [text for text in map(_reason, listed) if text] if isinstance(listed, list) else []


def _reason(reason: object) -> str:
    if not isinstance(reason, dict):
        return ""
    text = next(filter(None, (_text(reason, name) for name in policy.ERRORS_REASONS_TEXTS)), "")
    if not text:
        return ""
    named = (_text(reason, name) for name in policy.ERRORS_REASONS_NAMES)
    name = next((name.removeprefix("/") or "body" for name in named if name is not None), "")
    return text if not name or text.startswith(name) else f"{name} {text}"


def _text(reason: dict[str, object], name: str) -> str | None:
    value = reason.get(name)
    return value if isinstance(value, str) else None


def _pick(body: object, field: str) -> str | None:
    """Return a string of a problem, or of a problem that is wrapped as `error`."""
    texts = (_text(problem, field) for problem in _problems(body))
    return next(filter(None, texts), None)


def _problems(body: object) -> list[dict[str, object]]:
    """Return a problem, and the one that it wraps as `error`."""
    wrapped = body.get("error") if isinstance(body, dict) else None
    return [one for one in (body, wrapped) if isinstance(one, dict)]
