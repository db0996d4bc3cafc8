# frozen_string_literal: true

# Times contenders side by side, as measure.ts does it.

ROUNDS = 41
UNSETTLED = 10
SLICE = 0.02
WARM_UP = 0.3

# What each contender took in each round, in microseconds per call.
def race(contenders, clock: Process::CLOCK_MONOTONIC, rounds: ROUNDS, slice: SLICE,
         unsettled: UNSETTLED)
  calls = contenders.transform_values { |run| [(slice / warm_up(run, clock)).round, 1].max }
  results = Array.new(unsettled + rounds) do
    contenders.to_a.shuffle.to_h { |name, run| [name, timed(run, calls[name], clock) * 1e6] }
  end
  results.drop(unsettled)
end

def timed(run, calls, clock)
  GC.start(full_mark: false)
  start = Process.clock_gettime(clock)
  calls.times { run.call }
  (Process.clock_gettime(clock) - start) / calls
end

def warm_up(run, clock)
  calls = 1
  calls *= 2 while (per_call = timed(run, calls, clock)) * calls < WARM_UP / 2
  per_call
end
