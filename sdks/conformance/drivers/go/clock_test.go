package supportchat

import (
	"context"
	"time"
)

// WithClock sets a clock that stands still and sleeps with the given function.
func WithClock(now time.Time, chance float64, sleep func(time.Duration)) ClientOption {
	return func(s *settings) {
		s.clock = clock{
			now:    func() time.Time { return now },
			random: func() float64 { return chance },
			sleep:  func(_ context.Context, delay time.Duration) { sleep(delay) },
		}
	}
}
