package supportchat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// A HandlerOption configures [WebhookHandler] and [NewWebhookReceiver].
type HandlerOption func(*receiver)

// WithDedupeStore sets the store that recognizes duplicate deliveries of an event. Without a store every
// delivery is handled.
func WithDedupeStore(store DedupeStore) HandlerOption {
	return func(r *receiver) { r.store = store }
}

// WithOnError sets the hook for errors: a [*WebhookVerificationError] for a refused delivery, or an error
// that wraps the error of the handler or the store. It is also told of a delivery whose event is in progress.
// The context has the values of the request's context but does not end with it. By default errors go to
// [slog.Default]: refused and aborted deliveries and those in progress at level warn, all others at error.
func WithOnError(hook func(ctx context.Context, err error)) HandlerOption {
	return func(r *receiver) { r.onError = hook }
}

// WithBodyTimeout sets how long a request may take to send its whole body. The default is 15 seconds; 0 means
// no limit. After it, the response is 503 and the connection is closed. Where middleware wraps the
// [http.ResponseWriter] without an Unwrap method, only the ReadTimeout of the server applies.
func WithBodyTimeout(timeout time.Duration) HandlerOption {
	return func(r *receiver) { r.bodyTimeout = timeout }
}

// WebhookReceiver receives deliveries: it verifies each delivery and calls a handler with its event. It is an
// [http.Handler]; for frameworks that have another form of request, call [WebhookReceiver.Receive]. It is safe
// for concurrent use.
//
// The response is 204 if the handler returned nil, and for a duplicate of a handled event. It is 503 if the
// handler or the store failed or panicked, if the body broke off or was too slow, and while the event is in
// progress; the service then delivers again. A refused delivery gets 401 for a wrong signature, 413 for a body
// that is too large, 400 for a body that is not an event, and 405 for a method other than POST; the service does
// not retry these. A body that was read before gets 500. No response has a body.
//
// Events are handled at least once, in any order. Make the handler idempotent, or put its work and the store
// into one transaction. Its context is that of the request, which ends when the sender disconnects.
type WebhookReceiver struct{ receiver }

// NewWebhookReceiver returns a receiver. It panics if an argument or the value of an option is nil.
func NewWebhookReceiver(
	wh *Webhooks, handler func(context.Context, Event) error, opts ...HandlerOption,
) *WebhookReceiver {
	r := &WebhookReceiver{receiver{
		webhooks: wh, handle: handler, store: forgetful{}, onError: logUnhandled,
		bodyTimeout: policyWebhooksBodyTimeout,
	}}
	for _, opt := range opts {
		opt(&r.receiver)
	}
	if r.webhooks == nil || r.handle == nil || r.store == nil || r.onError == nil {
		panic(packageName + ": nil given to a receiver of webhooks")
	}
	return r
}

// WebhookHandler returns a [WebhookReceiver] as a handler. Mount it outside of middleware that parses bodies:
// it needs the received bytes.
func WebhookHandler(
	wh *Webhooks, handler func(context.Context, Event) error, opts ...HandlerOption,
) http.Handler {
	return NewWebhookReceiver(wh, handler, opts...)
}

// ServeHTTP receives a delivery from a server.
func (r *WebhookReceiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(policyWebhooksResponsesMethodNotAllowed)
		return
	}
	body, err := bodyReader{r.webhooks.maxBodyBytes, r.bodyTimeout}.read(w, request)
	if err != nil {
		w.WriteHeader(r.refuse(request.Context(), err))
		return
	}
	w.WriteHeader(r.Receive(request.Context(), body, request.Header))
}

// Receive verifies a delivery, handles its event and returns the status of the response. The body must be the
// received bytes, not parsed and encoded again.
func (r *WebhookReceiver) Receive(ctx context.Context, body []byte, headers http.Header) int {
	event, err := r.webhooks.Unwrap(body, headers)
	if err != nil {
		return r.refuse(ctx, err)
	}
	return r.process(ctx, event)
}

type receiver struct {
	webhooks    *Webhooks
	handle      func(context.Context, Event) error
	store       DedupeStore
	onError     func(context.Context, error)
	bodyTimeout time.Duration
}

// refuse reports why a delivery was not verified, and returns the status of the response.
func (r *receiver) refuse(ctx context.Context, err error) int {
	r.report(ctx, err)
	var refusal *WebhookVerificationError
	if errors.As(err, &refusal) {
		return refusal.Status()
	}
	return policyWebhooksResponsesFailed
}

// process handles an event unless it is a duplicate, and returns the status of the response.
func (r *receiver) process(ctx context.Context, event Event) int {
	id := event.EventID()
	var lease Lease
	err := caught(func() (err error) { lease, err = r.store.Begin(ctx, id); return err })
	if err != nil {
		return r.fail(ctx, storeError(id, err))
	}
	switch lease.State {
	case LeaseNew:
		return r.processLeased(ctx, event, lease.Token)
	case LeaseInProgress:
		r.report(ctx, inProgress(id, lease.Holder))
		return policyWebhooksResponsesInProgress
	case LeaseDone:
		return policyWebhooksResponsesDuplicate
	default:
		return r.fail(ctx, storeError(id, fmt.Errorf("unknown lease state %q", lease.State)))
	}
}

func (r *receiver) processLeased(ctx context.Context, event Event, token string) int {
	id := event.EventID()
	// The outcome of an event is kept even if its sender disconnects.
	lasting := context.WithoutCancel(ctx)
	failure := caught(func() error { return r.handle(ctx, event) })
	if failure == nil {
		if err := caught(func() error { return r.store.Done(lasting, id, token) }); err != nil {
			return r.fail(ctx, storeError(id, err))
		}
		return policyWebhooksResponsesHandled
	}
	aborts := isAbort(failure)
	if !aborts {
		r.report(ctx, fmt.Errorf("%s: the event %q was not handled: %w", packageName, id, failure))
	}
	if err := caught(func() error { return r.store.Release(lasting, id, token) }); err != nil {
		r.report(ctx, storeError(id, err))
	}
	if aborts {
		panic(http.ErrAbortHandler)
	}
	return policyWebhooksResponsesFailed
}

func (r *receiver) fail(ctx context.Context, err error) int {
	r.report(ctx, err)
	return policyWebhooksResponsesFailed
}

// report calls the hook. If the hook panics, the error is logged and the response stays the same.
func (r *receiver) report(ctx context.Context, err error) {
	lasting := context.WithoutCancel(ctx)
	if caught(func() error { r.onError(lasting, err); return nil }) != nil {
		logUnhandled(lasting, err)
	}
}

func logUnhandled(ctx context.Context, err error) {
	level := slog.LevelError
	var refusal *WebhookVerificationError
	isWarning := errors.Is(err, errBrokenBody) || errors.Is(err, errSlowBody) || errors.Is(err, errInProgress)
	if isWarning || errors.As(err, &refusal) {
		level = slog.LevelWarn
	}
	slog.Default().Log(ctx, level, "webhook", slog.Any("error", err))
}

func storeError(id string, err error) error {
	return fmt.Errorf("%s: the store failed for the event %q: %w", packageName, id, err)
}

var errInProgress = errors.New("the service delivers it again")

func inProgress(id, holder string) error {
	return fmt.Errorf("%s: the event %q is being handled by %s; %w", packageName, id, cmp.Or(holder, "another process"), errInProgress)
}

// A panicked holds the value of a panic.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n\n%s", p.value, p.stack) }

// Unwrap returns the value of the panic if it is an error.
func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// caught returns the error of a function, also for a panic.
func caught(call func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value, debug.Stack()}
		}
	}()
	return call()
}

// isAbort reports whether a handler asked the server to abort the connection.
func isAbort(err error) bool {
	p, isPanic := err.(*panicked)
	return isPanic && p.value == http.ErrAbortHandler
}
