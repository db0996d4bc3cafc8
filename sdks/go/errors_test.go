package supportchat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestErrorsAsFindsEveryLevel(t *testing.T) {
	client, _ := newClient(t, newServer(t, problem(429, "Retry-After", "2")).URL, supportchat.WithMaxRetries(0))
	_, err := client.Conversations.Get(t.Context(), "conv_1")
	var limit *supportchat.RateLimitError
	var api *supportchat.APIError
	var base *supportchat.Error
	if !errors.As(err, &limit) || !errors.As(err, &api) || !errors.As(err, &base) {
		t.Fatalf("%T is not found at every level", err)
	}
	const message = "429 some_code: What is wrong. (GET /v1/conversations/conv_1, request req_1)"
	equal(t, err.Error(), "supportchat: "+message)
	equal(t, base.Error(), err.Error())
	equal(t, base.Outcome, supportchat.OutcomeRejected)
	equal(t, base.Message, message)
	equal(t, limit.APIError, api)
	equal(t, *api.RetryAfter, 2*time.Second)
	equal(t, api.Headers.Get("Retry-After"), "2")
	if !json.Valid(api.Body) {
		t.Errorf("got the body %q", api.Body)
	}
}

func TestEncodedErrorHoldsNoSecret(t *testing.T) {
	server := newServer(t, response{
		401, map[string]string{"Set-Cookie": "session=1", "X-Echo": apiKey},
		fmt.Sprintf(`{"detail":"%s is unknown"}`, apiKey),
	})
	client, _ := newClient(t, server.URL)
	_, err := client.Conversations.Get(t.Context(), apiKey)
	equal(t, err.Error(), "supportchat: 401: [redacted] is unknown (GET /v1/conversations/[redacted])")
	encoded, _ := json.Marshal(err)
	for _, secret := range []string{apiKey, "session=1"} {
		if strings.Contains(string(encoded), secret) {
			t.Errorf("shows a secret: %s", encoded)
		}
	}
}

func TestCauseOfAnErrorHoldsNoQuery(t *testing.T) {
	client, _ := newClient(t, newServer(t, dropped).URL, supportchat.WithMaxRetries(0))
	_, err := client.Conversations.List(t.Context(), &supportchat.ConversationListParams{Cursor: "private"})
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if strings.Contains(cause.Error(), "private") {
			t.Errorf("shows the query: %v", cause)
		}
	}
}
