package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

// A recorder records the kinds that its handler receives and the errors that its hook receives.
type recorder struct {
	mu      sync.Mutex
	handled []string
	errors  []error
	// outcome is called by the handler if it is set.
	outcome func(context.Context) error
}

func (r *recorder) handle(ctx context.Context, event supportchat.Event) error {
	r.mu.Lock()
	r.handled = append(r.handled, event.EventKind())
	outcome := r.outcome
	r.mu.Unlock()
	if outcome != nil {
		return outcome(ctx)
	}
	return nil
}

// succeed makes the handler succeed from now on.
func (r *recorder) succeed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcome = nil
}

func (r *recorder) hook(_ context.Context, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, err)
}

func (r *recorder) handler(t testing.TB, opts ...supportchat.HandlerOption) http.Handler {
	opts = append([]supportchat.HandlerOption{supportchat.WithOnError(r.hook)}, opts...)
	return supportchat.WebhookHandler(newWebhooks(t, secret), r.handle, opts...)
}

// names returns the names of the reported errors.
func (r *recorder) names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := make([]string, len(r.errors))
	for i, err := range r.errors {
		names[i] = nameOf(err)
	}
	return names
}

func delivery() supportchattest.Delivery {
	return supportchattest.FakeDelivery("conversation.handoff", supportchattest.DeliveryOptions{Secret: secret})
}

func TestPanickingHandlerFails(t *testing.T) {
	r := &recorder{outcome: func(context.Context) error { panic(errHandler) }}
	store := supportchat.NewMemoryDedupeStore()
	server := serve(t, r.handler(t, supportchat.WithDedupeStore(store)))
	equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 503)
	if text := r.errors[0].Error(); !strings.Contains(text, errHandler.Error()) || !strings.Contains(text, "webhook_handler_test.go") {
		t.Errorf("the location is missing in %s", text)
	}
	if !errors.Is(r.errors[0], errHandler) {
		t.Error("the hook does not find the error of the panic")
	}
	r.succeed()
	equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 204)
	equal(t, len(r.errors), 1)
}

func TestHandlerMayAbortTheResponse(t *testing.T) {
	r := &recorder{outcome: func(context.Context) error { panic(http.ErrAbortHandler) }}
	server := serve(t, r.handler(t, supportchat.WithDedupeStore(supportchat.NewMemoryDedupeStore())))
	if response, err := http.DefaultClient.Do(delivery().Request(server.URL)); err == nil {
		_ = response.Body.Close()
		t.Errorf("got %s", response.Status)
	}
	r.succeed()
	equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 204)
	equal(t, len(r.handled), 2)
	equal(t, len(r.errors), 0)
}

// A contextStore fails once its context ends, as databases do.
type contextStore struct{ supportchat.DedupeStore }

func (s contextStore) Done(ctx context.Context, id, token string) error {
	return errors.Join(ctx.Err(), s.DedupeStore.Done(ctx, id, token))
}

func (s contextStore) Release(ctx context.Context, id, token string) error {
	return errors.Join(ctx.Err(), s.DedupeStore.Release(ctx, id, token))
}

func TestOutcomeIsKeptWhenTheSenderDisconnects(t *testing.T) {
	for failure, want := range map[error]supportchat.LeaseState{
		nil:        supportchat.LeaseDone,
		errHandler: supportchat.LeaseNew,
	} {
		store := supportchat.NewMemoryDedupeStore()
		ctx, disconnect := context.WithCancel(t.Context())
		r := &recorder{outcome: func(ctx context.Context) error {
			disconnect()
			<-ctx.Done()
			return failure
		}}
		handler := r.handler(t, supportchat.WithDedupeStore(contextStore{store}),
			supportchat.WithOnError(func(ctx context.Context, err error) {
				r.hook(ctx, errors.Join(err, ctx.Err()))
			}))
		handler.ServeHTTP(httptest.NewRecorder(), delivery().Request("/").WithContext(ctx))
		lease, _ := store.Begin(t.Context(), "evt_01J2Z91J4S")
		equal(t, lease.State, want)
		for _, err := range r.errors {
			if errors.Is(err, context.Canceled) || !errors.Is(err, errHandler) {
				t.Errorf("got %v", err)
			}
		}
	}
}

// A brokenLeaseStore violates the contract of a store.
type brokenLeaseStore struct{ begin func() supportchat.Lease }

func (s brokenLeaseStore) Begin(context.Context, string) (supportchat.Lease, error) {
	return s.begin(), nil
}
func (s brokenLeaseStore) Done(context.Context, string, string) error    { panic("done") }
func (s brokenLeaseStore) Release(context.Context, string, string) error { panic("release") }

func TestMisbehavingStoreFails(t *testing.T) {
	isNew := func() supportchat.Lease { return supportchat.Lease{State: supportchat.LeaseNew} }
	for want, test := range map[string]struct {
		begin   func() supportchat.Lease
		failure error
	}{
		`unknown lease state ""`: {begin: func() supportchat.Lease { return supportchat.Lease{} }},
		"panic: begin":           {begin: func() supportchat.Lease { panic("begin") }},
		"panic: done":            {begin: isNew},
		"panic: release":         {begin: isNew, failure: errHandler},
	} {
		r := &recorder{outcome: func(context.Context) error { return test.failure }}
		server := serve(t, r.handler(t, supportchat.WithDedupeStore(brokenLeaseStore{test.begin})))
		equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 503)
		last := r.errors[len(r.errors)-1].Error()
		if !strings.Contains(last, "store failed") || !strings.Contains(last, want) {
			t.Errorf("got %s, want %s", last, want)
		}
	}
}

// logged replaces the default logger for the duration of the test and returns its output.
func logged(t *testing.T) *bytes.Buffer {
	t.Helper()
	logger, lines := newLogger()
	before := slog.Default()
	slog.SetDefault(logger)
	t.Cleanup(func() { slog.SetDefault(before) })
	return lines
}

func TestErrorsAreLoggedWithoutAHook(t *testing.T) {
	lines := logged(t)
	r := &recorder{outcome: func(context.Context) error { return errHandler }}
	handler := supportchat.WebhookHandler(newWebhooks(t, secret), r.handle)
	server := serve(t, handler)
	forged := delivery()
	forged.Body = append(forged.Body, ' ')
	equal(t, respond(t, forged.Request(server.URL)).StatusCode, 401)
	equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 503)
	var got []string
	for line := range strings.Lines(lines.String()) {
		var fields struct{ Level, Error string }
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		got = append(got, fields.Level+": "+fields.Error)
	}
	equal(t, len(got), 2)
	if !strings.HasPrefix(got[0], "WARN: supportchat: ") || !strings.HasSuffix(got[0], "(signature_mismatch)") {
		t.Errorf("got %s", got[0])
	}
	equal(t, got[1], `ERROR: supportchat: the event "evt_01J2Z91J4S" was not handled: the handler failed`)
	for _, hidden := range []string{secret, "sha256=", "conv_01J2Z8M3VN"} {
		if strings.Contains(lines.String(), hidden) {
			t.Errorf("%s is shown in %s", hidden, lines)
		}
	}
}

func TestErrorOfAPanickingHookIsLogged(t *testing.T) {
	lines := logged(t)
	r := &recorder{}
	server := serve(t, r.handler(t, supportchat.WithOnError(func(context.Context, error) { panic("the hook fails") })))
	request := delivery().Request(server.URL)
	request.Header.Del("X-Service-Signature")
	equal(t, respond(t, request).StatusCode, 401)
	if !strings.Contains(lines.String(), "missing_signature") {
		t.Errorf("logged %q", lines)
	}
}

func TestWebhookHandlerPanicsOverNil(t *testing.T) {
	webhooks := newWebhooks(t, secret)
	handle := (&recorder{}).handle
	for _, build := range []func() http.Handler{
		func() http.Handler { return supportchat.WebhookHandler(nil, handle) },
		func() http.Handler { return supportchat.WebhookHandler(webhooks, nil) },
		func() http.Handler {
			return supportchat.WebhookHandler(webhooks, handle, supportchat.WithDedupeStore(nil))
		},
		func() http.Handler { return supportchat.WebhookHandler(webhooks, handle, supportchat.WithOnError(nil)) },
	} {
		if panicOf(func() { build() }) == nil {
			t.Error("nil is accepted")
		}
	}
}

// panicOf returns the value that a function panics with.
func panicOf(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

func TestConcurrentDeliveriesOfAnEventAreHandledOnce(t *testing.T) {
	r := &recorder{}
	server := serve(t, r.handler(t, supportchat.WithDedupeStore(supportchat.NewMemoryDedupeStore())))
	var group sync.WaitGroup
	for i := range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			made := supportchattest.FakeDelivery("conversation.csat", supportchattest.DeliveryOptions{
				Secret: secret, Overrides: map[string]any{"id": fmt.Sprint("evt_", i%10)},
			})
			response := respond(t, made.Request(server.URL))
			if !slices.Contains([]int{204, 503}, response.StatusCode) {
				t.Error(response.Status)
			}
		}()
	}
	group.Wait()
	equal(t, len(r.handled), 10)
}
