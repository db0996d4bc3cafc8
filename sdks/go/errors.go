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

// APIError reports a response whose status is not a success.
type APIError struct {
	Status int
	// Code is the machine-readable code of the problem. It is empty if the body has none.
	Code string
	// Message describes the error, with status, code, method, path and request id.
	Message string
	// RequestID identifies the request in the service's logs. Quote it when you contact support.
	RequestID string
	Headers   http.Header `json:"-"`
	Body      []byte      `json:"-"`
	// Outcome says whether the request had an effect.
	Outcome Outcome
	// RetryAfter is the delay that the service requests, or nil.
	RetryAfter *time.Duration
}

// Error returns the message.
func (e *APIError) Error() string { return packageName + ": " + e.Message }

// GoString keeps headers and body out of %#v, since they may hold secrets.
func (e *APIError) GoString() string { return e.Error() }

// Unwrap returns the error as an [Error].
func (e *APIError) Unwrap() error { return &Error{Message: e.Message, Outcome: e.Outcome} }

// APIConnectionError reports that no complete response arrived: the connection failed, or broke before
// the end of the body.
type APIConnectionError struct {
	Message string
	// Outcome says whether the request had an effect.
	Outcome Outcome
	cause   error
}

// Error returns the message.
func (e *APIConnectionError) Error() string { return packageName + ": " + e.Message }

// Unwrap returns the error as an [Error], which wraps the cause.
func (e *APIConnectionError) Unwrap() error {
	return &Error{Message: e.Message, Outcome: e.Outcome, cause: e.cause}
}

// APITimeoutError reports an attempt that exceeded its timeout. The request may have had an effect.
type APITimeoutError struct{ *APIConnectionError }

// Unwrap returns the [APIConnectionError].
func (e *APITimeoutError) Unwrap() error { return e.APIConnectionError }

// Timeout reports true.
func (e *APITimeoutError) Timeout() bool { return true }

// InvalidResponseError reports a success whose response cannot be used.
type InvalidResponseError struct {
	Message string
	// RequestID identifies the request in the service's logs.
	RequestID string
	// Outcome says whether the request had an effect.
	Outcome Outcome
}

// Error returns the message.
func (e *InvalidResponseError) Error() string { return packageName + ": " + e.Message }

// Unwrap returns the error as an [Error].
func (e *InvalidResponseError) Unwrap() error {
	return &Error{Message: e.Message, Outcome: e.Outcome}
}

// notSent returns an error for an option or a request that cannot be sent.
func notSent(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), Outcome: OutcomeNotSent}
}

// ended returns the error of a context that is done, with its cause if it has one.
func ended(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}
