package supportchat_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestUnionVariantMayBeAPointer(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	for _, params := range []supportchat.SourceCreateParams{
		supportchat.TextSourceParams{Title: "Returns"}, &supportchat.TextSourceParams{Title: "Returns"},
	} {
		if _, err := client.Knowledge.Sources.Create(t.Context(), params); err != nil {
			t.Fatal(err)
		}
	}
	for _, sent := range server.sent() {
		equal(t, sent.Body, `{"type":"text","title":"Returns","text":""}`)
	}
}

func TestExtraFieldsAreSent(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	_, err := client.Conversations.Messages.Create(t.Context(), "conv_1", supportchat.MessageCreateParams{
		Text: "Hi", Extra: supportchat.Extra{"priority": []byte("1"), "channel": []byte(`"sms"`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].Body, `{"text":"Hi","channel":"sms","priority":1}`)
}

func TestDoEncodesItsPath(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	params := supportchat.DoParams{Path: []any{"a/b"}}
	if err := client.Do(t.Context(), "GET", `/größen|"<^`+"`"+`>/{id}`, params, nil); err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].URL, "/gr%C3%B6%C3%9Fen%7C%22%3C%5E%60%3E/a%2Fb")
}

func TestInvalidRequestIsNotSent(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	ctx := t.Context()
	get := func(path string, values ...any) error {
		return client.Do(ctx, "GET", path, supportchat.DoParams{Path: values}, nil)
	}
	for name, call := range map[string]func() error{
		"path without a slash": func() error { return get("v1/x") },
		"path that climbs":     func() error { return get("/v1/../x") },
		"path with a dot":      func() error { return get("/v1/.") },
		"path with a query":    func() error { return get("/v1/x?y=1") },
		"path with a fragment": func() error { return get("/v1/x#y") },
		"path with a tab":      func() error { return get("/v1/.\t./x") },
		"path with backslash":  func() error { return get(`/v1\..\x`) },
		"missing parameter":    func() error { return get("/v1/{id}") },
		"invalid UTF-8":        func() error { return get("/v1/{id}", "\xff") },
		"body without JSON": func() error {
			return client.Do(ctx, "POST", "/v1/x", supportchat.DoParams{Body: make(chan int)}, nil)
		},
		"result without a pointer": func() error {
			return client.Do(ctx, "GET", "/v1/x", supportchat.DoParams{}, supportchat.Message{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var base *supportchat.Error
			if err := call(); !errors.As(err, &base) || base.Outcome != supportchat.OutcomeNotSent {
				t.Fatalf("got %v", err)
			}
		})
	}
	equal(t, len(server.sent()), 0)
}

func TestDoCallsAnyPath(t *testing.T) {
	server := newServer(t, ok(`{"id":7,"big":9007199254740993}`))
	client, _ := newClient(t, server.URL)
	var out map[string]any
	err := client.Do(t.Context(), "PUT", "/v1/things/{id}/parts/{part}", supportchat.DoParams{
		Path:  []any{7, "a/b"},
		Query: url.Values{"b": {"2", "1"}, "a": {"x y"}},
		Body:  map[string]any{"n": 1, "html": "<b>"},
	}, &out)
	if err != nil {
		t.Fatal(err)
	}
	sent := server.sent()[0]
	equal(t, sent.Method+" "+sent.URL, "PUT /v1/things/7/parts/a%2Fb?a=x%20y&b=2&b=1")
	equal(t, sent.Body, `{"html":"<b>","n":1}`)
	equal(t, fmt.Sprint(out["big"]), "9007199254740993")
	equal(t, sent.Header.Get("Idempotency-Key"), "")

	var raw []byte
	if err := client.Do(t.Context(), "POST", "/v1/knowledge/sources", supportchat.DoParams{}, &raw); err != nil {
		t.Fatal(err)
	}
	equal(t, string(raw), `{"id":7,"big":9007199254740993}`)
	if server.sent()[1].Header.Get("Idempotency-Key") == "" {
		t.Error("an operation of the contract has no idempotency key")
	}
}

func TestDoAcceptsAResponseWithoutContent(t *testing.T) {
	server := newServer(t, response{status: 204})
	client, _ := newClient(t, server.URL)
	var out map[string]any
	if err := client.Do(t.Context(), "DELETE", "/v1/x", supportchat.DoParams{}, &out); err != nil || out != nil {
		t.Errorf("got %v, %v", out, err)
	}
}

func TestWithResponseIntoReturnsAnUnreadBody(t *testing.T) {
	server := newServer(t, response{200, map[string]string{"X-Request-Id": "req_7"}, `{"id":"conv_1"}`}, problem(404))
	client, _ := newClient(t, server.URL)
	var into *http.Response
	if _, err := client.Conversations.Get(t.Context(), "conv_1", supportchat.WithResponseInto(&into)); err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(into.Body)
	equal(t, string(body), `{"id":"conv_1"}`)
	equal(t, into.Request.Header.Get("Authorization"), "[redacted]")

	if _, err := client.Conversations.Get(t.Context(), "x", supportchat.WithResponseInto(&into)); err == nil {
		t.Fatal("no error")
	}
	equal(t, into.StatusCode, 404)
	equal(t, server.sent()[1].Header.Get("Authorization"), "Bearer "+apiKey)

	_, _ = client.Conversations.Get(t.Context(), ".", supportchat.WithResponseInto(&into))
	if into != nil {
		t.Error("the response of an earlier call remains")
	}
}

func TestPageComesWithItsResponse(t *testing.T) {
	server := newServer(t, page("null", "a"))
	client, _ := newClient(t, server.URL)
	var into *http.Response
	if _, err := client.Conversations.List(t.Context(), nil, supportchat.WithResponseInto(&into)); err != nil {
		t.Fatal(err)
	}
	equal(t, into.StatusCode, 200)
}

// The race detector watches this test.
func TestClientIsSafeForConcurrentUse(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"id":%q}`, strings.TrimPrefix(r.URL.Path, "/v1/conversations/"))
	})
	server := httptest.NewServer(echo)
	t.Cleanup(server.Close)
	client, _ := newClient(t, server.URL)
	var group sync.WaitGroup
	for i := range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			id := fmt.Sprintf("conv_%d", i)
			conversation, err := client.Conversations.Get(context.Background(), id)
			if err != nil || conversation.ID != id {
				t.Errorf("got %v, %v for %s", conversation, err, id)
			}
		}()
	}
	group.Wait()
}
