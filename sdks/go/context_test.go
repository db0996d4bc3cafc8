package supportchat_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestContextEndsACallWithItsOwnError(t *testing.T) {
	url, count := listen(t, func(conn net.Conn, _ int) {
		_, _ = io.WriteString(conn, head(99, "200 OK")+`{"id"`)
	})
	client, _ := newClient(t, url)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Analytics.Get(ended)
	equal(t, err, context.Canceled)
	equal(t, count(), 0)

	late, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err = client.Analytics.Get(late)
	equal(t, err, context.DeadlineExceeded)
	equal(t, count(), 1)
}

func TestContextEndsARetryDelayWithItsCause(t *testing.T) {
	server := newServer(t, problem(503, "Retry-After", "60"))
	client, err := supportchat.NewClient(
		supportchat.WithAPIKey(apiKey), supportchat.WithBaseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	reason := errors.New("not needed any more")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(30*time.Millisecond, func() { cancel(reason) })
	started := time.Now()
	_, err = client.Analytics.Get(ctx)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
	if waited := time.Since(started); waited > 10*time.Second {
		t.Errorf("waited %v", waited)
	}
	equal(t, len(server.sent()), 1)
	if text := err.Error(); strings.Contains(text, "supportchat") {
		t.Errorf("%q is not the context's own error", text)
	}
}

func TestCauseOfAContextIsNotRetried(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	transport := roundTripper(func(*http.Request) (*http.Response, error) {
		cancel(&supportchat.APIConnectionError{Outcome: supportchat.OutcomeNotSent})
		return nil, ctx.Err()
	})
	client, clock := newClient(t, "http://api.test", supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	if _, err := client.Analytics.Get(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	equal(t, len(clock.Sleeps), 0)
}
