package supportchat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestOptionThatCannotBeUsedIsRefused(t *testing.T) {
	t.Setenv("SUPPORT_CHAT_API_KEY", "")
	t.Setenv("SUPPORT_CHAT_BASE_URL", " ")
	key := supportchat.WithAPIKey(apiKey)
	url := supportchat.WithBaseURL
	good := url("http://a.test")
	for _, test := range []struct {
		name string
		opts []supportchat.ClientOption
		want string
	}{
		{"no key", []supportchat.ClientOption{good}, `^No API key\. Use WithAPIKey or set SUPPORT_CHAT_API_KEY\.$`},
		{"an empty key", []supportchat.ClientOption{good, supportchat.WithAPIKey("")}, "API key is empty"},
		{"a key with a line break", []supportchat.ClientOption{good, supportchat.WithAPIKey(apiKey + "\n")}, "line break"},
		{"no base URL", []supportchat.ClientOption{key}, "SUPPORT_CHAT_BASE_URL.*npx --no support-chat-mock serve$"},
		{"an empty base URL", []supportchat.ClientOption{key, url("")}, "http:// or https://"},
		{"a key as base URL", []supportchat.ClientOption{key, url(apiKey)}, "http:// or https://"},
		{"a relative base URL", []supportchat.ClientOption{key, url("/api")}, "http:// or https://"},
		{"no scheme", []supportchat.ClientOption{key, url("localhost:4010")}, "http://"},
		{"a password", []supportchat.ClientOption{key, url("http://u:p@a.test")}, "password"},
		{"a query", []supportchat.ClientOption{key, url("http://a.test?a=1")}, "query"},
		{"an empty query", []supportchat.ClientOption{key, url("http://a.test?")}, "query"},
		{"a fragment", []supportchat.ClientOption{key, url("http://a.test#")}, "fragment"},
		{"the version", []supportchat.ClientOption{key, url("http://a.test/v1")}, `Use http://a\.test without it`},
		{"the version and a slash", []supportchat.ClientOption{key, url("http://a.test/x/v1/")}, `Use http://a\.test/x without it`},
		{"a time-out of 0", []supportchat.ClientOption{key, good, supportchat.WithTimeout(0)}, "time-out"},
		{"less than no retry", []supportchat.ClientOption{key, good, supportchat.WithMaxRetries(-1)}, "retries"},
		{"no HTTP client", []supportchat.ClientOption{key, good, supportchat.WithHTTPClient(nil)}, "HTTP client"},
	} {
		t.Run(test.name, func(t *testing.T) {
			client, err := supportchat.NewClient(test.opts...)
			var refused *supportchat.Error
			if client != nil || !errors.As(err, &refused) {
				t.Fatalf("got %v, %v", client, err)
			}
			equal(t, refused.Outcome, supportchat.OutcomeNotSent)
			if !regexp.MustCompile(test.want).MatchString(refused.Message) {
				t.Errorf("got %q", refused.Message)
			}
			if strings.Contains(err.Error(), apiKey) {
				t.Errorf("quotes the key: %v", err)
			}
		})
	}
}

func TestEnvironmentStandsInForOptionsThatAreLeftOut(t *testing.T) {
	server := newServer(t, ok(`{}`))
	t.Setenv("SUPPORT_CHAT_API_KEY", " sk_environment ")
	t.Setenv("SUPPORT_CHAT_BASE_URL", server.URL+"/")
	for _, test := range []struct {
		opts []supportchat.ClientOption
		want string
	}{
		{nil, "Bearer sk_environment"},
		{[]supportchat.ClientOption{supportchat.WithAPIKey("sk_option")}, "Bearer sk_option"},
	} {
		client, err := supportchat.NewClient(test.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Analytics.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
		sent := server.sent()
		equal(t, sent[len(sent)-1].Header.Get("Authorization"), test.want)
		equal(t, sent[len(sent)-1].URL, "/v1/analytics")
	}
	if _, err := supportchat.NewClient(supportchat.WithAPIKey("")); err == nil {
		t.Error("a bad option does not win")
	}
}

func TestBaseURLKeepsItsOwnPath(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL+"/chat//")
	if _, err := client.Analytics.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].URL, "/chat/v1/analytics")
}

func TestCloneDiffersInNothingButTheGivenOptions(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	clone, err := client.WithOptions(supportchat.WithAPIKey("sk_other"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = clone.Analytics.Get(t.Context())
	_, _ = client.Analytics.Get(t.Context())
	sent := server.sent()
	equal(t, sent[0].Header.Get("Authorization"), "Bearer sk_other")
	equal(t, sent[1].Header.Get("Authorization"), "Bearer "+apiKey)
	if _, err := client.WithOptions(supportchat.WithBaseURL("x")); err == nil {
		t.Error("a clone takes what a client refuses")
	}
}

func TestClientDoesNotShowItsKey(t *testing.T) {
	client, _ := newClient(t, "http://a.test")
	encoded, _ := json.Marshal(client)
	for _, shown := range []string{
		fmt.Sprint(client), fmt.Sprintf("%+v", client), fmt.Sprintf("%#v", *client),
		fmt.Sprintf("%+v", *client.Conversations), string(encoded),
	} {
		if strings.Contains(shown, apiKey) {
			t.Errorf("shows the key: %s", shown)
		}
	}
}
