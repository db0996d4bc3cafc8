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
// with the timeout of the attempt, and has an [APITimeoutError] as its cause then. [AttemptFromContext] reads
// the attempt from it.
//
// A panic goes through to the caller, like that of any other function that the options set. The responses of
// the attempt are closed before, and the client stays usable.
type Middleware func(request *http.Request, next Next) (*http.Response, error)

// Next sends a request through the remaining middleware.
type Next func(request *http.Request) (*http.Response, error)

type attemptKey struct{}

// AttemptFromContext returns the attempt to which the context of a request belongs.
func AttemptFromContext(ctx context.Context) (attempt Attempt, ok bool) {
	attempt, ok = ctx.Value(attemptKey{}).(Attempt)
	return attempt, ok
}

// pass sends a request through the middleware.
func (e *exchange) pass(request *http.Request, middleware []Middleware) (*http.Response, error) {
	if len(middleware) == 0 {
		return e.send(request)
	}
	response, err := middleware[0](request, func(request *http.Request) (*http.Response, error) {
		return e.pass(request, middleware[1:])
	})
	if response == nil && err == nil {
		return nil, errNoResponse
	}
	return response, err
}

var errNoResponse error = &Error{
	Message: "A middleware returned neither a response nor an error.", Outcome: OutcomeUnknown,
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
