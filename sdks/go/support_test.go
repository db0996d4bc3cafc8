package supportchat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// quiet discards the log of servers whose connections fail on purpose.
var quiet = log.New(io.Discard, "", 0)

const apiKey = "sk_test_0123456789abcdef"

// A request as the server received it.
type request struct {
	Method, URL, Body, From string
	Header                  http.Header
}

// A server returns the given responses, the last one repeatedly, and records the requests.
type server struct {
	*httptest.Server
	mu        sync.Mutex
	requests  []request
	responses []response
}

type response struct {
	status  int
	headers map[string]string
	body    string
}

// dropped breaks the connection without a response.
var dropped = response{status: -1}

func newServer(t *testing.T, responses ...response) *server {
	t.Helper()
	s := &server{responses: responses}
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
	next := s.responses[min(len(s.requests), len(s.responses))-1]
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

// repositoryFile reads a file beside the module. A test of the module alone cannot run without it.
func repositoryFile(t testing.TB, path string) []byte {
	t.Helper()
	if _, err := os.Stat("../behavior.yaml"); err != nil {
		t.Skipf("Only the repository has %s. This is the module alone.", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// wholeConversation has every field that the contract requires.
const wholeConversation = `{"id":"conv_1","status":"open","created_at":"2026-03-02T09:21:48Z",` +
	`"updated_at":"2026-03-02T09:21:48Z","transcript":[],"handoff":null}`

func ok(body string) response { return response{status: 200, body: body} }

func problem(status int, headers ...string) response {
	made := response{status: status, headers: map[string]string{
		"Content-Type": "application/problem+json", "X-Request-Id": "req_1",
	}}
	made.body = fmt.Sprintf(`{"title":"Title","status":%d,"code":"some_code","detail":"What is wrong."}`, status)
	for i := 0; i < len(headers); i += 2 {
		made.headers[headers[i]] = headers[i+1]
	}
	return made
}

// newClient returns a client whose clock records its sleeps.
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

// freshHTTPClient returns a client that shares no connections with other tests.
func freshHTTPClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// singleUse returns a client without keep-alive. Over a broken keep-alive connection, http.Transport
// would retry a GET by itself.
func singleUse() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
}

// listen serves raw connections. It passes each to serve with its number, from 1, after reading the
// head of a request.
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

// sameJSON reports whether two JSON documents are equal.
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

func equalSlices[T comparable](t *testing.T, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func post(ctx context.Context, client *supportchat.Client) error {
	_, err := client.Conversations.Messages.Create(ctx, "conv_1", supportchat.MessageCreateParams{Text: "Hi"})
	return err
}

// The default logger would print the warnings of every failure that a test provokes.
func init() { slog.SetDefault(slog.New(slog.DiscardHandler)) }
