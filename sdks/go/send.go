// The life of a call: (attempt → wait)… → answer or error. An attempt owns its time-out and reads
// its whole body, so that whatever happens on the way there is this attempt's end.

package supportchat

import (
	"context"
	"errors"
	"log/slog"
	"slices"
)

// send sends a request, repeating it where that is safe, and returns the last answer, whatever its
// status.
func (a *api) send(
	ctx context.Context, d *draft, op operation, settings callSettings,
) (*reply, error) {
	repeatable := op.repeatable || slices.Contains(policyRetriesRetryableMethods, d.method)
	for retry := 0; ; retry++ {
		about := Attempt{Method: d.method, Template: d.template, Path: d.path, Retry: retry}
		answer, err := a.attempt(ctx, d, about, repeatable, settings)
		var failure *APIConnectionError
		if err != nil && (ctx.Err() != nil || !errors.As(err, &failure)) {
			return nil, err
		}
		delay, again := a.settings.clock.retryDelay(answer, failure, repeatable, retry)
		if !again || retry >= settings.maxRetries {
			return answer, err
		}
		a.log(ctx, slog.LevelWarn, "retry", about, slog.Duration("delay", delay))
		a.settings.clock.sleep(ctx, delay)
		if ctx.Err() != nil {
			return nil, ended(ctx)
		}
	}
}

// attempt sends a request once, and reports it.
func (a *api) attempt(
	ctx context.Context, d *draft, about Attempt, repeatable bool, settings callSettings,
) (*reply, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	a.logRequest(ctx, about, d.header)
	started := a.settings.clock.now()
	traced, finish := a.settings.tracer.start(ctx, about)
	answer, err := a.exchange(ctx, traced, d, repeatable, settings.timeout)
	finish(answer, err)
	a.logResult(ctx, about, answer, err, a.settings.clock.now().Sub(started))
	return answer, err
}
