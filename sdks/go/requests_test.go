package supportchat_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestListSendsItsParametersInTheQuery(t *testing.T) {
	server := newServer(t, ok(`{"data":[]}`))
	client, _ := newClient(t, server.URL)
	_, err := client.Conversations.List(t.Context(), &supportchat.ConversationListParams{
		Status: supportchat.ConversationStatusHandedOff, Limit: 5, Cursor: "a b&c=d",
	})
	if err != nil {
		t.Fatal(err)
	}
	sent := server.sent()[0]
	equal(t, sent.Method, "GET")
	equal(t, sent.URL, "/v1/conversations?limit=5&status=handed_off&cursor=a%20b%26c%3Dd")
	equal(t, sent.Body, "")
	want := http.Header{
		"Accept":          {"application/json, application/problem+json"},
		"Accept-Encoding": {"gzip"},
		"Authorization":   {"Bearer " + apiKey},
		"User-Agent":      {"support-chat-go/" + supportchat.Version + " (" + runtime.Version() + ")"},
	}
	equal(t, fmt.Sprint(sent.Header), fmt.Sprint(want))
}

func TestListWithoutParametersSendsNoQuery(t *testing.T) {
	server := newServer(t, ok(`{"data":[]}`))
	client, _ := newClient(t, server.URL)
	for _, params := range []*supportchat.ConversationListParams{nil, {}} {
		if _, err := client.Conversations.List(t.Context(), params); err != nil {
			t.Fatal(err)
		}
	}
	for _, sent := range server.sent() {
		equal(t, sent.URL, "/v1/conversations")
	}
}

func TestMessageIsPostedAsJSONWithAKeyOfItsOwn(t *testing.T) {
	server := newServer(t, answer{status: 201, body: `{"id":"msg_1"}`})
	client, _ := newClient(t, server.URL)
	params := supportchat.MessageCreateParams{Text: "Grüße 👋 <b>&"}
	for range 2 {
		message, err := client.Conversations.Messages.Create(t.Context(), "conv_1", params)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, message.ID, "msg_1")
	}
	sent := server.sent()
	equal(t, sent[0].Method+" "+sent[0].URL, "POST /v1/conversations/conv_1/messages")
	equal(t, sent[0].Body, `{"text":"Grüße 👋 <b>&"}`)
	equal(t, sent[0].Header.Get("Content-Type"), "application/json")
	key := sent[0].Header.Get("Idempotency-Key")
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(key) {
		t.Errorf("%q is no UUID", key)
	}
	if key == sent[1].Header.Get("Idempotency-Key") {
		t.Error("two calls share a key")
	}
}

func TestVariantOfAUnionIsSentWithItsType(t *testing.T) {
	server := newServer(t, ok(`{"id":"src_1"}`))
	client, _ := newClient(t, server.URL)
	for _, test := range []struct {
		params supportchat.SourceCreateParams
		want   string
	}{
		{supportchat.URLSourceParams{URL: "https://shop.test/help?a=1&b=2"},
			`{"type":"url","url":"https://shop.test/help?a=1&b=2"}`},
		{&supportchat.TextSourceParams{Title: "Returns", Text: ""},
			`{"type":"text","title":"Returns","text":""}`},
		{supportchat.FileSourceParams{Name: "a.txt", MediaType: "text/plain", ContentBase64: "aGk="},
			`{"type":"file","name":"a.txt","media_type":"text/plain","content_base64":"aGk="}`},
	} {
		_, err := client.Knowledge.Sources.Create(t.Context(), test.params, supportchat.WithIdempotencyKey("mine"))
		if err != nil {
			t.Fatal(err)
		}
		sent := server.sent()
		equal(t, sent[len(sent)-1].Body, test.want)
		equal(t, sent[len(sent)-1].Header.Get("Idempotency-Key"), "mine")
	}
}

func TestFieldsThatThisVersionDoesNotKnowCanBeSent(t *testing.T) {
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

func TestHeadersOfACallReplaceTheClientsOwn(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	_, err := client.Analytics.Get(t.Context(),
		supportchat.WithHeader("x-team", "a"),
		supportchat.WithHeader("accept", "text/x"),
		supportchat.WithoutHeader("user-agent"))
	if err != nil {
		t.Fatal(err)
	}
	header := server.sent()[0].Header
	equal(t, header.Get("X-Team"), "a")
	equal(t, fmt.Sprint(header["Accept"]), "[text/x]")
	equal(t, header.Get("User-Agent"), "Go-http-client/1.1")
	equal(t, header.Get("Idempotency-Key"), "")
}

func TestIdentifierStaysInsideItsSegment(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	for id, segment := range map[string]string{
		"a/b":              "a%2Fb",
		"../admin":         "..%2Fadmin",
		"a?b#c":            "a%3Fb%23c",
		"...":              "...",
		"$&{id}":           "%24%26%7Bid%7D",
		"é %":              "%C3%A9%20%25",
		"a+b:c@d":          "a%2Bb%3Ac%40d",
		"http://evil.test": "http%3A%2F%2Fevil.test",
	} {
		if _, err := client.Conversations.Get(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		sent := server.sent()
		equal(t, sent[len(sent)-1].URL, "/v1/conversations/"+segment)
	}
}

func TestIdentifierStaysInsideItsSegmentOfAnyPath(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	params := supportchat.DoParams{Path: []any{"a/b"}}
	if err := client.Do(t.Context(), "GET", `/größen|"<^`+"`"+`>/{id}`, params, nil); err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].URL, "/gr%C3%B6%C3%9Fen%7C%22%3C%5E%60%3E/a%2Fb")
}

func TestRequestThatCannotBeSentIsRefused(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	ctx := t.Context()
	get := func(path string) error { return client.Do(ctx, "GET", path, supportchat.DoParams{}, nil) }
	calls := map[string]func() error{
		"path without a slash": func() error { return get("v1/x") },
		"path that climbs":     func() error { return get("/v1/../x") },
		"path with a dot":      func() error { return get("/v1/.") },
		"path with a query":    func() error { return get("/v1/x?y=1") },
		"path with a fragment": func() error { return get("/v1/x#y") },
		"path with a tab":      func() error { return get("/v1/.\t./x") },
		"path with backslash":  func() error { return get(`/v1\..\x`) },
		"missing parameter":    func() error { return get("/v1/{id}") },
		"body that is no JSON": func() error {
			return client.Do(ctx, "POST", "/v1/x", supportchat.DoParams{Body: make(chan int)}, nil)
		},
		"header that breaks out": func() error {
			_, err := client.Analytics.Get(ctx, supportchat.WithHeader("x-token", "secret\nmore"))
			return err
		},
		"header without a name": func() error {
			_, err := client.Analytics.Get(ctx, supportchat.WithHeader("secret header", "a"))
			return err
		},
		"empty idempotency key": func() error {
			_, err := client.Analytics.Get(ctx, supportchat.WithIdempotencyKey(" "))
			return err
		},
		"answer without a place": func() error {
			return client.Do(ctx, "GET", "/v1/x", supportchat.DoParams{}, supportchat.Message{})
		},
		"negative time-out": func() error {
			_, err := client.Analytics.Get(ctx, supportchat.WithTimeout(-1))
			return err
		},
		"negative retries": func() error {
			_, err := client.Analytics.Get(ctx, supportchat.WithMaxRetries(-1))
			return err
		},
	}
	for _, id := range []string{".", "..", "", "%2e", "%2E.", "\xff"} {
		calls["identifier "+id] = func() error {
			_, err := client.Conversations.Get(ctx, id)
			return err
		}
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			err := call()
			var base *supportchat.Error
			if !errors.As(err, &base) || base.Outcome != supportchat.OutcomeNotSent {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("quotes what may be a secret: %v", err)
			}
		})
	}
	equal(t, len(server.sent()), 0)
}

func TestAnyPathCanBeCalled(t *testing.T) {
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
		t.Error("an operation of the contract is called without its key")
	}
}

func TestAnswerWithoutContentIsNoError(t *testing.T) {
	server := newServer(t, answer{status: 204})
	client, _ := newClient(t, server.URL)
	var out map[string]any
	if err := client.Do(t.Context(), "DELETE", "/v1/x", supportchat.DoParams{}, &out); err != nil || out != nil {
		t.Errorf("got %v, %v", out, err)
	}
}

func TestAnswerIsHandedOutWithItsBodyUnread(t *testing.T) {
	server := newServer(t, answer{200, map[string]string{"X-Request-Id": "req_7"}, `{"id":"conv_1"}`}, problem(404))
	client, _ := newClient(t, server.URL)
	var response *http.Response
	if _, err := client.Conversations.Get(t.Context(), "conv_1", supportchat.WithResponseInto(&response)); err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	equal(t, string(body), `{"id":"conv_1"}`)
	equal(t, response.StatusCode, 200)
	equal(t, response.Header.Get("X-Request-Id"), "req_7")
	equal(t, response.Request.Header.Get("Authorization"), "[redacted]")

	if _, err := client.Conversations.Get(t.Context(), "x", supportchat.WithResponseInto(&response)); err == nil {
		t.Fatal("no error")
	}
	equal(t, response.StatusCode, 404)
	equal(t, server.sent()[1].Header.Get("Authorization"), "Bearer "+apiKey)

	_, _ = client.Conversations.Get(t.Context(), ".", supportchat.WithResponseInto(&response))
	if response != nil {
		t.Error("an answer of an earlier call is left")
	}
}

func TestOneClientServesManyCallsAtOnce(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"id":%q}`, r.URL.Path[len("/v1/conversations/"):])
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
