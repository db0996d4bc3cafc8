// The errors of this package. [errors.As] finds each level:
//
//	Error
//	├── APIError              the service returned a status that is not a success
//	│   └── one type per status (errors.gen.go)
//	├── APIConnectionError    no complete response arrived
//	│   └── APITimeoutError
//	├── InvalidResponseError  a success that cannot be read
//	└── AbortedCallError      the context ended the call

package supportchat

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
)

// Error is the base of every error of this package: [errors.As] finds it in all of them. On its own
// it reports an invalid option or a request that cannot be sent.
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

// A base is the [Error] that another error unwraps to, the same one each time.
type base struct{ made atomic.Pointer[Error] }

func (b *base) of(message string, outcome Outcome, cause error) *Error {
	if b.made.Load() == nil {
		b.made.CompareAndSwap(nil, &Error{Message: message, Outcome: outcome, cause: cause})
	}
	return b.made.Load()
}

// Error returns the message.
func (e *APIError) Error() string {
	if e == nil {
		return packageName + ": "
	}
	return packageName + ": " + e.Message
}

// GoString keeps headers and body out of %#v, since they may hold secrets.
func (e *APIError) GoString() string { return e.Error() }

// Unwrap returns the error as an [Error].
func (e *APIError) Unwrap() error { return e.base.of(e.Message, e.Outcome, nil) }

// wrapped returns the error for an Unwrap, which must not return a nil pointer.
func (e *APIError) wrapped() error {
	if e == nil {
		return nil
	}
	return e
}

// APIConnectionError reports that no complete response arrived: the connection failed, or broke before
// the end of the body. It is a [net.Error].
type APIConnectionError struct {
	Message string
	// Outcome says whether the request had an effect.
	Outcome Outcome
	cause   error
	base    base
}

// Error returns the message.
func (e *APIConnectionError) Error() string {
	if e == nil {
		return packageName + ": "
	}
	return packageName + ": " + e.Message
}

// Unwrap returns the error as an [Error], which wraps the cause.
func (e *APIConnectionError) Unwrap() error { return e.base.of(e.Message, e.Outcome, e.cause) }

// Timeout reports false. An [APITimeoutError] reports true.
func (e *APIConnectionError) Timeout() bool { return false }

// Temporary reports what Timeout reports. [net.Error] needs it.
func (e *APIConnectionError) Temporary() bool { return false }

// APITimeoutError reports an attempt that exceeded a timeout. [errors.Is] finds
// [os.ErrDeadlineExceeded] in it.
type APITimeoutError struct{ *APIConnectionError }

// Unwrap returns the [APIConnectionError].
func (e *APITimeoutError) Unwrap() error {
	if e.APIConnectionError == nil {
		return nil
	}
	return e.APIConnectionError
}

// Is reports whether target is [os.ErrDeadlineExceeded].
func (e *APITimeoutError) Is(target error) bool { return target == os.ErrDeadlineExceeded }

// Timeout reports true.
func (e *APITimeoutError) Timeout() bool { return true }

// Temporary reports what Timeout reports. [net.Error] needs it.
func (e *APITimeoutError) Temporary() bool { return true }

// AbortedCallError reports a call that its context ended. [errors.Is] finds the error of the context and
// its cause.
type AbortedCallError struct {
	Method string
	// Path is the path as sent, without the query.
	Path string
	// Attempts is the number of attempts that began.
	Attempts int
	// Outcome says whether the request had an effect.
	Outcome Outcome
	Message string
	cause   error
	base    base
}

// Error returns the message.
func (e *AbortedCallError) Error() string { return packageName + ": " + e.Message }

// Unwrap returns the error as an [Error], which wraps the error of the context.
func (e *AbortedCallError) Unwrap() error { return e.base.of(e.Message, e.Outcome, e.cause) }

func (a *api) aborted(ctx context.Context, d *draft, attempts int, outcome Outcome) error {
	cause := ctx.Err()
	if reason := context.Cause(ctx); reason != cause {
		cause = fmt.Errorf("%w: %w", cause, reason)
	}
	return &AbortedCallError{
		Method: d.method, Path: a.withoutKey(d.path), Attempts: attempts, Outcome: outcome, cause: cause,
		Message: a.describe(cause.Error(), d, ""),
	}
}

// InvalidResponseError reports a success whose response cannot be used.
type InvalidResponseError struct {
	Status  int
	Message string
	// RequestID identifies the request in the service's logs.
	RequestID string
	Headers   http.Header `json:"-"`
	// Body is nil if it did not arrive completely or cannot be decompressed.
	Body []byte `json:"-"`
	// Outcome says whether the request had an effect.
	Outcome Outcome
	base    base
}

// Error returns the message.
func (e *InvalidResponseError) Error() string { return packageName + ": " + e.Message }

// GoString keeps headers and body out of %#v, since they may hold secrets.
func (e *InvalidResponseError) GoString() string { return e.Error() }

// Unwrap returns the error as an [Error].
func (e *InvalidResponseError) Unwrap() error { return e.base.of(e.Message, e.Outcome, nil) }

// notSent returns an error for an option or a request that cannot be sent.
func notSent(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), Outcome: OutcomeNotSent}
}
