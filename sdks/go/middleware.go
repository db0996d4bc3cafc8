package supportchat

import (
	"context"
	"net/http"
)

// A Middleware is called for every attempt of a call, with the request as it will be sent, credentials
// included. It calls next, or returns a response itself. It may change the request before, and the
// response after, whose body is not read yet.
//
// The call fails with an error of its own unchanged and without a retry. The context of the request ends
// with the timeout of the attempt; [AttemptFromContext] reads the attempt from it.
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
	return func(request *http.Request) (*http.Response, error) { return middleware[0](request, inner) }
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
