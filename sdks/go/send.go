// The life of a call: (attempt → delay)… → response or error. An attempt has its own timeout and reads
// the complete body, so that every failure until then ends this attempt.

package supportchat

import (
	"context"
	"fmt"
	"slices"
)

// send sends a request, retries it where that is safe, and returns the last response, whatever its
// status.
func (a *api) send(ctx context.Context, d *draft, op operation) (*response, error) {
	retryable := op.retryable || slices.Contains(policyRetriesRetryableMethods, d.method)
	sofar := OutcomeNotSent
	for retry := 0; ; retry++ {
		if ctx.Err() != nil {
			return nil, a.aborted(ctx, d, retry, sofar)
		}
		about := Attempt{Operation: op.name, Method: d.method, Template: d.template, Path: d.path, Retry: retry}
		started := a.settings.clock.now()
		received, err := a.attempt(ctx, d, about)
		var failure *APIConnectionError
		switch err := err.(type) {
		case nil:
		case *APIConnectionError:
			failure = err
		case *APITimeoutError:
			failure = err.APIConnectionError
		case middlewareError:
			return nil, err.error
		case *AbortedCallError:
			return nil, a.aborted(ctx, d, err.Attempts, worse(sofar, err.Outcome))
		default:
			return nil, err
		}
		delay, again := a.settings.clock.retryDelay(received, failure, retryable, retry)
		if !again || retry >= a.settings.maxRetries {
			a.logFailure(ctx, about, failure, a.settings.clock.now().Sub(started))
			return received, err
		}
		a.logRetry(ctx, about, reasonOf(received, failure), delay)
		sofar = worse(sofar, outcomeOfAttempt(received, failure))
		a.settings.clock.sleep(ctx, delay)
	}
}

// attempt sends a request once and reports it to the logger and the tracer.
func (a *api) attempt(ctx context.Context, d *draft, about Attempt) (received *response, err error) {
	a.logRequest(ctx, about, d)
	started := a.settings.clock.now()
	traced := ctx
	if a.settings.tracer != nil {
		var finish func(*response, error)
		traced, finish = a.settings.tracer.start(ctx, about)
		err = errPanicked
		defer func() { finish(received, errOf(err)) }()
	}
	received, err = a.exchange(ctx, traced, d, about)
	if err == nil {
		a.logResponse(ctx, about, received, a.settings.clock.now().Sub(started))
	}
	return received, err
}

// errPanicked is the error of an attempt for the tracer, until the attempt returns.
var errPanicked error = &Error{Message: "The attempt panicked.", Outcome: OutcomeUnknown}

// reasonOf says why an attempt is retried.
func reasonOf(received *response, failure *APIConnectionError) string {
	if failure != nil {
		return failure.Message
	}
	return fmt.Sprintf("status %d", received.status)
}

func outcomeOfAttempt(received *response, failure *APIConnectionError) Outcome {
	if failure != nil {
		return failure.Outcome
	}
	return outcomeOf(received.status)
}

// worse returns the outcome of two attempts together.
func worse(a, b Outcome) Outcome {
	for _, outcome := range []Outcome{OutcomeUnknown, OutcomeRejected} {
		if a == outcome || b == outcome {
			return outcome
		}
	}
	return OutcomeNotSent
}
