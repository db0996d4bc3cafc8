package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// receiverCases hold the status of each verdict, and cases of sequential or concurrent requests.
type receiverCases struct {
	Statuses map[string]int
	Cases    []receiverCase
}

type receiverCase struct {
	ID, Rule     string
	Secrets      []string
	MaxBodyBytes *int64
	Store        string
	Handler      []string
	HookRaises   bool
	Steps        []receiverStep
	Handled      []string
	Errors       []string
}

type receiverStep struct {
	After  float64
	Method string
	vector
	Held   bool
	Status int
	Allow  string
}

func receivers(t testing.TB) receiverCases {
	t.Helper()
	data := repositoryFile(t, "../conformance/webhooks/receivers.json")
	var all receiverCases
	if err := json.Unmarshal(data, &all); err != nil || len(all.Statuses) == 0 || len(all.Cases) == 0 {
		t.Fatal(err)
	}
	return all
}

var (
	errHandler = errors.New("the handler failed")
	errStore   = errors.New("the store failed")
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
	mu      sync.Mutex
	now     time.Time
	handled []string
	errors  []string
	// A held handler signals that it is running and returns when it is released.
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

func (p *played) hook(_ context.Context, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = append(p.errors, nameOf(err))
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
	case strings.Contains(err.Error(), "is being handled by another process"):
		return "in_progress"
	default:
		return err.Error()
	}
}

func (p *played) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *played) serve(t *testing.T) *httptest.Server {
	t.Helper()
	var limits []supportchat.WebhookOption
	if p.MaxBodyBytes != nil {
		limits = append(limits, supportchat.WithMaxBodyBytes(*p.MaxBodyBytes))
	}
	webhooks, err := supportchat.NewWebhooks(p.Secrets, limits...)
	if err != nil {
		t.Fatal(err)
	}
	opts := []supportchat.HandlerOption{supportchat.WithOnError(p.hook)}
	if p.Store != "none" {
		memory := supportchat.NewMemoryDedupeStore(supportchat.WithStoreNow(p.clock))
		opts = append(opts, supportchat.WithDedupeStore(brokenStore{memory, p.Store}))
	}
	return serve(t, supportchat.WebhookHandler(webhooks, p.handle, opts...))
}

func serve(t testing.TB, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = quiet
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func (s receiverStep) request(url string) *http.Request {
	request, err := http.NewRequest(s.Method, url, bytes.NewReader(s.body()))
	if err != nil {
		panic(err)
	}
	request.Header = s.headers()
	return request
}

// respond sends a request and returns the response, whose body must be empty.
func respond(t testing.TB, request *http.Request) *http.Response {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if body, err := io.ReadAll(response.Body); err != nil || len(body) > 0 {
		t.Errorf("got the body %q, %v", body, err)
	}
	return response
}

func TestReceiverPlaysEveryCase(t *testing.T) {
	for _, c := range receivers(t).Cases {
		t.Run(c.ID, func(t *testing.T) {
			p := &played{
				receiverCase: c,
				now:          time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC),
				running:      make(chan struct{}),
				released:     make(chan struct{}),
			}
			p.play(t, p.serve(t).URL)
			equalSlices(t, p.handled, c.Handled...)
			equalSlices(t, p.errors, c.Errors...)
		})
	}
}

func (p *played) play(t *testing.T, url string) {
	var held sync.WaitGroup
	isHolding := false
	for _, step := range p.Steps {
		p.mu.Lock()
		p.now = p.now.Add(time.Duration(step.After * float64(time.Second)))
		p.isHeld = step.Held
		p.mu.Unlock()
		send := func() {
			response := respond(t, step.request(url))
			if response.StatusCode != step.Status || response.Header.Get("Allow") != step.Allow {
				t.Errorf("%s got %s, %v", p.Rule, response.Status, response.Header)
			}
		}
		if step.Held {
			held.Add(1)
			go func() { defer held.Done(); send() }()
			<-p.running
			isHolding = true
			continue
		}
		send()
		if isHolding {
			p.released <- struct{}{}
			held.Wait()
			isHolding = false
		}
	}
}

func TestReceiverReturnsTheStatusOfEveryVector(t *testing.T) {
	statuses := receivers(t).Statuses
	inProcess := 0
	for _, v := range vectors(t) {
		if v.Result == "missing_secret" {
			continue // no verifier exists
		}
		t.Run(v.ID, func(t *testing.T) {
			webhooks, err := v.webhooks()
			if err != nil {
				t.Fatal(err)
			}
			var handled, reported []string
			handler := supportchat.WebhookHandler(webhooks,
				func(_ context.Context, event supportchat.Event) error {
					handled = append(handled, event.EventID())
					return nil
				},
				supportchat.WithOnError(func(_ context.Context, err error) { reported = append(reported, nameOf(err)) }))
			status, isSent := v.post(t, handler)
			if !isSent {
				inProcess++
			}
			equal(t, status, statuses[v.Result])
			if v.Result == "ok" {
				equal(t, len(handled), 1)
				equal(t, len(reported), 0)
			} else {
				equalSlices(t, reported, v.Result)
				equal(t, len(handled), 0)
			}
		})
	}
	if inProcess > 5 {
		t.Errorf("%d vectors are not sent", inProcess)
	}
}

// post returns the status of the response. net/http does not send headers with line breaks or other
// control characters; such a request goes to the handler without a connection.
func (v vector) post(t *testing.T, handler http.Handler) (status int, isSent bool) {
	t.Helper()
	server := serve(t, handler)
	step := receiverStep{Method: http.MethodPost, vector: v}
	response, err := http.DefaultClient.Do(step.request(server.URL))
	if err == nil {
		defer func() { _ = response.Body.Close() }()
		return response.StatusCode, true
	}
	if !strings.Contains(err.Error(), "net/http: invalid header field") {
		t.Fatal(err)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, step.request("/"))
	return recorder.Code, false
}
