// Package runs_test uses the packages of the cases as their users do.
package runs_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"testing"
)

const baseURL = "http://a.test"

// A reply is a response of the service.
type reply struct {
	status int
	header map[string]string
	body   string
}

func ok(body string) reply { return reply{status: 200, body: body} }

// A request is one that the service received.
type request struct {
	method, target, body string
	header               http.Header
}

// A wire stands in for a service: it records requests and returns replies in turn.
type wire struct {
	t        *testing.T
	replies  []reply
	requests []request
}

// newWire returns a wire and the client that sends over it.
func newWire(t *testing.T, replies ...reply) (*wire, *http.Client) {
	made := &wire{t: t, replies: replies}
	return made, &http.Client{Transport: made}
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := request{method: r.Method, target: r.URL.RequestURI(), header: r.Header}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		sent.body = string(body)
	}
	w.requests = append(w.requests, sent)
	if len(w.replies) == 0 {
		w.t.Fatal("there are more requests than replies")
	}
	next := w.replies[0]
	w.replies = w.replies[1:]
	header := http.Header{}
	for name, value := range next.header {
		header.Set(name, value)
	}
	body := io.NopCloser(bytes.NewBufferString(next.body))
	return &http.Response{StatusCode: next.status, Header: header, Body: body, Request: r}, nil
}

// last returns the last request.
func (w *wire) last() request { return w.requests[len(w.requests)-1] }

// must returns what cannot fail in a test that passes.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

// read returns JSON as a T, which must write the same again.
func read[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, string(written), text)
	return value
}

// equalJSON compares without the order of members, and with every digit.
func equalJSON(t *testing.T, got, want string) {
	t.Helper()
	equal(t, parse(t, got), parse(t, want))
}

func parse(t *testing.T, text string) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewBufferString(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}
