package supportchattest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// A MockFault says which requests to the API fail, and how. Zero values are left out.
type MockFault struct {
	// Method is a method, or empty for all.
	Method string `json:"method,omitempty"`
	// Path is a path, a template such as /v1/things/{id}, or the start of paths and "*".
	Path string `json:"path,omitempty"`
	// Status is the status of the response.
	Status int `json:"status,omitempty"`
	// RetryAfter is the Retry-After of the response, in seconds.
	RetryAfter int `json:"retry_after,omitempty"`
	// Times is how many matching requests count.
	Times int `json:"times,omitempty"`
	// Rate is the share that fails. 0 is all of them.
	Rate float64 `json:"rate,omitempty"`
	// Delay is how long the response waits, in whole milliseconds.
	Delay time.Duration `json:"-"`
	// Reset breaks the connection. Truncate does so within the response, after everything is done.
	Reset    bool `json:"reset,omitempty"`
	Truncate bool `json:"truncate,omitempty"`
}

// A MockFaultRule is a fault that was added.
type MockFaultRule struct {
	ID string `json:"id"`
	// Left is how many requests the rule still counts, or nil for all.
	Left *int `json:"left"`
	// Failed is how many requests it has made fail.
	Failed int `json:"failed"`
}

// A MockRequest is a request to the API. Its secrets are left out.
type MockRequest struct {
	ID       string            `json:"id"`
	Method   string            `json:"method"`
	Path     string            `json:"path"`
	Query    string            `json:"query"`
	Headers  map[string]string `json:"headers"`
	Body     string            `json:"body"`
	Response MockResponse      `json:"response"`
	// Reason says why the request was refused.
	Reason string `json:"reason"`
}

// A MockResponse is the response to a request. Its status is 0 if the connection was reset.
type MockResponse struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// A MockSnapshot is a state of the sandbox that was kept.
type MockSnapshot struct {
	Name string `json:"name"`
	// At is when it was kept, in real time.
	At time.Time `json:"at"`
}

// Fail lets matching requests to the API fail.
func (m *MockServer) Fail(fault MockFault) MockFaultRule {
	m.t.Helper()
	body := map[string]any{}
	for name, value := range map[string]any{
		"method": fault.Method, "path": fault.Path, "status": fault.Status, "retry_after": fault.RetryAfter,
		"times": fault.Times, "rate": fault.Rate, "reset": fault.Reset, "truncate": fault.Truncate,
	} {
		if value != "" && value != 0 && value != 0.0 && value != false {
			body[name] = value
		}
	}
	if fault.Delay > 0 {
		body["delay"] = fmt.Sprintf("%dms", fault.Delay.Milliseconds())
	}
	var rule MockFaultRule
	m.call(http.MethodPost, "faults", body, &rule, mockCall)
	return rule
}

// Faults returns the rules that [MockServer.Fail] added.
func (m *MockServer) Faults() []MockFaultRule {
	m.t.Helper()
	var result struct {
		Data []MockFaultRule `json:"data"`
	}
	m.call(http.MethodGet, "faults", nil, &result, mockCall)
	return result.Data
}

// ClearFaults removes all rules.
func (m *MockServer) ClearFaults() {
	m.t.Helper()
	m.call(http.MethodDelete, "faults", nil, nil, mockCall)
}

// Requests returns the latest requests to the API, newest first.
func (m *MockServer) Requests() []MockRequest {
	m.t.Helper()
	var result struct {
		Data []MockRequest `json:"data"`
	}
	m.call(http.MethodGet, "requests", nil, &result, mockCall)
	return result.Data
}

// Events returns the latest events as JSON, newest first.
func (m *MockServer) Events() []json.RawMessage {
	m.t.Helper()
	var result struct {
		Data []json.RawMessage `json:"data"`
	}
	m.call(http.MethodGet, "events", nil, &result, mockCall)
	return result.Data
}

// CreateConversation creates a conversation as a visitor, with a first message unless the text is empty. It
// returns the ID.
func (m *MockServer) CreateConversation(text string) string {
	m.t.Helper()
	body := map[string]any{}
	if text != "" {
		body["text"] = text
	}
	var created struct {
		ID string `json:"id"`
	}
	m.call(http.MethodPost, "conversations", body, &created, mockCall)
	return created.ID
}

// Say adds a message of the visitor to a conversation.
func (m *MockServer) Say(conversation, text string) {
	m.t.Helper()
	m.post("conversations", conversation, "messages", map[string]any{"text": text})
}

// SayAsAgent adds a message of an agent to a conversation.
func (m *MockServer) SayAsAgent(conversation, text string) {
	m.t.Helper()
	m.post("conversations", conversation, "messages", map[string]any{"author": "agent", "text": text})
}

// Handoff hands a conversation off to a human.
func (m *MockServer) Handoff(conversation, reason string) {
	m.t.Helper()
	m.post("conversations", conversation, "handoff", map[string]any{"reason": reason})
}

// Resolve resolves a conversation.
func (m *MockServer) Resolve(conversation string) {
	m.t.Helper()
	m.post("conversations", conversation, "resolve", map[string]any{})
}

// CSAT rates a resolved conversation, as its visitor. The comment may be empty.
func (m *MockServer) CSAT(conversation string, rating int, comment string) {
	m.t.Helper()
	body := map[string]any{"rating": rating}
	if comment != "" {
		body["comment"] = comment
	}
	m.post("conversations", conversation, "csat", body)
}

// TriggerCopies sends a sample event as [MockServer.Trigger] does, several times to each endpoint.
func (m *MockServer) TriggerCopies(kind string, copies int) {
	m.t.Helper()
	m.call(http.MethodPost, "trigger", map[string]any{"kind": kind, "copies": copies}, nil, mockCall)
}

// Rotate gives an endpoint a new secret, and returns it.
func (m *MockServer) Rotate(endpoint string) string {
	m.t.Helper()
	var rotated MockEndpoint
	m.call(http.MethodPost, "endpoints/"+url.PathEscape(endpoint)+"/rotate", map[string]any{}, &rotated, mockCall)
	return rotated.Secret
}

// Disable sends no more events to an endpoint. Its pending deliveries wait.
func (m *MockServer) Disable(endpoint string) {
	m.t.Helper()
	m.post("endpoints", endpoint, "disable", map[string]any{})
}

// Enable sends events to an endpoint again.
func (m *MockServer) Enable(endpoint string) {
	m.t.Helper()
	m.post("endpoints", endpoint, "enable", map[string]any{})
}

// Snapshot keeps the sandbox under a name, with its clock, endpoints and deliveries.
func (m *MockServer) Snapshot(name string) {
	m.t.Helper()
	m.call(http.MethodPost, "snapshots", map[string]any{"name": name}, nil, mockCall)
}

// Snapshots returns the snapshots, oldest first.
func (m *MockServer) Snapshots() []MockSnapshot {
	m.t.Helper()
	var result struct {
		Data []MockSnapshot `json:"data"`
	}
	m.call(http.MethodGet, "snapshots", nil, &result, mockCall)
	return result.Data
}

// RemoveSnapshot removes a snapshot. The sandbox stays as it is.
func (m *MockServer) RemoveSnapshot(name string) {
	m.t.Helper()
	m.call(http.MethodDelete, "snapshots/"+url.PathEscape(name), nil, nil, mockCall)
}

// Restore brings the sandbox back to a snapshot.
func (m *MockServer) Restore(name string) {
	m.t.Helper()
	m.post("snapshots", name, "restore", map[string]any{})
}

// Pause holds all deliveries back. Events still happen.
func (m *MockServer) Pause() {
	m.t.Helper()
	m.call(http.MethodPost, "deliveries/pause", map[string]any{}, nil, mockCall)
}

// Resume sends what waited, all at once.
func (m *MockServer) Resume() {
	m.t.Helper()
	m.call(http.MethodPost, "deliveries/resume", map[string]any{}, nil, mockCall)
}

// ResumeInOrder sends what waited one by one: in the order "original", "reverse" or "shuffled".
func (m *MockServer) ResumeInOrder(order string) {
	m.t.Helper()
	m.call(http.MethodPost, "deliveries/resume", map[string]any{"order": order}, nil, 0)
}

// Cancel makes a pending delivery dead.
func (m *MockServer) Cancel(delivery string) {
	m.t.Helper()
	m.post("deliveries", delivery, "cancel", map[string]any{})
}

// RetryNow makes the next attempt of a pending delivery, and waits until it has finished.
func (m *MockServer) RetryNow(delivery string) {
	m.t.Helper()
	m.post("deliveries", delivery, "retry", map[string]any{})
	m.Advance("PT0S")
}

func (m *MockServer) post(collection, id, step string, body map[string]any) {
	m.t.Helper()
	m.call(http.MethodPost, collection+"/"+url.PathEscape(id)+"/"+step, body, nil, mockCall)
}
