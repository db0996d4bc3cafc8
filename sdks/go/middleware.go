package supportchat

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"time"
)

// A Middleware is called for every attempt of a call, with the request as it will be sent, credentials
// included. It calls next, or returns a response itself. It may change the request before, and the
// response after, whose body is not read yet.
//
// The call fails with an error of its own unchanged and without a retry. The context of the request ends
// with the timeout of the attempt; [AttemptFromContext] reads the attempt from it. Its cause is an
// [APITimeoutError] then.
type Middleware func(request *http.Request, next Next) (*http.Response, error)

// Next sends a request through the remaining middleware.
type Next func(request *http.Request) (*http.Response, error)

type attemptKey struct{}

// AttemptFromContext returns the attempt to which the context of a request belongs.
func AttemptFromContext(ctx context.Context) (attempt Attempt, ok bool) {
	attempt, ok = ctx.Value(attemptKey{}).(Attempt)
	return attempt, ok
}

// wrap returns the middleware around next.
func wrap(middleware []Middleware, next Next) Next {
	if len(middleware) == 0 {
		return next
	}
	inner := wrap(middleware[1:], next)
	return func(request *http.Request) (*http.Response, error) {
		response, err := middleware[0](request, inner)
		if response == nil && err == nil {
			return nil, errNoResponse
		}
		return response, err
	}
}

var errNoResponse error = &Error{
	Message: "A middleware returned neither a response nor an error.", Outcome: OutcomeUnknown,
}

// A lastStep sends the requests of one attempt after all middleware, which may send several of them, and at
// the same time.
type lastStep struct {
	sender *http.Client
	// The limit of connecting, and what ends the attempt then.
	connectTimeout time.Duration
	end            context.CancelCauseFunc

	mu       sync.Mutex
	failures []error
	// The number of requests that may have had an effect.
	effects int
}

func (l *lastStep) send(request *http.Request) (*http.Response, error) {
	l.mu.Lock()
	l.effects++ // until it failed, because middleware may return before
	l.mu.Unlock()
	conn := &connection{limit: l.connectTimeout, end: l.end}
	defer conn.close()
	traced := httptrace.WithClientTrace(request.Context(), conn.trace())
	response, err := l.sender.Do(request.WithContext(traced))
	if response != nil {
		showLocation(response)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.failures = append(l.failures, err)
		if conn.close() || neverSent(err) {
			l.effects--
		}
	}
	return response, err
}

// isCause reports whether an error is, or wraps, that of a request.
func (l *lastStep) isCause(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.failures, func(failure error) bool { return errors.Is(err, failure) })
}

// isWithoutEffect reports whether no request can have had an effect.
func (l *lastStep) isWithoutEffect() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.effects == 0
}

// A middlewareError is the own error of a middleware, of whatever type.
type middlewareError struct{ error }

// errOf returns an error as its middleware returned it.
func errOf(err error) error {
	if own, ok := err.(middlewareError); ok {
		return own.error
	}
	return err
}
