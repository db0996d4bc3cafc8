"""Compares responses with the contract."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from .._generated import policy
from .decode import invalid_value
from .hints import rules_of
from .mismatches import Mismatch
from .model import Model, wire_of
from .options import Settings
from .response import HTTPResponse

_PROBLEMS = ("missing", "null", "unreadable")


@dataclass(frozen=True, slots=True)
class Context:
    """The call whose response is compared."""

    settings: Settings
    method: str
    template: str
    response: HTTPResponse


@dataclass(frozen=True, slots=True)
class _Faults:
    """What is wrong with one object."""

    model: str
    fields: dict[str, Literal["missing", "null", "unreadable"]]
    unknown: list[str]

    def describe(self, shown: Mapping[str, str]) -> str:
        parts = {
            problem: [name for name, its in shown.items() if its == problem]
            for problem in _PROBLEMS
        } | {"unknown": self.unknown}
        texts = [f"{what} {', '.join(names)}" for what, names in parts.items() if names]
        return f"{self.model}: {'; '.join(texts)}"


def check(value: object, context: Context) -> None:
    """Report every field that does not match the contract.

    Raises InvalidResponseError if the client is strict. Otherwise a warning is logged once per field.
    """
    settings, response = context.settings, context.response
    for faults in _faults(value):
        for name, problem in faults.fields.items():
            if settings.on_mismatch:
                mismatch = Mismatch(
                    model=faults.model,
                    field=name,
                    problem=problem,
                    unknown=list(faults.unknown),
                    method=context.method,
                    template=context.template,
                    request_id=response.request_id,
                )
                with suppress(Exception):
                    settings.on_mismatch(mismatch)
        if settings.strict:
            raise invalid_value(faults.describe(faults.fields), response, settings)
        _warn(faults, settings)


def _warn(faults: _Faults, settings: Settings) -> None:
    new = {
        name: problem
        for name, problem in faults.fields.items()
        if (faults.model, name) not in settings.warned
    }
    if not new:
        return
    settings.warned.update((faults.model, name) for name in new)
    if settings.log_threshold <= logging.WARNING:
        text = f"{faults.describe(new)}. {policy.MISMATCHES_QUESTION}"
        with suppress(Exception):
            settings.logger.warning("%s", text)


def _faults(value: object) -> Iterator[_Faults]:
    """Walk through a value from top to bottom."""
    if isinstance(value, Model):
        faults = _compare(value)
        if faults:
            yield faults
        for name in rules_of(type(value)):
            yield from _faults(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from _faults(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _faults(item)


def _compare(value: Model) -> _Faults | None:
    wire = wire_of(value)
    found: dict[str, Literal["missing", "null", "unreadable"]] = {}
    rules = rules_of(type(value))
    for name, rule in rules.items():
        if rule.fits(getattr(value, name)):
            if rule.is_required and rule.wire not in wire:
                found[rule.wire] = "missing"
        elif rule.wire in wire:
            found[rule.wire] = "null" if wire[rule.wire] is None else "unreadable"
        elif rule.is_required:
            found[rule.wire] = "missing"
    if not found:
        return None
    known = {rule.wire for rule in rules.values()}
    return _Faults(type(value).__name__, found, [name for name in wire if name not in known])
