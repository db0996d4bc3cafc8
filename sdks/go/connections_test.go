package supportchat_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func connectionError(t *testing.T, err error) *supportchat.APIConnectionError {
	t.Helper()
	var failure *supportchat.APIConnectionError
	if !errors.As(err, &failure) {
		t.Fatalf("got %v", err)
	}
	return failure
}

func closedPort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String()
}

func TestRefusedConnectionKeepsItsCause(t *testing.T) {
	client, _ := newClient(t, closedPort(t))
	err := post(t.Context(), client)
	equal(t, connectionError(t, err).Outcome, supportchat.OutcomeNotSent)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestTimeoutIsNotTheContextsOwnError(t *testing.T) {
	url, _ := listen(t, func(net.Conn, int) {})
	client, _ := newClient(t, url, supportchat.WithTimeout(30*time.Millisecond))
	err := post(t.Context(), client)
	var timeout *supportchat.APITimeoutError
	if !errors.As(err, &timeout) || !timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestUntrustedConnectionSendsNothing(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := newServer(t, ok(`{}`))
	cut, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cut.Close() })
	go func() {
		for conn, err := cut.Accept(); err == nil; conn, err = cut.Accept() {
			_ = conn.Close()
		}
	}()
	for name, url := range map[string]string{
		"no address":           "http://no-such-host.invalid",
		"no trust":             secure.URL,
		"no TLS":               strings.Replace(plain.URL, "http:", "https:", 1),
		"cut in the handshake": "https://" + cut.Addr().String(),
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := newClient(t, url, supportchat.WithMaxRetries(0))
			equal(t, connectionError(t, post(t.Context(), client)).Outcome, supportchat.OutcomeNotSent)
		})
	}
	equal(t, len(plain.sent()), 0)
}

func TestErrorOfAnyTransportShowsWhetherTheRequestWasSent(t *testing.T) {
	for err, want := range map[error]supportchat.Outcome{
		&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}:  supportchat.OutcomeNotSent,
		&net.DNSError{Err: "no such host", IsNotFound: true}: supportchat.OutcomeNotSent,
		&net.OpError{Op: "read", Err: syscall.ECONNRESET}:    supportchat.OutcomeUnknown,
		&net.DNSError{Err: "timeout", IsTimeout: true}:       supportchat.OutcomeNotSent,
		errors.New("broken"):                                 supportchat.OutcomeUnknown,
	} {
		transport := roundTripper(func(*http.Request) (*http.Response, error) { return nil, err })
		client, _ := newClient(t, "http://api.test", supportchat.WithMaxRetries(0),
			supportchat.WithHTTPClient(&http.Client{Transport: transport}))
		equal(t, connectionError(t, post(t.Context(), client)).Outcome, want)
	}
}

func TestTimeoutOfTheHTTPClientIsATimeout(t *testing.T) {
	url, _ := listen(t, func(net.Conn, int) {})
	client, _ := newClient(t, url, supportchat.WithMaxRetries(0),
		supportchat.WithHTTPClient(&http.Client{Timeout: 30 * time.Millisecond}))
	var timeout *supportchat.APITimeoutError
	if err := post(t.Context(), client); !errors.As(err, &timeout) {
		t.Fatalf("got %v", err)
	}
	equal(t, timeout.Outcome, supportchat.OutcomeUnknown)
}

// http.Transport would retry these by itself, because they have an Idempotency-Key and no body.
func TestTransportDoesNotRetryByItself(t *testing.T) {
	var count atomic.Int32
	url := listenForRequests(t, func(conn net.Conn, request *http.Request) bool {
		if request.Method == "GET" {
			_, _ = io.WriteString(conn, head(2, "200 OK")+"{}")
			return true
		}
		count.Add(1)
		return false
	})
	client, _ := newClient(t, url)
	supportchat.SetOperation(t, "POST /v1/things", supportchat.Operation{IdempotencyHeader: "Idempotency-Key"})
	for _, call := range []func() error{
		func() error {
			return client.Do(t.Context(), "POST", "/v1/things", supportchat.DoParams{}, nil)
		},
		func() error {
			return client.Do(t.Context(), "DELETE", "/v1/x", supportchat.DoParams{}, nil, supportchat.WithIdempotencyKey("k"))
		},
	} {
		count.Store(0)
		if _, err := client.Conversations.Get(t.Context(), "c1"); err != nil {
			t.Fatal(err)
		}
		equal(t, connectionError(t, call()).Outcome, supportchat.OutcomeUnknown)
		equal(t, count.Load(), 1)
	}
}

// deaf returns a client whose connections are never made.
func deaf() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}}
}

func TestTimeoutWhileConnectingSendsNothing(t *testing.T) {
	for name, option := range map[string]supportchat.Option{
		"no complete response within 20ms": supportchat.WithTimeout(20 * time.Millisecond),
		"no connection within 20ms":        supportchat.WithConnectTimeout(20 * time.Millisecond),
	} {
		client, clock := newClient(t, "http://api.test", supportchat.WithHTTPClient(deaf()), option)
		err := post(t.Context(), client)
		var timeout *supportchat.APITimeoutError
		if !errors.As(err, &timeout) || !strings.Contains(timeout.Message, name) {
			t.Fatalf("got %v", err)
		}
		equal(t, timeout.Outcome, supportchat.OutcomeNotSent)
		equal(t, len(clock.Sleeps), 2)
	}
}

func TestConnectTimeoutDoesNotLimitTheResponse(t *testing.T) {
	url, _ := listen(t, func(conn net.Conn, _ int) {
		time.Sleep(60 * time.Millisecond)
		_, _ = io.WriteString(conn, head(2, "200 OK")+"{}")
	})
	client, _ := newClient(t, url, supportchat.WithMaxRetries(0))
	if _, err := client.Conversations.Get(t.Context(), "c1", supportchat.WithConnectTimeout(30*time.Millisecond)); err != nil {
		t.Error(err)
	}
}

func TestConnectTimeoutCoversConnectingOnly(t *testing.T) {
	const limit = 30 * time.Millisecond
	wait := func() { time.Sleep(3 * limit) }
	fallback := func(request *http.Request, next supportchat.Next) (*http.Response, error) {
		wait()
		if response, err := next(request); err == nil {
			return response, nil
		}
		wait()
		if err := request.Context().Err(); err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: 204, Header: http.Header{}, Body: http.NoBody}, nil
	}
	for _, url := range []string{newServer(t, ok(`{}`)).URL, closedPort(t)} {
		client, _ := newClient(t, url, supportchat.WithMaxRetries(0),
			supportchat.WithConnectTimeout(limit), supportchat.WithMiddleware(fallback))
		if _, err := client.Conversations.Get(t.Context(), "c1"); err != nil {
			t.Error(err)
		}
	}
}

func TestConnectTimeoutCoversEachRequestOfAnAttempt(t *testing.T) {
	server := newServer(t, ok(`{}`))
	var dialer net.Dialer
	var count atomic.Int32
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if count.Add(1) > 1 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return dialer.DialContext(ctx, network, address)
	}}
	client, _ := newClient(t, server.URL, supportchat.WithMaxRetries(0), supportchat.WithTimeout(time.Minute),
		supportchat.WithConnectTimeout(30*time.Millisecond), supportchat.WithHTTPClient(&http.Client{Transport: transport}),
		supportchat.WithMiddleware(func(request *http.Request, next supportchat.Next) (*http.Response, error) {
			if response, err := next(request); err == nil {
				_ = response.Body.Close()
			}
			return next(request)
		}))
	_, err := client.Conversations.Get(t.Context(), "c1")
	var late *supportchat.APITimeoutError
	if !errors.As(err, &late) || !strings.Contains(late.Message, "no connection within") {
		t.Fatalf("got %v", err)
	}
	equal(t, late.Outcome, supportchat.OutcomeUnknown)
}

func TestZeroTimeoutIsNone(t *testing.T) {
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		if _, limited := request.Context().Deadline(); limited {
			t.Error("the attempt has a deadline")
		}
		return nil, errors.New("broken")
	})
	client, _ := newClient(t, "http://api.test", supportchat.WithTimeout(0),
		supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	_, _ = client.Conversations.Get(t.Context(), "c1")
	if _, err := client.Conversations.Get(t.Context(), "c1", supportchat.WithTimeout(-1)); err == nil {
		t.Error("a negative timeout is accepted")
	}
}

func TestEveryAttemptHasTheFullTimeout(t *testing.T) {
	var left []time.Duration
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		deadline, _ := request.Context().Deadline()
		left = append(left, time.Until(deadline))
		return nil, errors.New("broken")
	})
	client, _ := newClient(t, "http://api.test", supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	_, _ = client.Conversations.Get(t.Context(), "c1")
	_, _ = client.Conversations.Get(t.Context(), "c1", supportchat.WithTimeout(time.Hour), supportchat.WithMaxRetries(0))
	const second = time.Second
	for i, want := range []time.Duration{30 * second, 30 * second, 30 * second, 3600 * second} {
		if left[i] > want || left[i] < want-10*second {
			t.Errorf("attempt %d has %v", i, left[i])
		}
	}
}

func TestHTTPClientIsNotModified(t *testing.T) {
	server := newServer(t, response{302, map[string]string{"Location": "/next"}, ""}, ok(`{}`))
	own := freshHTTPClient(t)
	transport := own.Transport
	client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(own))
	_, err := client.Conversations.Get(t.Context(), "c1")
	var redirect *supportchat.APIError
	if !errors.As(err, &redirect) || redirect.Headers.Get("Location") != "/next" {
		t.Errorf("got %v", err)
	}
	if own.Transport != transport || own.CheckRedirect != nil {
		t.Error("the client was modified")
	}
	equal(t, len(server.sent()), 1)
	if response, err := own.Get(server.URL); err != nil || response.StatusCode != 200 {
		t.Errorf("got %v, %v", response, err)
	}
}

func TestConnectionIsReused(t *testing.T) {
	server := newServer(t, problem(404), response{204, nil, ""}, problem(503), ok(`{}`))
	client, _ := newClient(t, server.URL)
	for range 4 {
		_, _ = client.Conversations.Get(t.Context(), "c1")
	}
	for _, sent := range server.sent() {
		equal(t, sent.From, server.sent()[0].From)
	}
	equal(t, len(server.sent()), 5)
}

func TestClientSpeaksHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"id":%q}`, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet
	server.StartTLS()
	t.Cleanup(server.Close)
	client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(server.Client()))
	message, err := client.Conversations.Messages.Create(t.Context(), "conv_1", supportchat.MessageCreateParams{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, message.ID, "HTTP/2.0")

	untrusting, _ := newClient(t, server.URL, supportchat.WithHTTPClient(&http.Client{
		Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{}},
	}))
	equal(t, connectionError(t, post(t.Context(), untrusting)).Outcome, supportchat.OutcomeNotSent)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// listenForRequests serves parsed requests; a connection ends when serve says so.
func listenForRequests(t *testing.T, serve func(net.Conn, *http.Request) bool) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				reader := bufio.NewReader(conn)
				for {
					request, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, request.Body)
					if !serve(conn, request) {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}
