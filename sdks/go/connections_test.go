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

func TestRefusedConnectionSentNothingAndIsRepeatedForAPost(t *testing.T) {
	client, clock := newClient(t, closedPort(t))
	err := post(t.Context(), client)
	failure := connectionError(t, err)
	equal(t, failure.Outcome, supportchat.OutcomeNotSent)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the cause is lost: %v", err)
	}
	if !strings.HasSuffix(failure.Message, "connection refused (POST /v1/conversations/conv_1/messages)") {
		t.Errorf("got %q", failure.Message)
	}
	equalSlices(t, clock.Sleeps, 500*time.Millisecond, time.Second)
}

func TestNothingIsSentWithoutAConnectionThatCanBeTrusted(t *testing.T) {
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

func TestTransportOfAnyKindCanSayThatNothingWasSent(t *testing.T) {
	for err, want := range map[error]supportchat.Outcome{
		&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}:  supportchat.OutcomeNotSent,
		&net.DNSError{Err: "no such host", IsNotFound: true}: supportchat.OutcomeNotSent,
		&net.OpError{Op: "read", Err: syscall.ECONNRESET}:    supportchat.OutcomeUnknown,
		&net.DNSError{Err: "time-out", IsTimeout: true}:      supportchat.OutcomeUnknown,
		errors.New("broken"):                                 supportchat.OutcomeUnknown,
	} {
		transport := roundTripper(func(*http.Request) (*http.Response, error) { return nil, err })
		client, _ := newClient(t, "http://api.test", supportchat.WithMaxRetries(0),
			supportchat.WithHTTPClient(&http.Client{Transport: transport}))
		equal(t, connectionError(t, post(t.Context(), client)).Outcome, want)
	}
}

func TestTimeOutOfAnotherKindIsATimeOutToo(t *testing.T) {
	url, _ := listen(t, func(net.Conn, int) {})
	client, _ := newClient(t, url, supportchat.WithMaxRetries(0),
		supportchat.WithHTTPClient(&http.Client{Timeout: 30 * time.Millisecond}))
	var timeout *supportchat.APITimeoutError
	if err := post(t.Context(), client); !errors.As(err, &timeout) {
		t.Fatalf("got %v", err)
	}
	equal(t, timeout.Outcome, supportchat.OutcomeUnknown)
}

func TestPostWhoseConnectionBreaksIsSentOnce(t *testing.T) {
	url, count := listen(t, func(conn net.Conn, _ int) { _ = conn.Close() })
	client, _ := newClient(t, url)
	equal(t, connectionError(t, post(t.Context(), client)).Outcome, supportchat.OutcomeUnknown)
	equal(t, count(), 1)
}

// The transport itself would repeat these, because they carry an Idempotency-Key.
func TestPostOverAKeptConnectionThatBreaksIsSentOnce(t *testing.T) {
	var posts atomic.Int32
	url := listenForRequests(t, func(conn net.Conn, request *http.Request) bool {
		if request.Method == "GET" {
			_, _ = io.WriteString(conn, head(2, "200 OK")+"{}")
			return true
		}
		posts.Add(1)
		return false
	})
	client, _ := newClient(t, url)
	for _, call := range []func() error{
		func() error { return post(t.Context(), client) },
		func() error {
			return client.Do(t.Context(), "POST", "/v1/knowledge/sources", supportchat.DoParams{}, nil)
		},
		func() error {
			return client.Do(t.Context(), "DELETE", "/v1/x", supportchat.DoParams{}, nil, supportchat.WithIdempotencyKey("k"))
		},
	} {
		posts.Store(0)
		if _, err := client.Analytics.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
		equal(t, connectionError(t, call()).Outcome, supportchat.OutcomeUnknown)
		equal(t, posts.Load(), 1)
	}
}

func TestGetIsRepeatedWhereverItsConnectionBreaks(t *testing.T) {
	url, count := listen(t, func(conn net.Conn, number int) {
		defer conn.Close()
		switch number {
		case 1:
			_ = conn.(*net.TCPConn).SetLinger(0)
		case 2:
			_, _ = io.WriteString(conn, head(99, "200 OK")+`{"conversation`)
		default:
			_, _ = io.WriteString(conn, head(2, "200 OK")+"{}")
		}
	})
	client, _ := newClient(t, url)
	if _, err := client.Analytics.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, count(), 3)
}

func TestSuccessThatEndsEarlyIsAConnectionError(t *testing.T) {
	for _, bytes := range []string{
		head(99, "200 OK") + `{"id":"conv_1"}`,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n",
		"HTTP/1.1 200",
		"garbage\r\n\r\n",
	} {
		url, _ := listen(t, func(conn net.Conn, _ int) {
			_, _ = io.WriteString(conn, bytes)
			_ = conn.Close()
		})
		client, _ := newClient(t, url, supportchat.WithMaxRetries(0))
		_, err := client.Conversations.Get(t.Context(), "conv_1")
		equal(t, connectionError(t, err).Outcome, supportchat.OutcomeUnknown)
		var timeout *supportchat.APITimeoutError
		if errors.As(err, &timeout) {
			t.Errorf("got a time-out for %q", bytes)
		}
	}
}

func TestFailureKeepsItsStatusWhenItsBodyEndsEarly(t *testing.T) {
	url, _ := listen(t, func(conn net.Conn, _ int) {
		_, _ = io.WriteString(conn, head(99, "404 Not Found")+`{"detail`)
		_ = conn.Close()
	})
	client, _ := newClient(t, url)
	_, err := client.Conversations.Get(t.Context(), "conv_1")
	var missing *supportchat.NotFoundError
	if !errors.As(err, &missing) {
		t.Fatalf("got %v", err)
	}
	equal(t, missing.Outcome, supportchat.OutcomeRejected)
}

func TestTimeOutCoversTheWholeAnswer(t *testing.T) {
	for name, bytes := range map[string]string{
		"no answer":              "",
		"an endless body":        head(99, "200 OK") + `{"id"`,
		"a failure without end":  head(99, "404 Not Found") + `{"id"`,
		"an unfinished header":   "HTTP/1.1 200 OK\r\nContent-",
		"a body that only drips": "drip",
	} {
		t.Run(name, func(t *testing.T) {
			url, count := listen(t, func(conn net.Conn, _ int) {
				if bytes == "drip" {
					drip(conn)
					return
				}
				_, _ = io.WriteString(conn, bytes)
			})
			client, _ := newClient(t, url, supportchat.WithTimeout(250*time.Millisecond))
			err := post(t.Context(), client)
			var timeout *supportchat.APITimeoutError
			if !errors.As(err, &timeout) || !timeout.Timeout() {
				t.Fatalf("got %v", err)
			}
			equal(t, timeout.Outcome, supportchat.OutcomeUnknown)
			equal(t, connectionError(t, err).Message,
				"no whole answer within 250ms (POST /v1/conversations/conv_1/messages)")
			if errors.Is(err, context.DeadlineExceeded) {
				t.Error("looks as if the caller's context had ended")
			}
			equal(t, count(), 1)
		})
	}
}

func TestEveryAttemptHasTheWholeTime(t *testing.T) {
	var left []time.Duration
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		deadline, _ := request.Context().Deadline()
		left = append(left, time.Until(deadline))
		return nil, errors.New("broken")
	})
	client, _ := newClient(t, "http://api.test", supportchat.WithHTTPClient(&http.Client{Transport: transport}))
	_, _ = client.Analytics.Get(t.Context())
	_, _ = client.Analytics.Get(t.Context(), supportchat.WithTimeout(time.Hour), supportchat.WithMaxRetries(0))
	const second = time.Second
	for i, want := range []time.Duration{30 * second, 30 * second, 30 * second, 3600 * second} {
		if left[i] > want || left[i] < want-10*second {
			t.Errorf("attempt %d has %v", i, left[i])
		}
	}
}

func drip(conn net.Conn) {
	_, err := io.WriteString(conn, head(10_000, "200 OK"))
	for err == nil {
		time.Sleep(5 * time.Millisecond)
		_, err = io.WriteString(conn, " ")
	}
}

func TestGetThatTimedOutIsRepeatedWithTheWholeTime(t *testing.T) {
	url, count := listen(t, func(conn net.Conn, number int) {
		if number == 3 {
			_, _ = io.WriteString(conn, head(2, "200 OK")+"{}")
		}
	})
	client, _ := newClient(t, url)
	if _, err := client.Analytics.Get(t.Context(), supportchat.WithTimeout(250*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	equal(t, count(), 3)
}

func TestContextEndsACallWithItsOwnError(t *testing.T) {
	url, count := listen(t, func(conn net.Conn, _ int) {
		_, _ = io.WriteString(conn, head(99, "200 OK")+`{"id"`)
	})
	client, _ := newClient(t, url)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Analytics.Get(ended)
	equal(t, err, context.Canceled)
	equal(t, count(), 0)

	late, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = client.Analytics.Get(late)
	equal(t, err, context.DeadlineExceeded)
	equal(t, count(), 1)
}

func TestHTTPClientIsNotChanged(t *testing.T) {
	server := newServer(t, answer{302, map[string]string{"Location": "/next"}, ""}, ok(`{}`))
	own := freshHTTPClient(t)
	transport := own.Transport
	client, _ := newClient(t, server.URL, supportchat.WithHTTPClient(own))
	_, _ = client.Analytics.Get(t.Context())
	if own.Transport != transport || own.CheckRedirect != nil {
		t.Error("the client was changed")
	}
	equal(t, len(server.sent()), 1)
	if response, err := own.Get(server.URL); err != nil || response.StatusCode != 200 {
		t.Errorf("got %v, %v", response, err)
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	server := newServer(t, problem(404), answer{204, nil, ""}, problem(503), ok(`{}`))
	client, _ := newClient(t, server.URL)
	for range 4 {
		_, _ = client.Analytics.Get(t.Context())
	}
	for _, sent := range server.sent() {
		equal(t, sent.From, server.sent()[0].From)
	}
	equal(t, len(server.sent()), 5)
}

func TestAnswersOverHTTP2AreReadLikeAnyOther(t *testing.T) {
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
