package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func newLogger() (*slog.Logger, *bytes.Buffer) {
	var lines bytes.Buffer
	return slog.New(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})), &lines
}

func TestLoggerRecordsEveryAttempt(t *testing.T) {
	server := newServer(t, problem(503), dropped, ok(wholeConversation))
	logger, lines := newLogger()
	client, _ := newClient(t, server.URL, supportchat.WithLogger(logger), supportchat.WithHTTPClient(singleUse()))
	if _, err := client.Conversations.Get(t.Context(), "conv_1"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(lines.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		equal(t, fields["method"], any("GET"))
		equal(t, fields["template"], any("/v1/conversations/{id}"))
		equal(t, fields["path"], any("/v1/conversations/conv_1"))
		got = append(got, fmt.Sprint(fields["level"], fields["msg"], fields["retry"], fields["status"], fields["outcome"], fields["delay"]))
	}
	equalSlices(t, got,
		"DEBUGrequest0 <nil> <nil> <nil>",
		"INFOresponse0 503 <nil> <nil>",
		"WARNretry0 <nil> <nil> 5e+08",
		"DEBUGrequest1 <nil> <nil> <nil>",
		"WARNretry1 <nil> <nil> 1e+09",
		"DEBUGrequest2 <nil> <nil> <nil>",
		"INFOresponse2 200 <nil> <nil>",
	)
}

func TestLogHoldsNoKeyCookieOrQuery(t *testing.T) {
	server := newServer(t, problem(401, "Set-Cookie", "session=1"))
	logger, lines := newLogger()
	client, _ := newClient(t, server.URL, supportchat.WithLogger(logger))
	_, _ = client.Conversations.List(t.Context(), &supportchat.ConversationListParams{Cursor: "private"},
		supportchat.WithHeader("Cookie", "session=2"))
	text := lines.String()
	for _, shown := range []string{`"Authorization":["[redacted]"]`, `"Set-Cookie":["[redacted]"]`} {
		if !strings.Contains(text, shown) {
			t.Errorf("%s is missing in %s", shown, text)
		}
	}
	for _, secret := range []string{apiKey, "session=", "private"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is shown in %s", secret, text)
		}
	}
}

func TestTracerWrapsEveryAttempt(t *testing.T) {
	type spanKey struct{}
	server := newServer(t, problem(503), dropped, ok(`{}`))
	var seen []string
	var spans []any
	tracer := func(ctx context.Context, attempt supportchat.Attempt) (context.Context, func(supportchat.AttemptResult)) {
		return context.WithValue(ctx, spanKey{}, attempt.Retry), func(result supportchat.AttemptResult) {
			seen = append(seen, fmt.Sprint(attempt.Method, attempt.Template, attempt.Path, attempt.Retry,
				result.Status, result.RequestID, result.Err != nil))
		}
	}
	base := singleUse()
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		spans = append(spans, request.Context().Value(spanKey{}))
		return base.Transport.RoundTrip(request)
	})
	client, _ := newClient(t, server.URL, supportchat.WithTracer(tracer),
		supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	if _, err := client.Conversations.Get(t.Context(), "conv_1"); err != nil {
		t.Fatal(err)
	}
	const attempted = "GET/v1/conversations/{id}/v1/conversations/conv_1"
	equalSlices(t, seen, attempted+"0 503req_1false", attempted+"1 0true", attempted+"2 200false")
	equalSlices(t, spans, any(0), any(1), any(2))
}

func TestTracerMayReturnNothing(t *testing.T) {
	client, _ := newClient(t, newServer(t, ok(`{}`)).URL, supportchat.WithTracer(
		func(context.Context, supportchat.Attempt) (context.Context, func(supportchat.AttemptResult)) {
			return nil, nil
		}))
	if _, err := client.Conversations.Get(t.Context(), "c1"); err != nil {
		t.Fatal(err)
	}
}
