package supportchat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
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

func TestTimeoutIsANetError(t *testing.T) {
	for _, err := range []error{&supportchat.APITimeoutError{}, &supportchat.APITimeoutError{
		APIConnectionError: &supportchat.APIConnectionError{},
	}} {
		var network net.Error
		if !errors.As(err, &network) || !network.Timeout() || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%#v is not a timeout", err)
		}
	}
	var network net.Error
	broken := error(&supportchat.APIConnectionError{})
	if !errors.As(broken, &network) || network.Timeout() || errors.Is(broken, os.ErrDeadlineExceeded) {
		t.Error("a broken connection is not a net.Error, or is a timeout")
	}
}

func TestZeroErrorsDoNotPanic(t *testing.T) {
	for _, err := range []error{
		&supportchat.Error{}, &supportchat.APIError{}, &supportchat.BadRequestError{}, &supportchat.RateLimitError{},
		&supportchat.ServerError{}, &supportchat.APIConnectionError{}, &supportchat.APITimeoutError{},
		&supportchat.InvalidResponseError{}, &supportchat.AbortedCallError{}, &supportchat.WebhookVerificationError{},
	} {
		text := fmt.Sprintf("%v %+v %#v", err, err, err)
		if !strings.Contains(text, "supportchat") || strings.Contains(text, "PANIC") {
			t.Errorf("%T: %s", err, text)
		}
		var api *supportchat.APIError
		if errors.As(err, &api) && api == nil {
			t.Errorf("%T: errors.As finds a nil pointer", err)
		}
		var base *supportchat.Error
		if errors.As(err, &base) && base == nil {
			t.Errorf("%T: errors.As finds a nil pointer", err)
		}
	}
}

func TestErrorUnwrapsToTheSameParentEachTime(t *testing.T) {
	for _, err := range []error{
		&supportchat.APIError{Message: "a", Outcome: supportchat.OutcomeRejected},
		&supportchat.APIConnectionError{Message: "a", Outcome: supportchat.OutcomeRejected},
		&supportchat.InvalidResponseError{Message: "a", Outcome: supportchat.OutcomeRejected},
		&supportchat.AbortedCallError{Message: "a", Outcome: supportchat.OutcomeRejected},
		&supportchat.NotFoundError{APIError: &supportchat.APIError{Message: "a", Outcome: supportchat.OutcomeRejected}},
	} {
		var first, second *supportchat.Error
		if !errors.As(err, &first) || !errors.As(err, &second) || first != second || !errors.Is(err, first) {
			t.Errorf("%T unwraps to %p and %p", err, first, second)
			continue
		}
		equal(t, first.Message+string(first.Outcome), "arejected")
	}
}
