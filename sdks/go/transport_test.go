package supportchat_test

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestCookiesOfTheHTTPClientAreSentOncePerRequest(t *testing.T) {
	server := newServer(t, response{503, map[string]string{"Set-Cookie": "a=1"}, ""}, ok(`{}`))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	own := freshHTTPClient(t)
	own.Jar = jar
	client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(own))
	for range 2 {
		if _, err := client.Conversations.Get(t.Context(), "c1"); err != nil {
			t.Fatal(err)
		}
	}
	var cookies []string
	for _, sent := range server.sent() {
		cookies = append(cookies, strings.Join(sent.Header["Cookie"], "|"))
	}
	equalSlices(t, cookies, "", "a=1", "a=1")
}

func TestRedirectPolicyOfTheHTTPClientIsNotCalled(t *testing.T) {
	for _, location := range []string{"/next", "http://[", ""} {
		own := freshHTTPClient(t)
		own.CheckRedirect = func(*http.Request, []*http.Request) error {
			t.Error("a redirect is followed")
			return nil
		}
		server := newServer(t, response{302, map[string]string{"Location": location}, ""})
		client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(own))
		_, err := client.Conversations.Get(t.Context(), "c1")
		var redirect *supportchat.APIError
		if !errors.As(err, &redirect) || redirect.Status != 302 || redirect.Headers.Get("Location") != location {
			t.Errorf("got %v", err)
		}
	}
}

func TestMiddlewareSeesTheErrorsOfAnHTTPClientWithoutTheQuery(t *testing.T) {
	broken := errors.New("broken")
	for _, transport := range []roundTripper{
		func(*http.Request) (*http.Response, error) { return nil, broken },
		func(*http.Request) (*http.Response, error) { return nil, nil },
	} {
		var seen *url.Error
		client, _ := newClient(t, "http://api.test", supportchat.WithMaxRetries(0),
			supportchat.WithHTTPClient(&http.Client{Transport: transport}),
			supportchat.WithMiddleware(func(request *http.Request, next supportchat.Next) (*http.Response, error) {
				response, err := next(request)
				errors.As(err, &seen)
				return response, err
			}))
		_, err := client.Conversations.List(t.Context(), &supportchat.ConversationListParams{Cursor: "private"})
		equal(t, connectionError(t, err).Outcome, supportchat.OutcomeUnknown)
		equal(t, seen.Op+" "+seen.URL, "Get http://api.test/v1/conversations")
	}
}

func TestMiddlewareMayBreakARequest(t *testing.T) {
	for name, change := range map[string]func(*http.Request){
		"URL":    func(request *http.Request) { request.URL = nil },
		"header": func(request *http.Request) { request.Header = nil },
		"method": func(request *http.Request) { request.Method = "" },
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := newClient(t, closedPort(t), supportchat.WithMaxRetries(0),
				supportchat.WithMiddleware(func(request *http.Request, next supportchat.Next) (*http.Response, error) {
					change(request)
					return next(request)
				}))
			_ = connectionError(t, post(t.Context(), client))
		})
	}
}

func TestPlainServerBehindHTTPSIsNamed(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, strings.Replace(server.URL, "http:", "https:", 1), supportchat.WithMaxRetries(0))
	if err := post(t.Context(), client); !errors.Is(err, http.ErrSchemeMismatch) {
		t.Errorf("got %v", err)
	}
}
