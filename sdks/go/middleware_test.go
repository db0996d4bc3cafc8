package supportchat_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestMiddlewareWrapsEveryAttempt(t *testing.T) {
	server := newServer(t, problem(503), ok(`{}`))
	var seen []string
	named := func(name string) supportchat.Middleware {
		return func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			attempt, found := supportchat.AttemptFromContext(request.Context())
			seen = append(seen, fmt.Sprint(name, " ", attempt.Method, attempt.Template, attempt.Retry, found))
			request.Header.Add("X-Seen", name)
			response, err := next(request)
			if err == nil {
				seen = append(seen, fmt.Sprint(name, " ", response.StatusCode))
			}
			return response, err
		}
	}
	client, _ := newClient(t, server.URL, supportchat.WithMiddleware(named("a"), named("b")))
	if _, err := client.Conversations.Get(t.Context(), "x", supportchat.WithMiddleware(named("c"))); err != nil {
		t.Fatal(err)
	}
	const attempt = " GET/v1/conversations/{id}"
	equalSlices(t, seen,
		"a"+attempt+"0 true", "b"+attempt+"0 true", "c"+attempt+"0 true", "c 503", "b 503", "a 503",
		"a"+attempt+"1 true", "b"+attempt+"1 true", "c"+attempt+"1 true", "c 200", "b 200", "a 200")
	for _, sent := range server.sent() {
		equalSlices(t, sent.Header["X-Seen"], "a", "b", "c")
	}
	if _, found := supportchat.AttemptFromContext(t.Context()); found {
		t.Error("a context without an attempt has one")
	}
}

func TestMiddlewareSeesAndChangesRequestAndResponse(t *testing.T) {
	server := newServer(t, ok(`{"id":"from the server"}`))
	client, _ := newClient(t, server.URL, supportchat.WithMiddleware(
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			equal(t, request.Header.Get("Authorization"), "Bearer "+apiKey)
			equal(t, request.Header.Get("Idempotency-Key"), "key")
			request.URL.RawQuery = "changed=1"
			response, err := next(request)
			if err != nil {
				return nil, err
			}
			body, _ := io.ReadAll(response.Body)
			response.Body = io.NopCloser(strings.NewReader(strings.Replace(string(body), "server", "middleware", 1)))
			response.ContentLength = -1
			return response, nil
		}))
	message, err := client.Conversations.Messages.Create(t.Context(), "x",
		supportchat.MessageCreateParams{Text: "Hi"}, supportchat.WithIdempotencyKey("key"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, message.ID, "from the middleware")
	equal(t, server.sent()[0].URL, "/v1/conversations/x/messages?changed=1")
	equal(t, server.sent()[0].Header.Get("Idempotency-Key"), "key")
}

func TestMiddlewareMayReturnAResponseItself(t *testing.T) {
	client, clock := newClient(t, "http://api.test", supportchat.WithMiddleware(
		func(*http.Request, supportchat.Next) (*http.Response, error) {
			return &http.Response{StatusCode: 429}, nil
		}))
	err := post(t.Context(), client)
	var limit *supportchat.RateLimitError
	if !errors.As(err, &limit) {
		t.Fatalf("got %v", err)
	}
	equal(t, len(clock.Sleeps), 2)
}

func TestErrorOfAMiddlewareIsReturnedUnchanged(t *testing.T) {
	server := newServer(t, ok(`{}`))
	for _, own := range []error{
		errors.New("own"),
		&supportchat.APIConnectionError{Message: "of another client"},
		&supportchat.AbortedCallError{},
	} {
		client, clock := newClient(t, server.URL, supportchat.WithMiddleware(
			func(request *http.Request, next supportchat.Next) (*http.Response, error) {
				if response, err := next(request); err == nil {
					_ = response.Body.Close()
				}
				return nil, own
			}))
		_, err := client.Conversations.Get(t.Context(), "c1")
		equal(t, err, own)
		equal(t, len(clock.Sleeps), 0)
	}
	client, _ := newClient(t, server.URL, supportchat.WithMiddleware(
		func(*http.Request, supportchat.Next) (*http.Response, error) { return nil, nil }))
	if _, err := client.Conversations.Get(t.Context(), "c1"); err == nil || !strings.Contains(err.Error(), "neither") {
		t.Errorf("got %v", err)
	}
}

func TestMiddlewareMayHandleAnErrorOfTheTransport(t *testing.T) {
	var count int
	client, clock := newClient(t, closedPort(t), supportchat.WithMiddleware(
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			count++
			response, err := next(request)
			if err != nil {
				return nil, fmt.Errorf("wrapped: %w", err)
			}
			return response, nil
		}))
	equal(t, connectionError(t, post(t.Context(), client)).Outcome, supportchat.OutcomeNotSent)
	equal(t, count, 3)
	equal(t, len(clock.Sleeps), 2)

	client, _ = newClient(t, closedPort(t), supportchat.WithMiddleware(
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			if _, err := next(request); err == nil {
				t.Error("no error")
			}
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"id":"cached"}`))}, nil
		}))
	conversation, err := client.Conversations.Get(t.Context(), "x")
	if err != nil || conversation.ID != "cached" {
		t.Errorf("got %v, %v", conversation, err)
	}
}

func TestTimeoutEndsAMiddleware(t *testing.T) {
	client, _ := newClient(t, "http://api.test", supportchat.WithTimeout(20*time.Millisecond),
		supportchat.WithMiddleware(func(request *http.Request, _ supportchat.Next) (*http.Response, error) {
			<-request.Context().Done()
			return nil, request.Context().Err()
		}))
	var timeout *supportchat.APITimeoutError
	if err := post(t.Context(), client); !errors.As(err, &timeout) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	equal(t, aborted(t, post(ctx, client)).Attempts, 1)
}

func TestMiddlewareMayReadAndSendTheBodySeveralTimes(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL, supportchat.WithMiddleware(
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			signed, _ := io.ReadAll(request.Body)
			request.Header.Set("X-Length", fmt.Sprint(len(signed)))
			first, err := next(request)
			if err != nil {
				return nil, err
			}
			_ = first.Body.Close()
			return next(request)
		}))
	if err := post(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	equal(t, len(server.sent()), 2)
	for _, sent := range server.sent() {
		equal(t, fmt.Sprint(len(sent.Body)), sent.Header.Get("X-Length"))
	}
}

func TestMiddlewareMaySendRequestsAtTheSameTime(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL, supportchat.WithMiddleware(
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			responses := make(chan *http.Response)
			for range 2 {
				hedged := request.Clone(request.Context())
				go func() {
					response, _ := next(hedged)
					responses <- response
				}()
			}
			first, second := <-responses, <-responses
			_ = second.Body.Close()
			return first, nil
		}))
	if err := post(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	equal(t, len(server.sent()), 2)
}

func TestOutcomeCountsEveryRequestOfAMiddleware(t *testing.T) {
	outcomeOf := func(opts ...supportchat.Option) supportchat.Outcome {
		client, _ := newClient(t, newServer(t, dropped).URL, opts...)
		return connectionError(t, post(t.Context(), client)).Outcome
	}
	hold := func(request *http.Request, _ supportchat.Next) (*http.Response, error) {
		<-request.Context().Done()
		return nil, request.Context().Err()
	}
	equal(t, outcomeOf(supportchat.WithMiddleware(hold), supportchat.WithTimeout(10*time.Millisecond)),
		supportchat.OutcomeNotSent)
	elsewhere := strings.TrimPrefix(closedPort(t), "http://")
	again := func(request *http.Request, next supportchat.Next) (*http.Response, error) {
		if _, err := next(request); err == nil {
			t.Error("no error")
		}
		request.URL.Host = elsewhere
		return next(request)
	}
	equal(t, outcomeOf(supportchat.WithMiddleware(again)), supportchat.OutcomeUnknown)
	leave := func(request *http.Request, next supportchat.Next) (*http.Response, error) {
		go func() { _, _ = next(request) }()
		<-request.Context().Done()
		return nil, request.Context().Err()
	}
	stuck := roundTripper(func(request *http.Request) (*http.Response, error) {
		<-request.Context().Done()
		time.Sleep(10 * time.Millisecond)
		return nil, request.Context().Err()
	})
	equal(t, outcomeOf(supportchat.WithMiddleware(leave), supportchat.WithTimeout(10*time.Millisecond),
		supportchat.WithHTTPClient(&http.Client{Transport: stuck})), supportchat.OutcomeUnknown)
}

func TestOuterMiddlewareNeverSeesNeitherResponseNorError(t *testing.T) {
	client, _ := newClient(t, newServer(t, ok(`{}`)).URL, supportchat.WithMiddleware(
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			response, err := next(request)
			if response == nil && err == nil {
				t.Error("neither a response nor an error")
			}
			return response, err
		},
		func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			if response, err := next(request); err == nil {
				_ = response.Body.Close()
			}
			return nil, nil
		}))
	var base *supportchat.Error
	if err := post(t.Context(), client); !errors.As(err, &base) {
		t.Fatalf("got %v", err)
	}
	equal(t, base.Outcome, supportchat.OutcomeUnknown)
}
