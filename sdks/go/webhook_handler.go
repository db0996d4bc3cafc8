package supportchat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// A HandlerOption changes what [WebhookHandler] returns.
type HandlerOption func(*receiver)

// WithDedupeStore sets what tells a repeated delivery from the first one of an event. Without a store
// every delivery is handled.
func WithDedupeStore(store DedupeStore) HandlerOption {
	return func(r *receiver) { r.store = store }
}

// WithOnError sets who is told why a delivery was refused, as a [*WebhookVerificationError], or why
// an event was not handled, as an error that wraps that of the handler or of the store. The context
// has the values of the request's, and does not end with it. By default [slog.Default] is told: of
// what was refused or broke off at warn, of all else at error.
func WithOnError(hook func(ctx context.Context, err error)) HandlerOption {
	return func(r *receiver) { r.onError = hook }
}

// WebhookHandler returns what receives deliveries: it verifies each, and hands its event to handler.
// It panics where an argument or what an option sets is nil.
//
// An event was handled when handler returned nil, and the answer is 204, as it is to a repetition.
// After an error or a panic of handler, after one of the store and while the event is being handled
// already, the answer is 503, after which the service delivers again. What is refused is answered
// 401 where the signature is wrong, 413 where the body is too large, 400 where it is no event, and
// 405 where it is no POST; the service does not repeat that. No answer has a body.
//
// Events are handled at least once, in no order: what handler does should be idempotent, or stand in
// one transaction with the store. Its context is the request's, which ends when the sender hangs up.
// The body must be as it came: mount the handler outside of what parses bodies.
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

// receive returns the status of the answer.
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

// process handles an event unless it was, and returns the status of the answer.
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
		return r.fail(ctx, storeError(id, fmt.Errorf("it has no state %q", lease.State)))
	}
}

func (r *receiver) processLeased(ctx context.Context, event Event, token string) int {
	id := event.EventID()
	// What came of an event is kept, though its sender hung up.
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

// report tells the hook. One that panics changes no answer: what it was told is logged instead.
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
	return fmt.Errorf("%s: the store failed over the event %q: %w", packageName, id, err)
}

// A panicked is what a function panicked with.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n\n%s", p.value, p.stack) }

// caught returns the error of a function. A panic is one too.
func caught(call func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value, debug.Stack()}
		}
	}()
	return call()
}

// isAbort reports whether a handler asks the server to break the connection.
func isAbort(err error) bool {
	p, isPanic := err.(*panicked)
	return isPanic && p.value == http.ErrAbortHandler
}
