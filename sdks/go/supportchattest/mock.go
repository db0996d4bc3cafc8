package supportchattest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// mockCall is how long a call of the control may take that waits for no receiver.
var mockCall = time.Minute

// A MockServer is a mock server with a sandbox of its own, which starts seeded. Its methods fail the
// test where the server refuses or does not answer; like [testing.T.FailNow], they are for the
// goroutine of the test.
type MockServer struct {
	// URL is the base URL for clients, and for /_mock, which controls the server.
	URL string
	// APIKey is the key of the sandbox.
	APIKey string

	t testing.TB
}

// A MockEndpoint is where a mock server sends events, signed with the secret.
type MockEndpoint struct{ ID, URL, Secret string }

// A MockDelivery is an event on its way to an endpoint, or there.
type MockDelivery struct {
	ID         string `json:"id"`
	EventID    string `json:"event_id"`
	Kind       string `json:"kind"`
	EndpointID string `json:"endpoint_id"`
	// State is pending, succeeded or dead.
	State    string        `json:"state"`
	Attempts []MockAttempt `json:"attempts"`
}

// A MockAttempt is one of a delivery.
type MockAttempt struct {
	At time.Time `json:"at"`
	// Status is that of the answer, and 0 where there was none.
	Status int `json:"status"`
	// Reason says why the attempt did not succeed.
	Reason string `json:"reason"`
	// Headers and Body are those of the answer.
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// StartMockServer starts a mock server that keeps its data in memory and stops with the test. The
// environment variable …_MOCK holds what a POSIX shell starts it with, to which
// "--port 0 --memory --stop-with-stdin" is added, or the URL of one that runs; without it, what npm
// installed is started. A command has to hand on its standard input, which ends with the test's process.
//
//	func TestReceiver(t *testing.T) {
//		mock := supportchattest.StartMockServer(t)
//		endpoint := mock.AddEndpoint(receiver.URL, "")
//		mock.Trigger("some.kind", nil)
//		mock.Advance("PT24H")
//	}
func StartMockServer(t testing.TB) *MockServer {
	t.Helper()
	m := &MockServer{APIKey: "sk_test_" + rand.Text(), t: t}
	command := cmp.Or(os.Getenv(envMock), startMock)
	if strings.HasPrefix(command, "http://") {
		m.URL = strings.TrimSuffix(command, "/")
		t.Cleanup(m.Reset)
		return m
	}
	address, err := startProcess(t, command)
	if err != nil {
		t.Fatalf("supportchattest: the mock server did not start: %v\nInstall it, or set %s to the command that starts it or to the URL of one that runs.", err, envMock)
	}
	m.URL = address
	return m
}

// Reset forgets everything that happened, endpoints included, and sets the clock right.
func (m *MockServer) Reset() {
	m.t.Helper()
	m.call(http.MethodPost, "reset", map[string]any{}, nil, mockCall)
}

// Advance lets time pass, such as "PT24H", and returns the new time once every attempt that became
// due has ended, later ones included, however long the receivers take.
func (m *MockServer) Advance(duration string) time.Time {
	m.t.Helper()
	var answer struct {
		Now time.Time `json:"now"`
	}
	m.call(http.MethodPost, "clock", map[string]any{"advance": duration}, &answer, 0)
	return answer.Now
}

// AddEndpoint sends events to a URL: those of the kinds, or all. Without a secret one is made up.
func (m *MockServer) AddEndpoint(address, secret string, kinds ...string) MockEndpoint {
	m.t.Helper()
	body := map[string]any{"url": address, "events": kinds}
	if secret != "" {
		body["secret"] = secret
	}
	var endpoint MockEndpoint
	m.call(http.MethodPost, "endpoints", body, &endpoint, mockCall)
	return endpoint
}

// Trigger sends an event for nothing that happened, with the data, which may be nil, merged into its
// own, and returns the event as JSON.
func (m *MockServer) Trigger(kind string, data map[string]any) json.RawMessage {
	m.t.Helper()
	body := map[string]any{"kind": kind}
	if data != nil {
		body["data"] = data
	}
	var event json.RawMessage
	m.call(http.MethodPost, "trigger", body, &event, mockCall)
	return event
}

// Deliveries returns what was sent, the newest first, once nothing that is due waits.
func (m *MockServer) Deliveries() []MockDelivery {
	m.t.Helper()
	m.Advance("PT0S")
	var answer struct {
		Data []MockDelivery `json:"data"`
	}
	m.call(http.MethodGet, "deliveries", nil, &answer, mockCall)
	return answer.Data
}

// Replay sends a delivery again that succeeded or is dead, and returns once its attempt has ended,
// however long the receiver takes.
func (m *MockServer) Replay(id string) {
	m.t.Helper()
	m.call(http.MethodPost, "deliveries/"+url.PathEscape(id)+"/replay", map[string]any{}, nil, 0)
	m.Advance("PT0S")
}

// call waits for the answer as long as it may take, with 0 for ever.
func (m *MockServer) call(method, path string, body map[string]any, answer any, within time.Duration) {
	m.t.Helper()
	if err := m.send(method, m.URL+"/_mock/"+path, body, answer, within); err != nil {
		m.t.Fatalf("supportchattest: %v", err)
	}
}

func (m *MockServer) send(method, address string, body map[string]any, answer any, within time.Duration) error {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(encoded(body))
	}
	request, err := http.NewRequest(method, address, content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+m.APIKey)
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: within}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s is answered %d: %s", method, request.URL.Path, response.StatusCode, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
