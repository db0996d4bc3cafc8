// The errors of this package. [errors.As] finds each level:
//
//	Error
//	├── APIError              the service returned a status that is not a success
//	│   └── one type per status (errors.gen.go)
//	├── APIConnectionError    no complete response arrived
//	│   └── APITimeoutError
//	└── InvalidResponseError  a success that cannot be read

package supportchat

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Error is the base of every error of this package: [errors.As] finds it in all of them. On its own
// it reports an invalid option or a request that cannot be sent. A call whose context ended returns
// the context's own error.
type Error struct {
	Message string
	// Outcome says whether the request had an effect.
	Outcome Outcome
	cause   error
}

// Error returns the message.
func (e *Error) Error() string { return packageName + ": " + e.Message }

// Unwrap returns the cause of the error, or nil.
func (e *Error) Unwrap() error { return e.cause }

// APIError is an answer with a status that is no success.
type APIError struct {
	Status int
	// Code is the kind of problem for programs, as the body names it; empty where it does not.
	Code string
	// Message says what is wrong, and names status, code, method, path and request.
	Message string
	// RequestID identifies the request in the service's logs. Quote it when you ask for help.
	RequestID string
	Headers   http.Header `json:"-"`
	Body      []byte      `json:"-"`
	// Outcome is what is known about the effect of the request.
	Outcome Outcome
	// RetryAfter is how long to wait before the next request; nil where the service does not say.
	RetryAfter *time.Duration
}

// Error returns the message.
func (e *APIError) Error() string { return packageName + ": " + e.Message }

// GoString keeps headers and body, which may hold secrets, out of %#v.
func (e *APIError) GoString() string { return e.Error() }

// Unwrap returns the error as what every error of this package is.
func (e *APIError) Unwrap() error { return &Error{Message: e.Message, Outcome: e.Outcome} }

// APIConnectionError says that no whole answer arrived: the connection failed, or broke before the
// end of the body.
type APIConnectionError struct {
	Message string
	// Outcome is what is known about the effect of the request.
	Outcome Outcome
	cause   error
}

// Error returns the message.
func (e *APIConnectionError) Error() string { return packageName + ": " + e.Message }

// Unwrap returns the error as what every error of this package is, which leads on to the cause.
func (e *APIConnectionError) Unwrap() error {
	return &Error{Message: e.Message, Outcome: e.Outcome, cause: e.cause}
}

// APITimeoutError says that an attempt took longer than its time-out; nobody knows whether it had
// an effect.
type APITimeoutError struct{ *APIConnectionError }

// Unwrap returns the [APIConnectionError].
func (e *APITimeoutError) Unwrap() error { return e.APIConnectionError }

// Timeout reports true, as [net.Error] has it.
func (e *APITimeoutError) Timeout() bool { return true }

// InvalidResponseError says that the service reported success with an answer that cannot be used.
type InvalidResponseError struct {
	Message string
	// RequestID identifies the request in the service's logs.
	RequestID string
	// Outcome is what is known about the effect of the request.
	Outcome Outcome
}

// Error returns the message.
func (e *InvalidResponseError) Error() string { return packageName + ": " + e.Message }

// Unwrap returns the error as what every error of this package is.
func (e *InvalidResponseError) Unwrap() error {
	return &Error{Message: e.Message, Outcome: e.Outcome}
}

// notSent is an error for what cannot be sent at all.
func notSent(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), Outcome: OutcomeNotSent}
}

// ended is the error of a context that is done, with the cause if it was given one.
func ended(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}
