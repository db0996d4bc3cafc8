package supportchat

import (
	"context"
	"net/http"
)

// Attempt is one attempt of a call. It holds no secret.
type Attempt struct {
	Method string
	// Template is the path with its placeholders, the same for all calls of an operation.
	Template string
	// Path is the path as it is sent, without the query.
	Path string
	// Retry is 0 for the first attempt, 1 for the first retry.
	Retry int
}

// AttemptResult is what came of an attempt.
type AttemptResult struct {
	// Status is 0 where no answer came.
	Status    int
	Headers   http.Header
	RequestID string
	// Err is nil where an answer came, whatever its status.
	Err error
}

// A Tracer is called before every attempt. The context that it returns, derived from ctx, is the
// attempt's, so that a transport finds the span in it; the function is called once, with what came
// of the attempt. Both may be nil.
type Tracer func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult))

func (t Tracer) start(ctx context.Context, about Attempt) (context.Context, func(*reply, error)) {
	traced, finish := ctx, func(AttemptResult) {}
	if t != nil {
		ownContext, ownFinish := t(ctx, about)
		if ownContext != nil {
			traced = ownContext
		}
		if ownFinish != nil {
			finish = ownFinish
		}
	}
	return traced, func(answer *reply, err error) {
		result := AttemptResult{Err: err}
		if answer != nil {
			result.Status, result.Headers = answer.status, answer.header
			result.RequestID = answer.requestID()
		}
		finish(result)
	}
}
