package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestReadBodyIsReportedWithItsFix(t *testing.T) {
	form := "event=conversation.handoff"
	for name, test := range map[string]struct {
		body, contentType string
		middleware        func(*http.Request)
	}{
		"whole":          {middleware: func(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }},
		"in part":        {middleware: func(r *http.Request) { _, _ = r.Body.Read(make([]byte, 1)) }},
		"decoded":        {middleware: func(r *http.Request) { _ = json.NewDecoder(r.Body).Decode(&struct{}{}) }},
		"closed":         {middleware: func(r *http.Request) { _ = r.Body.Close() }},
		"removed":        {middleware: func(r *http.Request) { r.Body = nil }},
		"replaced":       {middleware: func(r *http.Request) { r.Body = http.NoBody }},
		"form":           {form, "application/x-www-form-urlencoded", func(r *http.Request) { _ = r.ParseForm() }},
		"form in chunks": {form, "application/x-www-form-urlencoded", func(r *http.Request) { r.ContentLength = -1; _ = r.ParseForm() }},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			handler := r.handler(t)
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
				test.middleware(request)
				handler.ServeHTTP(w, request)
			}))
			request := delivery().Request(server.URL)
			if test.body != "" {
				request.Body, request.ContentLength = io.NopCloser(strings.NewReader(test.body)), int64(len(test.body))
				request.Header.Set("Content-Type", test.contentType)
			}
			equal(t, respond(t, request).StatusCode, 500)
			equalSlices(t, r.names(), "body_already_parsed")
			if hint := r.errors[0].Error(); !strings.Contains(hint, "r.Body = io.NopCloser(bytes.NewReader(body))") {
				t.Errorf("the fix is missing in %s", hint)
			}
		})
	}
}

func TestBodyRestoredByAMiddlewareIsReceived(t *testing.T) {
	r := &recorder{}
	handler := r.handler(t)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		_ = request.FormValue("_method") // looks for a form; JSON is none
		handler.ServeHTTP(w, request)
	}))
	equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 204)
	equalSlices(t, r.handled, "conversation.handoff")
}

func TestBodyWithoutALengthIsLimited(t *testing.T) {
	r := &recorder{}
	server := serve(t, r.handler(t))
	request := delivery().Request(server.URL)
	request.ContentLength = -1
	equal(t, respond(t, request).StatusCode, 204)

	endless := &counter{}
	request = delivery().Request(server.URL)
	request.Body, request.ContentLength = io.NopCloser(endless), -1
	response := respond(t, request)
	equal(t, response.StatusCode, 413)
	equal(t, response.Close, true)
	equalSlices(t, r.names(), "payload_too_large")
}

func TestBodyWithALengthBeyondTheLimitIsNotRead(t *testing.T) {
	r := &recorder{}
	unread := &counter{}
	request := httptest.NewRequest(http.MethodPost, "/", unread)
	request.ContentLength = 1<<20 + 1
	recorder := httptest.NewRecorder()
	r.handler(t).ServeHTTP(recorder, request)
	equal(t, recorder.Code, 413)
	equal(t, recorder.Header().Get("Connection"), "close")
	equal(t, unread.read, 0)
}

// A counter is an endless body that counts the bytes read.
type counter struct{ read int }

func (c *counter) Read(p []byte) (int, error) {
	c.read += len(p)
	return len(p), nil
}

func TestAbortedRequestLeavesNoEvent(t *testing.T) {
	for _, framing := range []string{"Content-Length: 300", "Transfer-Encoding: chunked"} {
		received, failed := &recorder{}, make(chan struct{})
		server := serve(t, received.handler(t, supportchat.WithOnError(func(ctx context.Context, err error) {
			received.hook(ctx, err)
			close(failed)
		})))
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(connection, "POST / HTTP/1.1\r\nHost: a.test\r\n%s\r\n\r\n12\r\n{\"event\":", framing)
		_ = connection.Close()
		<-failed
		if !errors.Is(received.errors[0], io.ErrUnexpectedEOF) {
			t.Errorf("got %v", received.errors[0])
		}
		equal(t, len(received.handled), 0)
		equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 204)
	}
}
