package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

const secret = "whsec_rehearsal"

func fake(kind string, overrides map[string]any) supportchattest.Delivery {
	return supportchattest.FakeDelivery(kind, supportchattest.DeliveryOptions{Secret: secret, Overrides: overrides})
}

// The receiver is sent what the service may send, and what a stranger may.
func TestReceiverHandlesWhatIsGenuineOnce(t *testing.T) {
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	receiver := newReceiver(webhooks, &out)

	handoff := fake("conversation.handoff", nil)
	changed := fake("conversation.csat", nil)
	changed.Body = append(changed.Body, ' ')
	unsigned := fake("conversation.csat", nil)
	unsigned.Headers.Del("X-Service-Signature")
	for _, test := range []struct {
		name    string
		request *http.Request
		status  int
		output  string
	}{
		{"genuine", handoff.Request("/"), 204, "evt_01J2Z91J4S: called the team to conv_01J2Z8M3VN: The visitor asked for a human.\n"},
		{"again", handoff.Request("/"), 204, ""},
		{"newer", fake("future", nil).Request("/"), 204, "evt_future: ignored future.event, which this version does not know\n"},
		{"changed", changed.Request("/"), 401, ""},
		{"unsigned", unsigned.Request("/"), 401, ""},
		{"too large", supportchattest.Delivery{Body: make([]byte, 2_000_000)}.Request("/"), 413, ""},
		{"no POST", httptest.NewRequest(http.MethodGet, "/", nil), 405, ""},
	} {
		out.Reset()
		recorder := httptest.NewRecorder()
		receiver.ServeHTTP(recorder, test.request)
		if recorder.Code != test.status || out.String() != test.output {
			t.Errorf("%s: got status %d and output %q", test.name, recorder.Code, out.String())
		}
	}
}

func TestShopReactsToEveryKind(t *testing.T) {
	data := func(fields map[string]any) map[string]any { return map[string]any{"data": fields} }
	for _, test := range []struct {
		kind      string
		overrides map[string]any
		want      string
	}{
		{"conversation.csat", data(map[string]any{"rating": 2}), "asked a manager to look at conv_01J2YXC9TB"},
		{"conversation.csat", data(map[string]any{"rating": 3}), "thanked the team for conv_01J2YXC9TB"},
		{"conversation.resolved", nil, "counted conversation.resolved"},
		{"knowledge.indexed", data(map[string]any{"source": map[string]any{"title": "Shipping"}}), "the assistant knows Shipping"},
	} {
		if got := react(supportchattest.FakeEvent(test.kind, test.overrides)); got != test.want {
			t.Errorf("%s: %s", test.kind, got)
		}
	}
}
