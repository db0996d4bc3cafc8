package supportchat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestNilHTTPClientIsRefused(t *testing.T) {
	client, err := supportchat.NewClient(supportchat.WithAPIKey(apiKey),
		supportchat.WithBaseURL("http://a.test"), supportchat.WithHTTPClient(nil))
	var refused *supportchat.Error
	if client != nil || !errors.As(err, &refused) || refused.Outcome != supportchat.OutcomeNotSent {
		t.Fatalf("got %v, %v", client, err)
	}
}

func TestWithOptionsReplacesOnlyTheGivenOptions(t *testing.T) {
	server := newServer(t, problem(503))
	client, _ := newClient(t, server.URL)
	clone, err := client.WithOptions(supportchat.WithAPIKey("sk_other"), supportchat.WithMaxRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = clone.Conversations.Get(t.Context(), "c1")
	_, _ = client.Conversations.Get(t.Context(), "c1")
	sent := server.sent()
	equal(t, len(sent), 4)
	equal(t, sent[0].Header.Get("Authorization"), "Bearer sk_other")
	equal(t, sent[1].Header.Get("Authorization"), "Bearer "+apiKey)
	if _, err := client.WithOptions(supportchat.WithBaseURL("x")); err == nil {
		t.Error("a clone accepts an option that NewClient refuses")
	}
}

func TestClientDoesNotShowItsKey(t *testing.T) {
	client, _ := newClient(t, "http://a.test")
	encoded, _ := json.Marshal(client)
	for _, shown := range []string{
		fmt.Sprintf("%#v", *client), fmt.Sprintf("%+v", *client.Conversations), string(encoded),
	} {
		if strings.Contains(shown, apiKey) {
			t.Errorf("shows the key: %s", shown)
		}
	}
}

func TestOptionsOfACallWinOverThoseOfTheClient(t *testing.T) {
	server := newServer(t, page("null"))
	client, _ := newClient(t, server.URL,
		supportchat.WithHeader("X-Team", "client"), supportchat.WithHeader("X-Region", "eu"),
		supportchat.WithQuery("region", "eu"), supportchat.WithQuery("limit", "1"), supportchat.WithQuery("team", "client"))
	params := &supportchat.ConversationListParams{Limit: 5}
	_, err := client.Conversations.List(t.Context(), params,
		supportchat.WithHeader("X-Team", "call"), supportchat.WithQuery("team", "call"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = client.Conversations.List(t.Context(), params,
		supportchat.WithoutHeader("X-Team"), supportchat.WithQuery("limit", "7"), supportchat.WithAPIKey("sk_other"))
	sent := server.sent()
	equal(t, sent[0].URL, "/v1/conversations?region=eu&limit=5&team=call")
	equal(t, sent[0].Header.Get("X-Team")+sent[0].Header.Get("X-Region"), "calleu")
	equal(t, sent[1].URL, "/v1/conversations?region=eu&team=client&limit=7")
	equal(t, sent[1].Header.Get("X-Team"), "")
	equal(t, sent[1].Header.Get("Authorization"), "Bearer sk_other")
}

func TestHeadersOfTheClientDoNotReplaceThoseOfACall(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL,
		supportchat.WithHeader("Idempotency-Key", "client"), supportchat.WithHeader("Content-Type", "text/plain"))
	for _, opts := range [][]supportchat.Option{{supportchat.WithIdempotencyKey("call")}, nil, nil} {
		_, _ = client.Conversations.Messages.Create(t.Context(), "x", supportchat.MessageCreateParams{Text: "Hi"}, opts...)
	}
	sent := server.sent()
	equal(t, sent[0].Header.Get("Content-Type"), "application/json")
	equal(t, sent[0].Header.Get("Idempotency-Key"), "call")
	if one, other := sent[1].Header.Get("Idempotency-Key"), sent[2].Header.Get("Idempotency-Key"); one == other {
		t.Errorf("two calls share the key %q, so the service drops the second", one)
	}
}

func TestOptionsOfACallDoNotReachAnother(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL, supportchat.WithHeader("X-A", "1"))
	for _, name := range []string{"X-B", "X-C"} {
		_, _ = client.Conversations.Get(t.Context(), "c1", supportchat.WithHeader(name, "1"), nil)
	}
	equal(t, server.sent()[1].Header.Get("X-B"), "")
}

func TestBodyFieldsAreAddedToTheBody(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	_, err := client.Conversations.Messages.Create(t.Context(), "x", supportchat.MessageCreateParams{Text: "Hi"},
		supportchat.WithBodyField("text", "Hello"), supportchat.WithBodyField("tags", []string{"a"}))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].Body, `{"tags":["a"],"text":"Hello"}`)
}

func TestBodyFieldsAreTheBodyOfARequestWithoutOne(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL, supportchat.WithBodyField("team", "blue"))
	do := func(method string, body any, opts ...supportchat.Option) error {
		return client.Do(t.Context(), method, "/v1/x", supportchat.DoParams{Body: body}, nil, opts...)
	}
	field := supportchat.WithBodyField("text", "Hi")
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		if err := do(method, nil, field); err != nil {
			t.Fatal(err)
		}
	}
	for _, sent := range server.sent() {
		equal(t, sent.Body, `{"team":"blue","text":"Hi"}`)
		equal(t, sent.Header.Get("Content-Type"), "application/json")
	}
	for _, method := range []string{"GET", "HEAD"} {
		if err := do(method, nil); err != nil {
			t.Errorf("a field of the client: %v", err)
		}
	}
	count := len(server.sent())
	for _, refused := range []struct {
		method string
		body   any
		want   string
	}{
		{"GET", nil, "WithQuery"}, {"HEAD", nil, "WithQuery"},
		{"POST", []int{1}, "JSON object"}, {"POST", "text", "JSON object"},
	} {
		err := do(refused.method, refused.body, field)
		var base *supportchat.Error
		if !errors.As(err, &base) || base.Outcome != supportchat.OutcomeNotSent || !strings.Contains(err.Error(), refused.want) {
			t.Errorf("%v: got %v", refused, err)
		}
	}
	equal(t, len(server.sent()), count)
}

func TestAcceptHeaderIsTheCallersToSet(t *testing.T) {
	supportchat.SetOperation(t, "GET /v1/text", supportchat.Operation{Plain: true})
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL, supportchat.WithHeader("accept", "text/csv"))
	for _, path := range []string{"/v1/x", "/v1/text"} {
		var out []byte
		_ = client.Do(t.Context(), "GET", path, supportchat.DoParams{}, &out)
		_ = client.Do(t.Context(), "GET", path, supportchat.DoParams{}, &out, supportchat.WithHeader("Accept", "text/plain"))
	}
	var got []string
	for _, sent := range server.sent() {
		got = append(got, strings.Join(sent.Header.Values("Accept"), "|"))
	}
	equalSlices(t, got, "text/csv", "text/plain", "text/csv", "text/plain")
}

func TestMiddlewareOfACallIsInsideThatOfTheClient(t *testing.T) {
	var order []string
	named := func(name string) supportchat.Option {
		return supportchat.WithMiddleware(func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			order = append(order, name)
			return next(request)
		})
	}
	client, _ := newClient(t, newServer(t, ok(`{}`)).URL, named("client"), named("second"))
	clone, err := client.WithOptions(named("clone"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = clone.Conversations.Get(t.Context(), "c1", named("call"))
	equalSlices(t, order, "client", "second", "clone", "call")
}

func TestRequestIDOfEveryResult(t *testing.T) {
	server := newServer(t, response{200, map[string]string{"X-Request-Id": "req_2"}, `{}`}, problem(404))
	client, _ := newClient(t, server.URL)
	for _, want := range []string{"req_2", "req_1"} {
		var id string
		_, _ = client.Conversations.Get(t.Context(), "c1", supportchat.WithRequestIDInto(&id))
		equal(t, id, want)
	}
}

// levelsLogged returns the levels that a retried and failing call logs.
func levelsLogged(t *testing.T, opts ...supportchat.Option) string {
	t.Helper()
	var lines bytes.Buffer
	handler := slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelInfo})
	former := slog.Default()
	slog.SetDefault(slog.New(handler))
	defer slog.SetDefault(former)
	broken := roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("broken") })
	client, _ := newClient(t, "http://api.test", append(opts, supportchat.WithMaxRetries(1),
		supportchat.WithHTTPClient(&http.Client{Transport: broken}))...)
	_, _ = client.Conversations.Get(t.Context(), "c1")
	var levels []string
	for line := range strings.Lines(lines.String()) {
		level, _, _ := strings.Cut(line[strings.Index(line, "level=")+len("level="):], " ")
		levels = append(levels, level)
	}
	return strings.Join(levels, " ")
}

func TestLogLevel(t *testing.T) {
	equal(t, levelsLogged(t), "WARN ERROR")
	equal(t, levelsLogged(t, supportchat.WithLogLevel(slog.LevelError)), "ERROR")
	equal(t, levelsLogged(t, supportchat.WithLogLevel(supportchat.LogOff)), "")
	equal(t, levelsLogged(t, supportchat.WithLogLevel(slog.LevelDebug)), "DEBUG WARN DEBUG ERROR")

	own := slog.New(slog.DiscardHandler)
	equal(t, levelsLogged(t, supportchat.WithLogger(own)), "")

	t.Setenv("SUPPORT_CHAT_LOG", "error")
	equal(t, levelsLogged(t), "ERROR")
	equal(t, levelsLogged(t, supportchat.WithLogLevel(slog.LevelWarn)), "WARN ERROR")

	t.Setenv("SUPPORT_CHAT_LOG", "loud")
	_, err := supportchat.NewClient(supportchat.WithAPIKey(apiKey), supportchat.WithBaseURL("http://api.test"))
	if err == nil || !strings.Contains(err.Error(), "off, error, warn, info or debug") {
		t.Errorf("got %v", err)
	}
}
