package supportchat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// A HandlerOption configures [WebhookHandler].
type HandlerOption func(*receiver)

// WithDedupeStore sets the store that recognizes duplicate deliveries of an event. Without a store every
// delivery is handled.
func WithDedupeStore(store DedupeStore) HandlerOption {
	return func(r *receiver) { r.store = store }
}

// WithOnError sets the hook for errors: a [*WebhookVerificationError] for a refused delivery, or an error
// that wraps the error of the handler or the store. The context has the values of the request's context but
// does not end with it. By default errors go to [slog.Default]: refused and aborted deliveries at level
// warn, all others at error.
func WithOnError(hook func(ctx context.Context, err error)) HandlerOption {
	return func(r *receiver) { r.onError = hook }
}

// WebhookHandler returns a handler that receives deliveries: it verifies each delivery and calls handler
// with its event. It panics if an argument or the value of an option is nil.
//
// The response is 204 if handler returned nil, and for a duplicate of a handled event. It is 503 if handler
// or the store failed or panicked, and while the event is in progress; the service then delivers again. A
// refused delivery gets 401 for a wrong signature, 413 for a body that is too large, 400 for a body that is
// not an event, and 405 for a method other than POST; the service does not retry these. No response has a
// body.
//
// Events are handled at least once, in any order. Make handler idempotent, or put its work and the store
// into one transaction. Its context is that of the request, which ends when the sender disconnects. Mount
// the handler outside of middleware that parses bodies: it needs the received bytes.
func WebhookHandler(
	wh *Webhooks, handler func(context.Context, Event) error, opts ...HandlerOption,
) http.Handler {
	r := &receiver{webhooks: wh, handle: handler, store: forgetful{}, onError: logUnhandled}
	for _, opt := range opts {
		opt(r)
	}
	if r.webhooks == nil || r.handle == nil || r.store == nil || r.onError == nil {
		panic(packageName + ": nil given to WebhookHandler")
	}
	return r
}

type receiver struct {
	webhooks *Webhooks
	handle   func(context.Context, Event) error
	store    DedupeStore
	onError  func(context.Context, error)
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(policyWebhooksResponsesMethodNotAllowed)
		return
	}
	w.WriteHeader(r.receive(w, request))
}

// receive returns the status of the response.
func (r *receiver) receive(w http.ResponseWriter, request *http.Request) int {
	var event Event
	body, err := readDelivered(w, request, r.webhooks.maxBodyBytes)
	if err == nil {
		event, err = r.webhooks.Unwrap(body, request.Header)
	}
	if err == nil {
		return r.process(request.Context(), event)
	}
	r.report(request.Context(), err)
	var refusal *WebhookVerificationError
	if errors.As(err, &refusal) {
		return webhookRefusals[refusal.Code]
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
	if errors.As(err, &refusal) || errors.Is(err, errBrokenBody) {
		level = slog.LevelWarn
	}
	slog.Default().Log(ctx, level, "webhook", slog.Any("error", err))
}

func storeError(id string, err error) error {
	return fmt.Errorf("%s: the store failed for the event %q: %w", packageName, id, err)
}

// A panicked holds the value of a panic.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n\n%s", p.value, p.stack) }

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
