package supportchat

import (
	"context"
	"math/rand/v2"
	"time"
)

// A clock supplies time and randomness. Tests replace it.
type clock struct {
	now func() time.Time
	// random returns a number in [0, 1).
	random func() float64
	// sleep returns after the delay, or when the context ends.
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
