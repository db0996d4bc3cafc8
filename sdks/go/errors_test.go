package supportchat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func failure(t *testing.T, answer answer) error {
	t.Helper()
	client, _ := newClient(t, newServer(t, answer).URL, supportchat.WithMaxRetries(0))
	_, err := client.Conversations.Get(t.Context(), "conv_1")
	if err == nil {
		t.Fatal("no error")
	}
	return err
}

func TestEveryStatusHasItsType(t *testing.T) {
	for _, test := range []struct {
		status  int
		want    error
		outcome supportchat.Outcome
	}{
		{400, &supportchat.BadRequestError{}, supportchat.OutcomeRejected},
		{401, &supportchat.AuthenticationError{}, supportchat.OutcomeRejected},
		{403, &supportchat.PermissionDeniedError{}, supportchat.OutcomeRejected},
		{404, &supportchat.NotFoundError{}, supportchat.OutcomeRejected},
		{405, &supportchat.APIError{}, supportchat.OutcomeRejected},
		{408, &supportchat.APIError{}, supportchat.OutcomeUnknown},
		{409, &supportchat.ConflictError{}, supportchat.OutcomeRejected},
		{422, &supportchat.UnprocessableEntityError{}, supportchat.OutcomeRejected},
		{429, &supportchat.RateLimitError{}, supportchat.OutcomeRejected},
		{500, &supportchat.ServerError{}, supportchat.OutcomeUnknown},
		{503, &supportchat.ServerError{}, supportchat.OutcomeUnknown},
		{599, &supportchat.ServerError{}, supportchat.OutcomeUnknown},
	} {
		err := failure(t, problem(test.status, "Retry-After", "2"))
		equal(t, reflect.TypeOf(err), reflect.TypeOf(test.want))
		var answer *supportchat.APIError
		var base *supportchat.Error
		if !errors.As(err, &answer) || !errors.As(err, &base) {
			t.Fatalf("%T is not found at every level", err)
		}
		message := fmt.Sprintf(
			"%d some_code: What is wrong. (GET /v1/conversations/conv_1, request req_1)", test.status)
		equal(t, answer.Status, test.status)
		equal(t, answer.Outcome, test.outcome)
		equal(t, base.Outcome, test.outcome)
		equal(t, answer.Code, "some_code")
		equal(t, answer.RequestID, "req_1")
		equal(t, *answer.RetryAfter, 2*time.Second)
		equal(t, answer.Message, message)
		equal(t, base.Message, message)
		equal(t, err.Error(), "supportchat: "+message)
		equal(t, answer.Headers.Get("Retry-After"), "2")
		if !json.Valid(answer.Body) {
			t.Errorf("got the body %q", answer.Body)
		}
	}
}

func TestFailureIsDescribedByWhateverItsBodySays(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer answer
		want   string
	}{
		{"no JSON", answer{502, nil, "<h1>Bad\ngateway</h1>"}, "502: <h1>Bad\ngateway</h1>"},
		{"no body", answer{500, nil, ""}, "500"},
		{"wrapped", answer{400, nil, `{"error":{"code":"c","message":"m"}}`}, "400 c: m"},
		{"a list", answer{400, nil, `[1]`}, "400"},
		{"null", answer{404, nil, `null`}, "404"},
		{"other types", answer{400, nil, `{"code":5,"detail":{},"title":"T"}`}, "400: T"},
		{"huge", answer{500, nil, strings.Repeat("é", 10_000)}, "500: " + strings.Repeat("é", 300)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var err *supportchat.APIError
			if !errors.As(failure(t, test.answer), &err) {
				t.Fatal("no APIError")
			}
			equal(t, err.Message, test.want+" (GET /v1/conversations/conv_1)")
			equal(t, string(err.Body), test.answer.body)
			equal(t, err.RequestID, "")
			equal(t, err.RetryAfter, nil)
		})
	}
}

func TestErrorShowsNeitherKeyNorHeaders(t *testing.T) {
	server := newServer(t, answer{
		401, map[string]string{"Set-Cookie": "session=1", "X-Echo": apiKey},
		fmt.Sprintf(`{"detail":"%s is unknown"}`, apiKey),
	})
	client, _ := newClient(t, server.URL)
	_, err := client.Conversations.Get(t.Context(), apiKey)
	equal(t, err.Error(), "supportchat: 401: [redacted] is unknown (GET /v1/conversations/[redacted])")
	encoded, _ := json.Marshal(err)
	for _, shown := range []string{fmt.Sprintf("%v", err), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err), string(encoded)} {
		if strings.Contains(shown, apiKey) || strings.Contains(shown, "session=1") {
			t.Errorf("shows a secret: %s", shown)
		}
	}
}

func TestErrorLeavesTheQueryOut(t *testing.T) {
	for _, answer := range []answer{problem(400), dropped} {
		client, _ := newClient(t, newServer(t, answer).URL, supportchat.WithMaxRetries(0))
		_, err := client.Conversations.List(t.Context(), &supportchat.ConversationListParams{Cursor: "private"})
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			if strings.Contains(cause.Error(), "private") {
				t.Errorf("shows the query: %v", cause)
			}
		}
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	other := newServer(t, ok(`{}`))
	for _, status := range []int{301, 302, 303, 307, 308} {
		for location, want := range map[string]string{
			other.URL + "/path?token=secret": other.URL,
			"/elsewhere?token=secret":        "",
			"http://[secret":                 "nowhere",
			"":                               "nowhere",
		} {
			server := newServer(t, answer{status, map[string]string{"Location": location}, ""})
			if want == "" {
				want = server.URL
			}
			client, _ := newClient(t, server.URL)
			_, err := client.Conversations.Get(t.Context(), "conv_1")
			var failure *supportchat.APIError
			if !errors.As(err, &failure) {
				t.Fatalf("got %v", err)
			}
			equal(t, reflect.TypeOf(err), reflect.TypeFor[*supportchat.APIError]())
			equal(t, failure.Outcome, supportchat.OutcomeRejected)
			equal(t, failure.Headers.Get("Location"), location)
			equal(t, failure.Message,
				fmt.Sprintf("%d: redirect to %s, not followed (GET /v1/conversations/conv_1)", status, want))
			equal(t, len(server.sent()), 1)
		}
	}
	equal(t, len(other.sent()), 0)
}

func TestSuccessThatCannotBeReadIsInvalid(t *testing.T) {
	for body, what := range map[string]string{
		`{"id":`:        "the body is not valid JSON",
		"":              "the body is not valid JSON",
		"<html></html>": "the body is not valid JSON",
		"null":          "the body is not JSON of the expected type",
		"[]":            "the body is not JSON of the expected type",
	} {
		server := newServer(t, answer{200, map[string]string{"X-Request-Id": "req_2"}, body})
		client, _ := newClient(t, server.URL)
		_, err := client.Conversations.Get(t.Context(), "conv_1")
		var invalid *supportchat.InvalidResponseError
		if !errors.As(err, &invalid) {
			t.Fatalf("got %v for %q", err, body)
		}
		equal(t, invalid.Outcome, supportchat.OutcomeUnknown)
		equal(t, invalid.RequestID, "req_2")
		equal(t, invalid.Message, "200: "+what+" (GET /v1/conversations/conv_1, request req_2)")
		equal(t, len(server.sent()), 1)
	}
}
