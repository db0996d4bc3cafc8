"""The cases that the test kits of all languages share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support_chat.testing import MockServer, mock_server

ROOT = Path(__file__).parents[4]
COMMAND = f"node '{ROOT / 'mock-server/bin.js'}' serve"
CASES = json.loads((ROOT / "sdks/conformance/kits.json").read_text("utf-8"))["cases"]
NOWHERE = "http://127.0.0.1:9/webhooks"

pytestmark = pytest.mark.timeout(60)

# What the cases call by other names. All other controls are methods of the same name.
CONTROLS: dict[str, Callable[..., Any]] = {
    "add_endpoint": lambda mock, **given: asdict(mock.add_endpoint(**given)),
    "rotate": lambda mock, endpoint_id: {"secret": mock.rotate(endpoint_id)},
}
ARGUMENTS = {name: f"{name}_id" for name in ("conversation", "delivery", "endpoint")}


@pytest.fixture(scope="module")
def running() -> Iterator[MockServer]:
    with mock_server(COMMAND) as mock:
        yield mock


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_kit_does_what_all_kits_do(case: dict[str, Any], running: MockServer) -> None:
    with mock_server(running.url) as mock:
        kept = {"nowhere": NOWHERE}
        for step in (filled(step, kept) for step in case["steps"]):
            if "get" in step:
                assert status_of(mock, step["get"]) == step["status"], step
                continue
            control = CONTROLS.get(step["do"]) or getattr(MockServer, step["do"])
            given = step.get("with", {})
            result = control(mock, **{ARGUMENTS.get(name, name): given[name] for name in given})
            if "expect" in step:
                assert fits(result, step["expect"]), (step, result)
            kept.update({name: at(result, path) for name, path in step.get("keep", {}).items()})


def test_the_cases_call_every_control() -> None:
    public = {name for name in vars(MockServer) if not name.startswith("_")}
    called = {step["do"] for case in CASES for step in case["steps"] if "do" in step}
    assert called == public - {"close", "url", "api_key"}


def status_of(mock: MockServer, path: str) -> int:
    connection = HTTPConnection(urlsplit(mock.url).netloc)
    try:
        connection.request("GET", path, headers={"authorization": f"Bearer {mock.api_key}"})
        return connection.getresponse().status
    finally:
        connection.close()


def filled(value: Any, kept: dict[str, str]) -> Any:
    """Return a step with `$name` replaced by what an earlier one kept."""
    if isinstance(value, str):
        return re.sub(r"\$(\w+)", lambda match: kept[match[1]], value)
    if isinstance(value, list):
        return [filled(item, kept) for item in value]
    if isinstance(value, dict):
        return {name: filled(item, kept) for name, item in value.items()}
    return value


def at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value[int(name) if isinstance(value, list) else name]
    return value


def fits(value: Any, expected: Any) -> bool:
    """Return whether a value has at least the expected fields. Lists have equal lengths."""
    if isinstance(expected, list):
        return len(value) == len(expected) and all(map(fits, value, expected))
    if isinstance(expected, dict):
        if "not" in expected:
            return bool(value != expected["not"])
        return all(name in value and fits(value[name], expected[name]) for name in expected)
    return bool(value == expected)
