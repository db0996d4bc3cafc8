"""What a mock of the API remembers."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

from ._fakes import merged

_UUID = re.compile(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}", re.IGNORECASE)

_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


class Memory:
    """Remembers what calls created, so that later ones return it."""

    def __init__(self) -> None:
        self._created: dict[str, list[dict[str, Any]]] = {}
        """In the order of creation, by the path of the call."""
        self._counts: dict[str, int] = {}
        """How many things an operation created, by its id."""

    def respond(self, mock: Any, path: str, params: dict[str, str], body: Any) -> Any:
        """Return the body of a response."""
        examples = deepcopy(mock["examples"])
        example = examples[0] if examples else None
        lists, reads = mock["lists"], mock["reads"]
        if not isinstance(example, dict):
            return self._listed(lists, example, path) if lists else example
        if mock["creates"]:
            return self._create(mock, example, path, params, body)
        found = self._read(reads, examples, path, params) if reads else example
        for field, child in mock["holds"].items():
            found[field] = [*_list_of(found.get(field)), *self._at(f"{path}/{child}")]
        if lists and lists["items"]:
            found[lists["items"]] = self._listed(lists, found.get(lists["items"]), path)
        return found

    def _create(
        self, mock: Any, example: dict[str, Any], path: str, params: dict[str, str], body: Any
    ) -> Any:
        count = self._counts.get(mock["id"], 0)
        self._counts[mock["id"]] = count + 1
        creates = mock["creates"]
        given = body if isinstance(body, dict) else {}
        item = {**example, **{key: given[key] for key in creates["sent"] if key in given}}
        for field, parameter in creates["parents"].items():
            item[field] = _like(example.get(field), params[parameter])
        key = creates["key"]
        if key is not None:
            item[key] = _numbered(example.get(key), count)
        self._created.setdefault(path, []).append(item)
        return deepcopy(item)

    def _read(
        self, reads: Any, examples: list[Any], path: str, params: dict[str, str]
    ) -> dict[str, Any]:
        """Return what was created, else the example with this key, else the first one under it."""
        key, wanted = reads["key"], params[reads["parameter"]]
        first: dict[str, Any] = examples[0]
        for item in self._at(path.rpartition("/")[0]):
            if _text(item.get(key)) == wanted:
                return dict(merged(first, item))
        for example in examples:
            if _text(example.get(key)) == wanted:
                return dict(example)
        return {**first, key: _like(first.get(key), wanted)}

    def _listed(self, lists: Any, example: Any, path: str) -> list[Any]:
        """Return what was created, the newest first, and then the example."""
        fields = set(lists["fields"])
        shown = [
            {field: value for field, value in item.items() if field in fields}
            for item in reversed(self._at(path))
        ]
        return [*shown, *_list_of(example)]

    def _at(self, path: str) -> list[dict[str, Any]]:
        return deepcopy(self._created.get(path, []))


def _list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    """Return a text itself, and anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _like(example: Any, text: str) -> Any:
    """Return the text of a parameter, as a number where the example is one."""
    return int(text) if type(example) is int and _INTEGER.fullmatch(text) else text


def _numbered(identifier: Any, before: int) -> Any:
    """Return the identifier of the example for the first thing, and for each further one its own."""
    if before == 0:
        return identifier
    if type(identifier) is int:
        return identifier + before
    text = _text(identifier)
    return f"{text[:-12]}{before + 1:012x}" if _UUID.fullmatch(text) else f"{text}_{before + 1}"
