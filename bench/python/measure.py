"""Times contenders side by side, as measure.ts does it."""

import gc
import random
import time
from collections.abc import Callable, Mapping

ROUNDS = 41
UNSETTLED = 10
SLICE = 0.02
WARM_UP = 0.3


def race(contenders: Mapping[str, Callable[[], object]]) -> list[dict[str, float]]:
    """What each contender took in each round, in microseconds per call."""
    calls = {name: max(1, round(SLICE / warm_up(run))) for name, run in contenders.items()}
    rounds = []
    for _ in range(UNSETTLED + ROUNDS):
        names = random.sample(list(contenders), len(contenders))
        rounds.append({name: timed(contenders[name], calls[name]) for name in names})
    return [{name: seconds * 1e6 for name, seconds in one.items()} for one in rounds[UNSETTLED:]]


def timed(run: Callable[[], object], calls: int) -> float:
    gc.collect(0)
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def warm_up(run: Callable[[], object]) -> float:
    calls = 1
    while (per_call := timed(run, calls)) * calls < WARM_UP / 2:
        calls *= 2
    return per_call
