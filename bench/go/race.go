package main

import (
	"math/rand/v2"
	"runtime"
	"time"
)

const (
	rounds    = 41
	unsettled = 10
	slice     = 20 * time.Millisecond
	warmUp    = 300 * time.Millisecond
)

// A round is what each contender took, in microseconds per call.
type round struct {
	Bare float64 `json:"bare"`
	Ours float64 `json:"ours"`
}

// race times two contenders side by side, as measure.ts does it.
func race(bare, ours func()) []round {
	bareCalls, oursCalls := callsIn(bare), callsIn(ours)
	var results []round
	for range unsettled + rounds {
		var result round
		turns := []func(){
			func() { result.Bare = timed(bare, bareCalls) },
			func() { result.Ours = timed(ours, oursCalls) },
		}
		rand.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		for _, turn := range turns {
			runtime.GC()
			turn()
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
