"""Carries out orders, one JSON line each: creates a client, calls it, and reports the results."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import datetime as dt
import functools
import json
import logging
import os
import signal
import sys
import threading
import traceback
import urllib.request
from collections.abc import Callable
from typing import Any

import middleware
import support_chat
from support_chat import AsyncSupportChat, SupportChat
from support_chat._core import clock

Order = dict[str, Any]
Result = dict[str, Any]


STANDARD = vars(logging.makeLogRecord({}))


class Notes(logging.Handler):
    """Collects what the client logs, prints and tells its hooks."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.entries: list[Result] = []
        self.mismatches: list[Result] = []
        self.told: list[Result] = []

    def emit(self, record: logging.LogRecord) -> None:
        extra = {name: value for name, value in vars(record).items() if name not in STANDARD}
        level = {"WARNING": "warn"}.get(record.levelname, record.levelname.lower())
        self.entries.append({"level": level, "text": f"{record.getMessage()} {extra!r}"})
        self.lines.append(f"{record.getMessage()} {record.__dict__!r}")

    def forget(self) -> None:
        for noted in (self.lines, self.entries, self.mismatches, self.told):
            noted.clear()


NOTES = Notes()
LOGGER = logging.getLogger("support_chat")
LOGGER.addHandler(NOTES)


def main(mode: str) -> None:
    run = run_async if mode == "async" else run_sync
    for line in sys.stdin:
        print(json.dumps(carry_out(json.loads(line), run)), flush=True)


def carry_out(order: Order, run: Callable[[Order, list[float]], list[Result]]) -> Result:
    NOTES.forget()
    LOGGER.setLevel(logging.DEBUG)
    moment = dt.datetime.fromisoformat(order["clock"]["now"].replace("Z", "+00:00")).timestamp()
    clock.now = lambda: moment
    clock.random = lambda: float(order["clock"]["chance"])
    os.environ.update(order["environment"])
    waits: list[float] = []
    try:
        results = run(order, waits)
    except Exception as error:  # noqa: BLE001 - any error is a result
        results = [failed(error, [])]
    finally:
        for name in order["environment"]:
            del os.environ[name]
    return {
        "waits": waits,
        "results": results,
        "logs": NOTES.entries,
        "mismatches": NOTES.mismatches,
        "told": NOTES.told,
        "shown": "\n".join(NOTES.lines),
    }


def options(order: Order, layers: Callable[..., list[Any]]) -> dict[str, Any]:
    """Return the arguments of the client."""
    given = {**order["client"], "logger": LOGGER}
    if "middleware" in given:
        given["middleware"] = layers(given["middleware"], NOTES.told)
    fails = given.pop("on_mismatch", None)
    if fails is None:
        return given

    def on_mismatch(mismatch: Any) -> None:
        names = ("model", "field", "problem", "method", "template", "request_id")
        told = {name: getattr(mismatch, name) for name in names}
        NOTES.mismatches.append({**told, "unknown": list(mismatch.unknown)})
        if fails == "raise":
            raise RuntimeError("The hook failed.")

    return {**given, "on_mismatch": on_mismatch}


def run_sync(order: Order, waits: list[float]) -> list[Result]:
    call, times = order["call"], order["times"]

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if call.get("cancel") == "waiting":
            raise KeyboardInterrupt
        get(order["settled_url"])

    clock.sleep = sleep
    if call.get("cancel") in ("reading", "connecting"):
        when_due(order, interrupt_main)
    with SupportChat(**options(order, middleware.sync_layers)) as client:
        NOTES.lines.append(repr(client))
        calls = [numbered(call, n) for n in range(times)]
        if times == 1:
            return [perform(client, one) for one in calls]
        with concurrent.futures.ThreadPoolExecutor(times) as threads:
            return list(threads.map(lambda one: perform(client, one), calls))


def perform(client: SupportChat, call: Order) -> Result:
    take = call.get("take")
    items: list[Any] = []
    try:
        method, args, kwargs = bound(client, call, middleware.sync_layers)
        value = method(*args, **kwargs)
        if take == "all" or isinstance(take, int):
            for item in value:
                items.append(wire(item))
                if len(items) == take:
                    break
            return {"returned": items}
        if take == "pages":
            items.extend(page(one) for one in value.iter_pages())
            return {"returned": items}
        if isinstance(take, dict):
            return {"returned": [wire(item) for item in value.to_list(limit=take["list"])]}
        if take == "next":
            following = value.next_page()
            return {"returned": [page(value), following and page(following)]}
        return {"returned": taken(value, take)}
    except BaseException as error:
        return failed(error, items)


def run_async(order: Order, waits: list[float]) -> list[Result]:
    return asyncio.run(perform_all(order, waits))


async def perform_all(order: Order, waits: list[float]) -> list[Result]:
    call = order["call"]

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if call.get("cancel") == "waiting":
            raise asyncio.CancelledError
        await asyncio.to_thread(get, order["settled_url"])

    clock.sleep_async = sleep
    async with AsyncSupportChat(**options(order, middleware.async_layers)) as client:
        NOTES.lines.append(repr(client))
        tasks = [
            asyncio.ensure_future(perform_async(client, numbered(call, n)))
            for n in range(order["times"])
        ]
        if call.get("cancel") in ("reading", "connecting"):
            loop = asyncio.get_running_loop()
            when_due(order, lambda: loop.call_soon_threadsafe(tasks[0].cancel))
        return list(await asyncio.gather(*tasks))


async def perform_async(client: AsyncSupportChat, call: Order) -> Result:
    take = call.get("take")
    items: list[Any] = []
    try:
        method, args, kwargs = bound(client, call, middleware.async_layers)
        value = method(*args, **kwargs)
        if take == "all" or isinstance(take, int):
            async for item in value:
                items.append(wire(item))
                if len(items) == take:
                    break
            return {"returned": items}
        if take == "pages":
            async for one in value.iter_pages():
                items.append(page(one))
            return {"returned": items}
        if isinstance(take, dict):
            return {"returned": [wire(item) for item in await value.to_list(limit=take["list"])]}
        value = await value
        if take == "next":
            following = await value.next_page()
            return {"returned": [page(value), following and page(following)]}
        return {"returned": taken(value, take)}
    except BaseException as error:
        return failed(error, items)


def bound(
    client: Any, call: Order, layers: Callable[..., list[Any]]
) -> tuple[Any, list[str], dict[str, Any]]:
    """Return the method of an operation, with its arguments."""
    *names, name = call["operation"].split(".")
    resource = functools.reduce(getattr, names, client)
    if call.get("take") == "raw":
        resource = resource.with_raw_response
    renamed = {name: f"extra_{name}" for name in ("headers", "query", "body")}
    options = {renamed.get(name, name): value for name, value in call.get("options", {}).items()}
    if "middleware" in options:
        options["middleware"] = layers(options["middleware"], NOTES.told)
    body = call.get("body", {})
    given = {**call.get("params", {}), **(body if isinstance(body, dict) else {"body": body})}
    named = {key.lower().replace("-", "_"): argument(value) for key, value in given.items()}
    return getattr(resource, name), call.get("path", []), {**named, **options}


def argument(value: Any) -> Any:
    """Convert a value of a case into what a caller of this SDK passes."""
    if isinstance(value, list):
        return [argument(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$time" in value:
        return dt.datetime.fromisoformat(value["$time"].replace("Z", "+00:00"))
    if "$date" in value:
        return dt.date.fromisoformat(value["$date"])
    if "$model" in value:
        fields = {key: item for key, item in value.items() if key != "$model"}
        return getattr(support_chat, value["$model"]).from_dict(fields)
    return value


def taken(value: Any, take: str | None) -> Any:
    if take == "page":
        return page(value)
    if take == "request_id":
        return {"data": wire(value), "request_id": support_chat.request_id_of(value)}
    if take == "raw":
        NOTES.lines.append(repr(value))
        return {
            "data": wire(value.data),
            "status": value.status,
            "request_id": value.request_id,
        }
    return wire(value)


def page(value: Any) -> Any:
    NOTES.lines.append(repr(value))
    return {"data": [wire(item) for item in value.data], "next_cursor": value.next_cursor}


def wire(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return value.to_dict() if hasattr(value, "to_dict") else value


def failed(error: BaseException, items: list[Any]) -> Result:
    NOTES.lines.append(f"{error!r} {error}")
    NOTES.lines.extend(traceback.format_exception(error))
    return {"raised": described(error), "returned": items or None}


def described(error: BaseException) -> Result:
    """Describe an error in the terms of a case."""
    if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)):
        call = support_chat.aborted_call(error) if hasattr(support_chat, "aborted_call") else None
        names = ("method", "path", "attempts", "outcome")
        return {"class": "cancelled", **{name: getattr(call, name, None) for name in names}}
    if not isinstance(error, support_chat.SupportChatError):
        return {"class": type(error).__name__, "message": str(error)}
    names = ("outcome", "status", "code", "request_id", "retry_after", "body")
    known: Result = {name: getattr(error, name, None) for name in names}
    known["headers"] = dict(getattr(error, "headers", None) or {})
    known["problem"] = wire(getattr(error, "problem", None))
    if isinstance(known["body"], bytes):
        known["body"] = known["body"].decode()
    is_base = type(error) is support_chat.SupportChatError
    name = "Error" if is_base else type(error).__name__
    return {"class": name, "message": str(error), **known}


def numbered(call: Order, n: int) -> Order:
    return {**call, "path": [segment.replace("{n}", str(n)) for segment in call.get("path", [])]}


def get(url: str) -> None:
    urllib.request.urlopen(url).close()


def when_due(order: Order, cancel: Callable[[], Any]) -> None:
    """Call `cancel` when the case wants the call to be cancelled."""

    def wait() -> None:
        with contextlib.suppress(OSError):  # The case ended first.
            get(order["cancel_url"])
            cancel()

    threading.Thread(target=wait, daemon=True).start()


def interrupt_main() -> None:
    """Interrupt the main thread.

    A signal that arrives just before a blocking read does not end it, so it is sent until handled.
    """
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.01)


def interrupt(*_: object) -> None:
    """Raise once, although the signal may have been sent again before the timer stops."""
    if signal.setitimer(signal.ITIMER_REAL, 0) != (0.0, 0.0):
        raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, interrupt)
    main(sys.argv[1])
