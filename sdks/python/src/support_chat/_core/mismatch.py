"""Compares responses with the contract."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, cast

from .._generated import policy
from .decode import invalid_value
from .hints import Rules, known_rules, rules_of
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
    found = faults_of(value)
    for faults in found:
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
        if not settings.strict:
            _warn(faults, settings)
    if settings.strict and found:
        first = found[0]
        raise invalid_value(first.describe(first.fields), response, settings)


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


def faults_of(value: object) -> list[_Faults]:
    """Return what does not match in a value and in the objects within it."""
    found: list[_Faults] = []
    _walk(value, found)
    return found


def _walk(value: object, found: list[_Faults]) -> None:
    """Collect the faults of a value from top to bottom."""
    kind = value.__class__
    rules = known_rules.get(kind)
    if rules is None:
        if kind is list:
            for item in cast("list[object]", value):
                _walk(item, found)
        elif kind is dict:
            for item in cast("dict[str, object]", value).values():
                _walk(item, found)
        if not isinstance(value, Model):
            return
        rules = rules_of(type(value))
    values = rules.values_of(value)
    if not rules.match(values, value):
        found += _compare(cast("Model", value), values, rules)
    for index in rules.deep:
        if values[index] is not None:
            _walk(values[index], found)


def _compare(value: Model, values: tuple[Any, ...], rules: Rules) -> list[_Faults]:
    wire = wire_of(value)
    found: dict[str, Literal["missing", "null", "unreadable"]] = {}
    for rule, read in zip(rules.by_name.values(), values, strict=True):
        if rule.wire not in wire:
            if rule.is_required:
                found[rule.wire] = "missing"
        elif not rule.fits(read):
            found[rule.wire] = "null" if wire[rule.wire] is None else "unreadable"
    if not found:
        rules.remember(values)
        return []
    known = {rule.wire for rule in rules.by_name.values()}
    unknown = [name for name in wire if name not in known]
    return [_Faults(type(value).__name__, found, unknown)]
