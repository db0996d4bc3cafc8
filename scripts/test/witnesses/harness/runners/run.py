"""Runs programs in one process, one after another, and prints how each ended."""

import json
import logging
import sys
import warnings as python_warnings
from importlib import import_module

from shop import APIError, Shop
from shop.webhooks import Webhooks


class Warnings(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def main():
    given = json.load(sys.stdin)
    runs = {}
    for kind, module in given["programs"].items():
        warnings = Warnings()
        logging.getLogger("shop").addHandler(warnings)
        with python_warnings.catch_warnings(record=True) as raised:
            python_warnings.simplefilter("always", DeprecationWarning)
            ended = end(kind, module, given)
        # Warnings about the lines of a program, not about those of the packages beneath it.
        deprecated = [str(one.message) for one in raised if one.filename.endswith(f"{module}.py")]
        runs[kind] = {**ended, "warnings": warnings.texts + deprecated}
        logging.getLogger("shop").removeHandler(warnings)
    print(json.dumps(runs, default=str))


def end(kind, module, given):
    try:
        program = import_module(f"callers.{module}")
    except Exception as error:
        return {"error": {"message": repr(error), "status": None, "atLoad": True}}
    try:
        return {"value": perform(program, kind, given)}
    except Exception as error:
        status = error.status if isinstance(error, APIError) else None
        return {"error": {"message": repr(error), "status": status, "atLoad": False}}


def perform(program, kind, given):
    if hasattr(program, "call"):
        key = None if kind in given["keyless"] else "sk_test_1"
        with Shop(api_key=key, base_url=given["url"], max_retries=0) as client:
            return program.call(client)
    webhooks = Webhooks(given["secret"])
    events = [
        webhooks.unwrap(each["body"].encode(), each["headers"])
        for each in given["deliveries"].get(kind, [])
    ]
    return [value for value in map(program.handle, events) if value is not None]


main()
