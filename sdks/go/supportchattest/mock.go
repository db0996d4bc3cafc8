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

// mockCall is the timeout of a control call that does not wait for receivers.
var mockCall = time.Minute

// A MockServer is a mock server with its own seeded sandbox. Its methods fail the test if the server refuses
// a request or does not respond. Like [testing.T.FailNow], they must run in the goroutine of the test.
type MockServer struct {
	// URL is the base URL for clients, and for the control API under /_mock.
	URL string
	// APIKey is the key of the sandbox.
	APIKey string

	t testing.TB
}

// A MockEndpoint is a registered URL that receives events, signed with the secret.
type MockEndpoint struct{ ID, URL, Secret string }

// A MockDelivery is the delivery of an event to one endpoint.
type MockDelivery struct {
	ID         string `json:"id"`
	EventID    string `json:"event_id"`
	Kind       string `json:"kind"`
	EndpointID string `json:"endpoint_id"`
	// State is pending, succeeded or dead.
	State string `json:"state"`
	// Reason says why it is dead: "cancelled", or the reason of its last attempt.
	Reason   string        `json:"reason"`
	Attempts []MockAttempt `json:"attempts"`
}

// A MockAttempt is one attempt of a delivery.
type MockAttempt struct {
	At time.Time `json:"at"`
	// Status is the status of the response, or 0 if there was none.
	Status int `json:"status"`
	// Reason says why the attempt failed.
	Reason string `json:"reason"`
	// Headers and Body are those of the response.
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// StartMockServer starts a mock server that keeps its data in memory and stops with the test. The
// environment variable …_MOCK holds a command for a POSIX shell, to which StartMockServer appends
// "--port 0 --memory --stop-with-stdin", or the URL of a running server. Without it, StartMockServer runs
// the server that npm installed. A command must pass on its standard input, which ends with the process of
// the test.
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
		t.Fatalf("supportchattest: the mock server did not start: %v\nInstall it with %q, or set %s to the command that starts it or to the URL of a running server.", err, installMock, envMock)
	}
	m.URL = address
	return m
}

// Reset restores the seeded state without endpoints, and resets the clock.
func (m *MockServer) Reset() {
	m.t.Helper()
	m.call(http.MethodPost, "reset", map[string]any{}, nil, mockCall)
}

// Advance advances the clock by an ISO 8601 duration such as "PT24H". It waits until every attempt that
// became due has finished, and returns the new time.
func (m *MockServer) Advance(duration string) time.Time {
	m.t.Helper()
	var result struct {
		Now time.Time `json:"now"`
	}
	m.call(http.MethodPost, "clock", map[string]any{"advance": duration}, &result, 0)
	return result.Now
}

// AddEndpoint registers a URL for events of the kinds, or of all kinds. Without a secret, the server
// generates one.
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

// Trigger sends a sample event with the given data merged into its own, and returns the event as JSON. The
// data may be nil. The kind "future" is an event that no contract has.
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

// Deliveries returns all deliveries, newest first. It first waits for every due attempt.
func (m *MockServer) Deliveries() []MockDelivery {
	m.t.Helper()
	m.Advance("PT0S")
	var result struct {
		Data []MockDelivery `json:"data"`
	}
	m.call(http.MethodGet, "deliveries", nil, &result, mockCall)
	return result.Data
}

// Replay restarts a delivery that succeeded or is dead, and waits until its attempt has finished.
func (m *MockServer) Replay(id string) {
	m.t.Helper()
	m.call(http.MethodPost, "deliveries/"+url.PathEscape(id)+"/replay", map[string]any{}, nil, 0)
	m.Advance("PT0S")
}

// call calls the control API. A timeout of 0 means none.
func (m *MockServer) call(method, path string, body map[string]any, result any, within time.Duration) {
	m.t.Helper()
	if err := m.send(method, m.URL+"/_mock/"+path, body, result, within); err != nil {
		m.t.Fatalf("supportchattest: %v", err)
	}
}

func (m *MockServer) send(method, address string, body map[string]any, result any, within time.Duration) error {
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
		return fmt.Errorf("%s %s returned %d: %s", method, request.URL.Path, response.StatusCode, text)
	}
	if result == nil || len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, result)
}
