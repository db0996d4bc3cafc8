"""The cases that the mocks of the API of all languages share."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support_chat import APIError, SupportChat, SupportChatError
from support_chat.testing import MockAPI, fixtures
from support_chat.webhooks._mock_memory import Memory

FILE = json.loads((Path(__file__).parents[2] / "conformance/mocks.json").read_text("utf-8"))
MOCK = {
    "status": 200,
    "contentType": "application/json",
    "creates": None,
    "reads": None,
    "holds": {},
    "lists": None,
}


@pytest.mark.parametrize("case", FILE["cases"], ids=lambda case: case["name"])
def test_the_mock_does_what_all_mocks_do(case: dict[str, Any]) -> None:
    api = MockAPI()
    kept: dict[str, Any] = {}
    for step in (filled(step, kept) for step in case["steps"]):
        if "refused" in step:
            with pytest.raises(SupportChatError):
                act(api, step)
            continue
        result = act(api, step)
        if "returns" in step:
            assert fits(result, step["returns"]), (step, result)
        kept.update({name: at(result, path) for name, path in step.get("keep", {}).items()})


@pytest.mark.parametrize("case", FILE["memory"], ids=lambda case: case["name"])
def test_the_memory_does_what_all_memories_do(case: dict[str, Any]) -> None:
    memory = Memory()
    for step in case["steps"]:
        mock, path, params = found(case["operations"], step["call"])
        result = memory.respond(mock, path, params, step.get("body"))
        # In Python, True is 1.
        assert json.dumps(result, sort_keys=True) == json.dumps(step["returns"], sort_keys=True)


def act(api: MockAPI, step: dict[str, Any]) -> Any:
    if "fail" in step:
        given = dict(step["fail"])
        return api.fail(given.pop("status"), **given)
    if "respond" in step:
        return api.respond(step["respond"]["operation"], step["respond"]["data"])
    if "fixture" in step:
        return getattr(fixtures, step["fixture"])(**step.get("with", {})).to_dict()
    return api.reset() if "reset" in step else call(api, step)


def call(api: MockAPI, step: dict[str, Any]) -> Any:
    method, path = step["call"].split(" ")
    given = {name: step[name] for name in ("query", "body") if name in step}
    http = api.http_client()
    with SupportChat(base_url=api.url, api_key="k", http_client=http, max_retries=0) as client:
        if "raises" not in step:
            return client.request(method, path, **given)
        with pytest.raises(APIError) as caught:
            client.request(method, path, **given)
    error = caught.value
    names = ("status", "request_id", "retry_after")
    shown = {name: getattr(error, name, None) for name in names}
    problem = getattr(error, "problem", None)
    shown["problem"] = problem.to_dict() if problem else None
    assert fits(shown, step["raises"]), (step, shown)
    return None


def found(operations: dict[str, Any], call: str) -> tuple[Any, str, dict[str, str]]:
    """Return the operation of a call in a case about the memory, its path and its parameters."""
    method, path = call.split(" ")
    for name, facts in operations.items():
        verb, template = name.split(" ")
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)
        match = re.fullmatch(pattern, path)
        if verb == method and match:
            return {"id": name, **MOCK, **facts}, path, match.groupdict()
    raise AssertionError(call)


def filled(value: Any, kept: Mapping[str, Any]) -> Any:
    """Return a value with `${name.field}` replaced by what an earlier step kept."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{([\w.]+)\}", value)
        if whole:
            return at(kept, whole[1])
        return re.sub(r"\$\{([\w.]+)\}", lambda match: str(at(kept, match[1])), value)
    if isinstance(value, list):
        return [filled(item, kept) for item in value]
    if isinstance(value, dict):
        return {name: filled(item, kept) for name, item in value.items()}
    return value


def at(value: Any, path: str) -> Any:
    for name in path.split(".") if path else []:
        value = value[name]
    return value


def fits(value: Any, expected: Any) -> bool:
    """Return whether a value has at least the expected fields. Lists have equal lengths."""
    if isinstance(expected, list):
        return len(value) == len(expected) and all(map(fits, value, expected))
    if not isinstance(expected, dict):
        return bool(value == expected)
    if "not" in expected:
        return bool(value != expected["not"])
    if "ends" in expected:
        return fits(value[-len(expected["ends"]) :], expected["ends"])
    return all(
        name not in value if item == {"absent": True} else name in value and fits(value[name], item)
        for name, item in expected.items()
    )
