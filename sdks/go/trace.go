package supportchat

import (
	"context"
	"net/http"
)

// Attempt is one attempt of a call. It holds no secret.
type Attempt struct {
	// Operation is the resource and its method, like things.list. It is empty for a path of [Client.Do] that
	// is not in the contract.
	Operation string
	Method    string
	// Template is the path with its placeholders, the same for all calls of an operation.
	Template string
	// Path is the path as sent, without the query.
	Path string
	// Retry is 0 for the first attempt, 1 for the first retry.
	Retry int
}

// AttemptResult is the outcome of an attempt.
type AttemptResult struct {
	// Status is 0 if no response arrived.
	Status    int
	Headers   http.Header
	RequestID string
	// Err is nil if a response arrived, whatever its status.
	Err error
}

// A Tracer is called before every attempt. The attempt uses the returned context, which must be derived
// from ctx, so that a transport finds the span in it. The returned function is called once, with the
// outcome of the attempt, also if a middleware panics. Both results may be nil.
type Tracer func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult))

func (t Tracer) start(ctx context.Context, about Attempt) (context.Context, func(*response, error)) {
	traced, finish := ctx, func(AttemptResult) {}
	ownContext, ownFinish := t(ctx, about)
	if ownContext != nil {
		traced = ownContext
	}
	if ownFinish != nil {
		finish = ownFinish
	}
	return traced, func(received *response, err error) {
		result := AttemptResult{Err: err}
		if received != nil {
			result.Status, result.Headers = received.status, received.header
			result.RequestID = received.requestID()
		}
		finish(result)
	}
}
