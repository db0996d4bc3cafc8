package supportchat_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func post(ctx context.Context, client *supportchat.Client) error {
	_, err := client.Conversations.Messages.Create(ctx, "conv_1", supportchat.MessageCreateParams{Text: "Hi"})
	return err
}

func equalSlices[T comparable](t *testing.T, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestGetIsRepeatedAfterStatusesThatPass(t *testing.T) {
	for _, status := range []int{408, 429, 502, 503, 504} {
		server := newServer(t, problem(status), problem(status), ok(`{}`))
		client, clock := newClient(t, server.URL)
		if _, err := client.Analytics.Get(t.Context()); err != nil {
			t.Fatal(status, err)
		}
		equalSlices(t, clock.Sleeps, 500*time.Millisecond, time.Second)
		sent := server.sent()
		equal(t, len(sent), 3)
		equal(t, sent[1].wire(), sent[0].wire())
		equal(t, sent[2].wire(), sent[0].wire())
	}
}

func TestGetIsNotRepeatedAfterOtherStatuses(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 409, 422, 500, 501} {
		server := newServer(t, problem(status))
		client, clock := newClient(t, server.URL)
		_, err := client.Analytics.Get(t.Context())
		var failure *supportchat.APIError
		if !errors.As(err, &failure) || failure.Status != status {
			t.Fatalf("got %v for %d", err, status)
		}
		equal(t, len(server.sent()), 1)
		equal(t, len(clock.Sleeps), 0)
	}
}

func TestGetIsRepeatedAfterABrokenConnection(t *testing.T) {
	server := newServer(t, dropped, ok(`{}`))
	client, _ := newClient(t, server.URL)
	if _, err := client.Analytics.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestPostIsRepeatedAfter429WithTheSameBodyAndKey(t *testing.T) {
	server := newServer(t, problem(429), problem(429), answer{status: 201, body: `{}`})
	client, _ := newClient(t, server.URL)
	if err := post(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	sent := server.sent()
	equal(t, len(sent), 3)
	equal(t, sent[1].wire(), sent[0].wire())
	equal(t, sent[2].wire(), sent[0].wire())
	if sent[0].Header.Get("Idempotency-Key") == "" {
		t.Error("no key")
	}
}

func TestPostThatMayHaveHadAnEffectIsNotRepeated(t *testing.T) {
	for _, answer := range []answer{
		problem(408), problem(500), problem(502), problem(503, "Retry-After", "1"), problem(504), dropped,
	} {
		server := newServer(t, answer)
		client, _ := newClient(t, server.URL)
		err := post(t.Context(), client)
		var base *supportchat.Error
		if !errors.As(err, &base) || base.Outcome != supportchat.OutcomeUnknown {
			t.Errorf("got %v", err)
		}
		equal(t, len(server.sent()), 1)
	}
}

func TestPostIsRepeatedLikeAGetWhereTheContractAllowsIt(t *testing.T) {
	supportchat.SetOperation(t, "POST /v1/things", supportchat.Operation{
		Repeatable: true, IdempotencyHeader: "Idempotency-Key",
	})
	server := newServer(t, problem(503), dropped, ok(`{}`))
	client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(singleUse()))
	err := client.Do(t.Context(), "POST", "/v1/things", supportchat.DoParams{Body: struct{}{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, sent := range server.sent() {
		keys[sent.Header.Get("Idempotency-Key")] = true
	}
	equal(t, len(keys), 1)
}

func TestDelayDoublesUpToItsLimitLessAQuarterAtMost(t *testing.T) {
	server := newServer(t, problem(503))
	client, clock := newClient(t, server.URL)
	clock.Random = 0
	_, err := client.Analytics.Get(t.Context(), supportchat.WithMaxRetries(6))
	if err == nil {
		t.Fatal("no error")
	}
	const ms = time.Millisecond
	equalSlices(t, clock.Sleeps, 375*ms, 750*ms, 1500*ms, 3000*ms, 6000*ms, 6000*ms)
	equal(t, len(server.sent()), 7)
}

func TestRetriesCanBeSwitchedOff(t *testing.T) {
	server := newServer(t, problem(503))
	client, _ := newClient(t, server.URL)
	without, err := client.WithOptions(supportchat.WithMaxRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = client.Analytics.Get(t.Context(), supportchat.WithMaxRetries(0))
	_, _ = without.Analytics.Get(t.Context())
	equal(t, len(server.sent()), 2)
	_, _ = without.Analytics.Get(t.Context(), supportchat.WithMaxRetries(1))
	equal(t, len(server.sent()), 4)
}

var morning = time.Date(2026, 3, 6, 10, 0, 0, 0, time.UTC)

func TestServiceSaysHowLongToWait(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		headers []string
		want    time.Duration
	}{
		{[]string{"Retry-After", "3"}, 3 * time.Second},
		{[]string{"Retry-After", "0"}, 0},
		{[]string{"Retry-After", "0.5"}, 500 * ms},
		{[]string{"Retry-After", "60"}, time.Minute},
		{[]string{"Retry-After-Ms", "120", "Retry-After", "3"}, 120 * ms},
		{[]string{"Retry-After-Ms", "soon", "Retry-After", "3"}, 3 * time.Second},
		{[]string{"Retry-After-Ms", "-5", "Retry-After", "3"}, 3 * time.Second},
		{[]string{"Retry-After", "Fri, 06 Mar 2026 10:00:05 GMT"}, 5 * time.Second},
		{[]string{"Retry-After", "Friday, 06-Mar-26 10:00:05 GMT"}, 5 * time.Second},
		{[]string{"Retry-After", "Fri, 06 Mar 2026 09:59:59 GMT"}, 500 * ms},
		{[]string{"Retry-After", "-1"}, 500 * ms},
		{[]string{"Retry-After", "1e1"}, 500 * ms},
		{[]string{"Retry-After", "soon"}, 500 * ms},
		{[]string{"Retry-After", "2026-03-06"}, 500 * ms},
		{[]string{"Retry-After", ""}, 500 * ms},
	} {
		server := newServer(t, problem(429, test.headers...), ok(`{}`))
		client, clock := newClient(t, server.URL)
		clock.Now = morning
		if _, err := client.Analytics.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Log(test.headers)
		equalSlices(t, clock.Sleeps, test.want)
	}
}

func TestWaitOfMoreThanAMinuteFailsAtOnce(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "61", 61 * time.Second},
		{"Retry-After-Ms", "60001", 60_001 * time.Millisecond},
		{"Retry-After", "Fri, 06 Mar 2026 10:02:00 GMT", 2 * time.Minute},
		{"Retry-After", "99999999999999999999", time.Duration(1<<63 - 1)},
	} {
		server := newServer(t, problem(429, test.name, test.value))
		client, clock := newClient(t, server.URL)
		clock.Now = morning
		_, err := client.Analytics.Get(t.Context())
		var limit *supportchat.RateLimitError
		if !errors.As(err, &limit) || limit.RetryAfter == nil {
			t.Fatalf("got %v", err)
		}
		equal(t, *limit.RetryAfter, test.want)
		equal(t, len(clock.Sleeps), 0)
		equal(t, len(server.sent()), 1)
	}
}

func TestLastFailureIsReturned(t *testing.T) {
	server := newServer(t, dropped, problem(502), problem(503))
	client, clock := newClient(t, server.URL)
	_, err := client.Analytics.Get(t.Context())
	var failure *supportchat.ServerError
	if !errors.As(err, &failure) || failure.Status != 503 || failure.RetryAfter != nil {
		t.Errorf("got %v", err)
	}
	equal(t, len(clock.Sleeps), 2)
}

func TestWaitingEndsWithTheContext(t *testing.T) {
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

func TestContextThatEndedWithAFailureOfAnotherCallIsNotRepeated(t *testing.T) {
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
