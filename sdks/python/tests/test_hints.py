"""Annotations that can be evaluated when the program runs."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import support_chat
import support_chat.testing
import support_chat.webhooks

PACKAGE = Path(support_chat.__file__).parent
MODULES = [support_chat, support_chat.webhooks, support_chat.testing]
RESOURCES = [
    importlib.import_module(f"support_chat._generated.resources.{path.stem}")
    for path in sorted(PACKAGE.glob("_generated/resources/*.py"))
]


# Names the classes of events, which load with the first event.
LATE = {"Webhooks.unwrap"}


def members() -> Iterator[tuple[str, Any]]:
    for module in [*MODULES, *RESOURCES]:
        names = getattr(module, "__all__", None) or [
            name for name, _ in inspect.getmembers(module, inspect.isclass)
        ]
        for name in names:
            value = getattr(module, name)
            if inspect.isclass(value) and value.__module__.startswith("support_chat"):
                yield name, value
                for key, member in inspect.getmembers(value, inspect.isfunction):
                    if member.__module__.startswith("support_chat"):
                        yield f"{name}.{key}", member
            elif inspect.isfunction(value):
                yield name, value


@pytest.mark.parametrize(
    "value", [pytest.param(value, id=name) for name, value in members() if name not in LATE]
)
def test_annotations_of_everything_public_can_be_evaluated(value: Any) -> None:
    get_type_hints(value)
