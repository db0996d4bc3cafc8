"""Times contenders side by side, as measure.ts does it."""

import gc
import random
import time
from collections.abc import Callable, Mapping

ROUNDS = 41
UNSETTLED = 10
SLICE = 0.02
WARM_UP = 0.3


Clock = Callable[[], float]


def race(
    contenders: Mapping[str, Callable[[], object]], clock: Clock = time.perf_counter
) -> list[dict[str, float]]:
    """What each contender took in each round, in microseconds per call."""
    calls = {name: max(1, round(SLICE / warm_up(run, clock))) for name, run in contenders.items()}
    rounds = []
    for _ in range(UNSETTLED + ROUNDS):
        names = random.sample(list(contenders), len(contenders))
        rounds.append({name: timed(contenders[name], calls[name], clock) for name in names})
    return [{name: seconds * 1e6 for name, seconds in one.items()} for one in rounds[UNSETTLED:]]


def timed(run: Callable[[], object], calls: int, clock: Clock) -> float:
    gc.collect(0)
    start = clock()
    for _ in range(calls):
        run()
    return (clock() - start) / calls


def warm_up(run: Callable[[], object], clock: Clock) -> float:
    calls = 1
    while (per_call := timed(run, calls, clock)) * calls < WARM_UP / 2:
        calls *= 2
    return per_call
