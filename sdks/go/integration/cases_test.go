package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// A receiverCase is a case that receivers of all languages play.
type receiverCase struct {
	ID           string
	Secrets      []string
	MaxBodyBytes *int64
	Store        string
	Handler      []string
	HookRaises   bool
	Steps        []step
	Handled      []string
	Errors       []string
}

type step struct {
	After  float64
	Method string
	Body   struct {
		UTF8   *string
		Base64 []byte
		Spaces int
	}
	Headers [][2]string
	Held    bool
	Status  int
	Allow   string
}

func receiverCases(t testing.TB) []receiverCase {
	t.Helper()
	data, err := os.ReadFile("../../conformance/webhooks/receivers.json")
	check(t, err)
	var all struct{ Cases []receiverCase }
	check(t, json.Unmarshal(data, &all))
	if len(all.Cases) == 0 {
		t.Fatal("there are no cases")
	}
	return all.Cases
}

func (s step) body() []byte {
	if s.Body.UTF8 == nil {
		return s.Body.Base64
	}
	return []byte(*s.Body.UTF8 + strings.Repeat(" ", s.Body.Spaces))
}

func (s step) request(url string) *http.Request {
	request, err := http.NewRequest(s.Method, url, bytes.NewReader(s.body()))
	if err != nil {
		panic(err)
	}
	for _, pair := range s.Headers {
		request.Header.Add(pair[0], pair[1])
	}
	return request
}

var (
	errHandler = errors.New("the handler failed")
	errStore   = errors.New("the store is broken")
)

// A brokenStore fails in one of its methods.
type brokenStore struct {
	supportchat.DedupeStore
	broken string
}

func (s brokenStore) failing(method string) error {
	if s.broken == method+" fails" {
		return errStore
	}
	return nil
}

func (s brokenStore) Begin(ctx context.Context, id string) (supportchat.Lease, error) {
	if err := s.failing("begin"); err != nil {
		return supportchat.Lease{}, err
	}
	return s.DedupeStore.Begin(ctx, id)
}

func (s brokenStore) Done(ctx context.Context, id, token string) error {
	return errors.Join(s.failing("done"), s.DedupeStore.Done(ctx, id, token))
}

func (s brokenStore) Release(ctx context.Context, id, token string) error {
	return errors.Join(s.failing("release"), s.DedupeStore.Release(ctx, id, token))
}

// A played case is a case in progress.
type played struct {
	receiverCase
	mu                sync.Mutex
	now               time.Time
	handled, reported []string
	isHeld            bool
	running, released chan struct{}
}

func (p *played) handle(_ context.Context, event supportchat.Event) error {
	p.mu.Lock()
	outcome := p.Handler[min(len(p.handled), len(p.Handler)-1)]
	p.handled = append(p.handled, event.EventID())
	isHeld := p.isHeld
	p.isHeld = false
	p.mu.Unlock()
	if isHeld {
		p.running <- struct{}{}
		<-p.released
	}
	if outcome == "raises" {
		return errHandler
	}
	return nil
}

func (p *played) report(_ context.Context, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reported = append(p.reported, nameOf(err))
	if p.HookRaises {
		panic("the hook fails")
	}
}

// nameOf returns the code of a refusal, or the origin of any other error.
func nameOf(err error) string {
	var refusal *supportchat.WebhookVerificationError
	switch {
	case errors.As(err, &refusal):
		return refusal.Code
	case errors.Is(err, errHandler):
		return "handler"
	case errors.Is(err, errStore):
		return "store"
	case strings.Contains(err.Error(), "is being handled by"):
		return "in_progress"
	}
	return err.Error()
}

func (p *played) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *played) receiver(t testing.TB) *supportchat.WebhookReceiver {
	t.Helper()
	var limits []supportchat.WebhookOption
	if p.MaxBodyBytes != nil {
		limits = append(limits, supportchat.WithMaxBodyBytes(*p.MaxBodyBytes))
	}
	webhooks, err := supportchat.NewWebhooks(p.Secrets, limits...)
	check(t, err)
	opts := []supportchat.HandlerOption{supportchat.WithOnError(p.report)}
	if p.Store != "none" {
		memory := supportchat.NewMemoryDedupeStore(supportchat.WithStoreNow(p.clock))
		opts = append(opts, supportchat.WithDedupeStore(brokenStore{memory, p.Store}))
	}
	return supportchat.NewWebhookReceiver(webhooks, p.handle, opts...)
}

// play sends the requests of the case, and compares what happens.
func (c receiverCase) play(t *testing.T, serve func(*supportchat.WebhookReceiver) (url string, client *http.Client)) {
	p := &played{
		receiverCase: c,
		now:          time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC),
		running:      make(chan struct{}),
		released:     make(chan struct{}),
	}
	url, client := serve(p.receiver(t))
	var held sync.WaitGroup
	isHolding := false
	for _, step := range p.Steps {
		p.mu.Lock()
		p.now = p.now.Add(time.Duration(step.After * float64(time.Second)))
		p.isHeld = step.Held
		p.mu.Unlock()
		if step.Held {
			held.Add(1)
			go func() { defer held.Done(); step.send(t, url, client) }()
			<-p.running
			isHolding = true
			continue
		}
		step.send(t, url, client)
		if isHolding {
			p.released <- struct{}{}
			held.Wait()
			isHolding = false
		}
	}
	if strings.Join(p.handled, " ") != strings.Join(p.Handled, " ") {
		t.Errorf("handled %v, want %v", p.handled, p.Handled)
	}
	if strings.Join(p.reported, " ") != strings.Join(p.Errors, " ") {
		t.Errorf("reported %v, want %v", p.reported, p.Errors)
	}
}

func (s step) send(t *testing.T, url string, client *http.Client) {
	response, err := client.Do(s.request(url))
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	if body, err := io.ReadAll(response.Body); err != nil || len(body) > 0 {
		t.Errorf("got the body %q, %v", body, err)
	}
	if response.StatusCode != s.Status || response.Header.Get("Allow") != s.Allow {
		t.Errorf("%s got %s, %v", s.Method, response.Status, response.Header)
	}
}
