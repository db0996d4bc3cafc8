package supportchat_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// quiet takes what a server would log about connections that are meant to fail.
var quiet = log.New(io.Discard, "", 0)

const apiKey = "sk_test_0123456789abcdef"

// A request as it came over the wire.
type request struct {
	Method, URL, Body, From string
	Header                  http.Header
}

// wire is all of a request but for where it came from.
func (r request) wire() string { return fmt.Sprint(r.Method, r.URL, r.Body, r.Header) }

// A server answers with what it is given, the last answer again and again, and keeps the requests.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	answers  []answer
}

type answer struct {
	status  int
	headers map[string]string
	body    string
}

// dropped is an attempt whose connection is broken without an answer.
var dropped = answer{status: -1}

func newServer(t *testing.T, answers ...answer) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = quiet
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, request{r.Method, r.RequestURI, string(body), r.RemoteAddr, r.Header})
	next := s.answers[min(len(s.requests), len(s.answers))-1]
	s.mu.Unlock()
	if next.status < 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Date", "")
	for name, value := range next.headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

func (s *server) sent() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.requests...)
}

func ok(body string) answer { return answer{status: 200, body: body} }

func problem(status int, headers ...string) answer {
	made := answer{status: status, headers: map[string]string{
		"Content-Type": "application/problem+json", "X-Request-Id": "req_1",
	}}
	made.body = fmt.Sprintf(`{"title":"Title","status":%d,"code":"some_code","detail":"What is wrong."}`, status)
	for i := 0; i < len(headers); i += 2 {
		made.headers[headers[i]] = headers[i+1]
	}
	return made
}

// newClient returns a client of a server, whose sleeps are captured.
func newClient(t *testing.T, url string, opts ...supportchat.ClientOption) (*supportchat.Client, *supportchat.TestClock) {
	t.Helper()
	clock := &supportchat.TestClock{Random: 1}
	client, err := supportchat.NewClient(append([]supportchat.ClientOption{
		supportchat.WithAPIKey(apiKey),
		supportchat.WithBaseURL(url),
		supportchat.WithHTTPClient(freshHTTPClient(t)),
		supportchat.WithTestClock(clock),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client, clock
}

// freshHTTPClient shares no connections with other tests.
func freshHTTPClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// singleUse keeps no connection: over a kept one that breaks, http.Transport sends a GET again by
// itself, which nobody sees.
func singleUse() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
}

// listen serves raw connections; each of them is handed over with its number, from 1, once the head
// of a request was read.
func listen(t *testing.T, serve func(conn net.Conn, number int)) (url string, count func() int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	number := 0
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				readHead(conn)
				mu.Lock()
				number++
				mine := number
				mu.Unlock()
				serve(conn, mine)
			}()
		}
	}()
	return "http://" + listener.Addr().String(), func() int {
		mu.Lock()
		defer mu.Unlock()
		return number
	}
}

func readHead(conn net.Conn) {
	var head strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(head.String(), "\r\n\r\n") {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		head.Write(buffer[:n])
	}
}

func head(length int, status string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", status, length)
}

// sameJSON reports whether two documents mean the same.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	return normal(t, a) == normal(t, b)
}

func normal(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	made, _ := json.Marshal(value)
	return string(made)
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
