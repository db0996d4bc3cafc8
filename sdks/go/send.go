// The life of a call: (attempt → delay)… → response or error. An attempt has its own timeout and reads
// the complete body, so that every failure until then ends this attempt.

package supportchat

import (
	"context"
	"errors"
	"log/slog"
	"slices"
)

// send sends a request, retries it where that is safe, and returns the last response, whatever its
// status.
func (a *api) send(
	ctx context.Context, d *draft, op operation, settings callSettings,
) (*response, error) {
	retryable := op.retryable || slices.Contains(policyRetriesRetryableMethods, d.method)
	for retry := 0; ; retry++ {
		about := Attempt{Method: d.method, Template: d.template, Path: d.path, Retry: retry}
		received, err := a.attempt(ctx, d, about, retryable, settings)
		var failure *APIConnectionError
		if err != nil && (ctx.Err() != nil || !errors.As(err, &failure)) {
			return nil, err
		}
		delay, again := a.settings.clock.retryDelay(received, failure, retryable, retry)
		if !again || retry >= settings.maxRetries {
			return received, err
		}
		a.log(ctx, slog.LevelWarn, "retry", about, slog.Duration("delay", delay))
		a.settings.clock.sleep(ctx, delay)
		if ctx.Err() != nil {
			return nil, ended(ctx)
		}
	}
}

// attempt sends a request once and reports it to the logger and the tracer.
func (a *api) attempt(
	ctx context.Context, d *draft, about Attempt, retryable bool, settings callSettings,
) (*response, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	a.logRequest(ctx, about, d.header)
	started := a.settings.clock.now()
	traced, finish := a.settings.tracer.start(ctx, about)
	received, err := a.exchange(ctx, traced, d, retryable, settings.timeout)
	finish(received, err)
	a.logResult(ctx, about, received, err, a.settings.clock.now().Sub(started))
	return received, err
}
