package supportchat_test

import (
	"encoding/json"
	"errors"
	"fmt"
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
	_, _ = clone.Analytics.Get(t.Context())
	_, _ = client.Analytics.Get(t.Context())
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
