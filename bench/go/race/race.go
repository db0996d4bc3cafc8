// Package race times contenders side by side, as measure.ts does it.
package race

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
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

// Run lets contenders take turns in small slices, in a new random order each round.
func Run(contenders Contenders) []Round {
	names := slices.Collect(maps.Keys(contenders))
	calls := map[string]int{}
	for _, name := range names {
		calls[name] = callsIn(contenders[name])
	}
	var results []Round
	for range unsettled + rounds {
		result := Round{}
		rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			runtime.GC()
			result[name] = timed(contenders[name], calls[name])
		}
		results = append(results, result)
	}
	return results[unsettled:]
}

func timed(run func(), calls int) float64 {
	start := time.Now()
	for range calls {
		run()
	}
	return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(calls)
}

// callsIn is how many calls fill a slice.
func callsIn(run func()) int {
	for calls := 1; ; calls *= 2 {
		start := time.Now()
		timed(run, calls)
		if took := time.Since(start); took >= warmUp/2 {
			return max(1, int(int64(slice)*int64(calls)/int64(took)))
		}
	}
}
