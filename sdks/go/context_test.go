package supportchat_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// aborted returns the error of a call that its context ended.
func aborted(t *testing.T, err error) *supportchat.AbortedCallError {
	t.Helper()
	var ended *supportchat.AbortedCallError
	var base *supportchat.Error
	if !errors.As(err, &ended) || !errors.As(err, &base) {
		t.Fatalf("got %v", err)
	}
	equal(t, base.Outcome, ended.Outcome)
	return ended
}

func TestContextEndsACallWithItsOwnError(t *testing.T) {
	url, count := listen(t, func(conn net.Conn, _ int) {
		_, _ = io.WriteString(conn, head(99, "200 OK")+`{"id"`)
	})
	client, _ := newClient(t, url)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Conversations.Get(ended, "c1")
	early := aborted(t, err)
	equal(t, errors.Is(err, context.Canceled), true)
	equal(t, early.Attempts, 0)
	equal(t, early.Outcome, supportchat.OutcomeNotSent)
	equal(t, count(), 0)

	late, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err = client.Conversations.Get(late, "c1")
	call := aborted(t, err)
	equal(t, errors.Is(err, context.DeadlineExceeded), true)
	equal(t, call.Method+" "+call.Path, "GET /v1/conversations/c1")
	equal(t, call.Attempts, 1)
	equal(t, call.Outcome, supportchat.OutcomeUnknown)
	equal(t, err.Error(), "supportchat: context deadline exceeded (GET /v1/conversations/c1)")
	equal(t, count(), 1)
}

func TestContextThatEndsWhileConnectingSendsNothing(t *testing.T) {
	dialing := make(chan struct{})
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		close(dialing)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	client, _ := newClient(t, "http://api.test", supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-dialing; cancel() }()
	call := aborted(t, post(ctx, client))
	equal(t, call.Outcome, supportchat.OutcomeNotSent)
	equal(t, call.Attempts, 1)
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
	_, err = client.Conversations.Get(ctx, "c1")
	if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
	if waited := time.Since(started); waited > 10*time.Second {
		t.Errorf("waited %v", waited)
	}
	equal(t, len(server.sent()), 1)
	equal(t, aborted(t, err).Attempts, 1)
	// The service may have acted on the first attempt.
	equal(t, aborted(t, err).Outcome, supportchat.OutcomeUnknown)
}

func TestCauseOfAContextIsNotRetried(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	transport := roundTripper(func(*http.Request) (*http.Response, error) {
		cancel(&supportchat.APIConnectionError{Outcome: supportchat.OutcomeNotSent})
		return nil, ctx.Err()
	})
	client, clock := newClient(t, "http://api.test", supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	if _, err := client.Conversations.Get(ctx, "c1"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	equal(t, len(clock.Sleeps), 0)
}
