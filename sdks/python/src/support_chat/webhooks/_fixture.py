"""Makes objects of the API for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from .._core.model import Model, json_of
from .._generated.names import BaseError
from ._fakes import merged

_Model = TypeVar("_Model", bound=Model)


def fixture(
    cls: type[_Model], example: str, changes: dict[str, Any], names: Mapping[str, str] | None = None
) -> _Model:
    """Return an example in JSON as an object, with changes merged deeply.

    `names` has the names of fields in JSON, where these differ.

    Raises TypeError for a field that the object does not have, and the base error for changes that
    JSON cannot hold.
    """
    known = [field.name for field in fields(cls)]
    for name in changes:
        if name not in known:
            raise TypeError(f"{cls.__name__} has no field {name!r}. Fields: {', '.join(known)}.")
    renamed = {(names or {}).get(name, name): value for name, value in changes.items()}
    value = merged(json.loads(example), json_of(renamed))
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BaseError(f"The changes cannot be written as JSON: {error}") from None
    return cls.from_dict(value)
