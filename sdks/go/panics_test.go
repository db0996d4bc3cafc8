package supportchat_test

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// A tracked body counts how often bodies are closed.
type tracked struct {
	io.Reader
	closed *atomic.Int32
}

func (b tracked) Close() error {
	b.closed.Add(1)
	return nil
}

func TestPanicOfAHookGoesThroughAndLeaksNothing(t *testing.T) {
	before := requestGoroutines()
	var closed, finished atomic.Int32
	base := freshHTTPClient(t).Transport
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := base.RoundTrip(request)
		if err == nil {
			response.Body = struct {
				io.Reader
				io.Closer
			}{response.Body, closeBoth{tracked{closed: &closed}, response.Body}}
		}
		return response, err
	})
	after := func(request *http.Request, next supportchat.Next) (*http.Response, error) {
		_, _ = next(request)
		panic("hook")
	}
	traced := func(ctx context.Context, _ supportchat.Attempt) (context.Context, func(supportchat.AttemptResult)) {
		return ctx, func(result supportchat.AttemptResult) {
			finished.Add(1)
			if result.Err == nil {
				t.Error("a tracer sees a panic as a success")
			}
		}
	}
	server := newServer(t, ok(strings.Repeat(" ", 1<<16)+`{}`))
	for name, opts := range map[string][]supportchat.Option{
		"middleware":           {supportchat.WithMiddleware(after)},
		"middleware of a call": {supportchat.WithTracer(traced), supportchat.WithMiddleware(after)},
		"hook":                 {supportchat.WithMismatchHook(func(context.Context, supportchat.Mismatch) { panic("hook") })},
		"tracer": {supportchat.WithTracer(func(context.Context, supportchat.Attempt) (context.Context, func(supportchat.AttemptResult)) {
			panic("hook")
		})},
		"transport": {supportchat.WithHTTPClient(&http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			panic("hook")
		})})},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(&http.Client{Transport: transport}))
			sent := len(server.sent())
			closed.Store(0)
			equal(t, panicOf(func() { _, _ = client.Conversations.Get(t.Context(), "c1", opts...) }), any("hook"))
			equal(t, int(closed.Load()), len(server.sent())-sent)
			// The client stays usable.
			if _, err := client.Conversations.Get(t.Context(), "c1"); err != nil {
				t.Error(err)
			}
		})
	}
	equal(t, finished.Load(), 1)
	server.Close()
	base.(*http.Transport).CloseIdleConnections()
	waitForGoroutines(t, before)
}

// closeBoth closes a body, and counts it.
type closeBoth struct{ counted, body io.Closer }

func (c closeBoth) Close() error {
	_ = c.counted.Close()
	return c.body.Close()
}

// requestGoroutines returns the number of goroutines that serve requests.
func requestGoroutines() int {
	buffer := make([]byte, 1<<20)
	stacks := string(buffer[:runtime.Stack(buffer, true)])
	return strings.Count(stacks, "net/http.(*") + strings.Count(stacks, "context.(*")
}

// waitForGoroutines fails if more goroutines than before serve requests.
func waitForGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 100 {
		if requestGoroutines() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines, before %d", requestGoroutines(), before)
}

func TestDroppedResponseOfAMiddlewareIsClosed(t *testing.T) {
	var closed atomic.Int32
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		body := tracked{strings.NewReader(`{}`), &closed}
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body, Request: request}, nil
	})
	client, _ := newClient(t, "http://api.test", supportchat.WithHTTPClient(&http.Client{Transport: transport}),
		supportchat.WithMiddleware(func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			_, _ = next(request)
			return next(request)
		}))
	if _, err := client.Conversations.Get(t.Context(), "c1"); err != nil {
		t.Fatal(err)
	}
	equal(t, closed.Load(), 2)
}
