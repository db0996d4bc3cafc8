// Package race times contenders side by side, as measure.ts does it.
package race

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const (
	rounds    = 41
	unsettled = 10
	slice     = 20 * time.Millisecond
	warmUp    = 300 * time.Millisecond
)

// Contenders are what is timed, by name.
type Contenders map[string]func()

// A Round is what each contender took, in microseconds per call.
type Round map[string]float64

// A Clock returns a time that contenders are compared by.
type Clock func() time.Duration

var begin = time.Now()

// Wall is the time that passes.
func Wall() time.Duration { return time.Since(begin) }

// CPU is the time that the process has worked, the garbage collector included.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Run lets contenders take turns in small slices, in a new random order each round.
func Run(contenders Contenders, clock Clock) []Round {
	names := slices.Collect(maps.Keys(contenders))
	calls := map[string]int{}
	for _, name := range names {
		calls[name] = callsIn(contenders[name], clock)
	}
	var results []Round
	for range unsettled + rounds {
		result := Round{}
		rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			runtime.GC()
			result[name] = timed(contenders[name], calls[name], clock)
		}
		results = append(results, result)
	}
	return results[unsettled:]
}

func timed(run func(), calls int, clock Clock) float64 {
	start := clock()
	for range calls {
		run()
	}
	return float64((clock() - start).Nanoseconds()) / 1e3 / float64(calls)
}

// callsIn is how many calls fill a slice.
func callsIn(run func(), clock Clock) int {
	for calls := 1; ; calls *= 2 {
		start := clock()
		timed(run, calls, clock)
		if took := clock() - start; took >= warmUp/2 {
			return max(1, int(int64(slice)*int64(calls)/int64(took)))
		}
	}
}
