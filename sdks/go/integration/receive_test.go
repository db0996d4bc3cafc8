package integration

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

// A withoutServer passes requests to a receiver, as code behind a queue or in AWS Lambda does.
type withoutServer struct{ receiver *supportchat.WebhookReceiver }

func (w withoutServer) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	status := w.receiver.Receive(r.Context(), body, r.Header)
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

func TestReceiverWithoutAServerPlaysEveryCase(t *testing.T) {
	for _, c := range receiverCases(t) {
		if slices.ContainsFunc(c.Steps, func(s step) bool { return s.Method != http.MethodPost }) {
			continue // a server checks the method
		}
		t.Run(c.ID, func(t *testing.T) {
			c.play(t, func(receiver *supportchat.WebhookReceiver) (string, *http.Client) {
				return "http://a.test/webhooks", &http.Client{Transport: withoutServer{receiver}}
			})
		})
	}
}

func TestSlowSenderOverHTTP2EndsOnlyItsRequest(t *testing.T) {
	delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret})
	for name, f := range frameworks {
		if f.handler == nil {
			continue // has no HTTP/2
		}
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			receiver := r.receiver(t, supportchat.WithBodyTimeout(100*time.Millisecond))
			server := httptest.NewUnstartedServer(f.handler(receiver, untouched))
			server.EnableHTTP2 = true
			server.StartTLS()
			t.Cleanup(server.Close)
			body, sender := io.Pipe()
			t.Cleanup(func() { _ = sender.Close() })
			slow := delivery.Request(server.URL + "/webhooks")
			slow.Body, slow.ContentLength = body, 300
			for _, sent := range []struct {
				request *http.Request
				status  int
			}{{slow, 503}, {delivery.Request(server.URL + "/webhooks"), 204}} {
				response, err := server.Client().Do(sent.request)
				check(t, err)
				_ = response.Body.Close()
				if response.StatusCode != sent.status || response.ProtoMajor != 2 {
					t.Errorf("got %s over %s, reported %v", response.Status, response.Proto, r.reported)
				}
			}
			if len(r.reported) != 1 || !strings.Contains(r.reported[0], "did not arrive in time") {
				t.Errorf("reported %v", r.reported)
			}
		})
	}
}
