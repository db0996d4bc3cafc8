package supportchat

import (
	"context"
	"math/rand/v2"
	"time"
)

// A clock is time and chance, in one place so that tests can hold them still.
type clock struct {
	now func() time.Time
	// random returns a number from 0 to below 1.
	random func() float64
	// sleep returns after the delay, or as soon as the context ends.
	sleep func(ctx context.Context, delay time.Duration)
}

var systemClock = clock{now: time.Now, random: rand.Float64, sleep: sleep}

func sleep(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
