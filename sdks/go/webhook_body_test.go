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
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestReadBodyIsReportedWithItsFix(t *testing.T) {
	form := "event=conversation.handoff"
	for name, test := range map[string]struct {
		body, contentType string
		middleware        func(*http.Request)
	}{
		"whole":    {middleware: func(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }},
		"in part":  {middleware: func(r *http.Request) { _, _ = r.Body.Read(make([]byte, 1)) }},
		"decoded":  {middleware: func(r *http.Request) { _ = json.NewDecoder(r.Body).Decode(&struct{}{}) }},
		"closed":   {middleware: func(r *http.Request) { _ = r.Body.Close() }},
		"removed":  {middleware: func(r *http.Request) { r.Body = nil }},
		"replaced": {middleware: func(r *http.Request) { r.Body = http.NoBody }},
		"whole, without a length": {middleware: func(r *http.Request) {
			r.ContentLength = -1
			r.Header.Del("Content-Length")
			_, _ = io.Copy(io.Discard, r.Body)
		}},
		"replaced, without a length": {middleware: func(r *http.Request) {
			r.ContentLength = -1
			r.Header.Del("Content-Length")
			r.Body = http.NoBody
		}},
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

func TestConsumedBodyInChunksIsReported(t *testing.T) {
	r := &recorder{}
	handler := r.handler(t)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		handler.ServeHTTP(w, request)
	}))
	request := delivery().Request(server.URL)
	request.ContentLength = -1 // in chunks
	equal(t, respond(t, request).StatusCode, 500)
	equalSlices(t, r.names(), "body_already_parsed")
}

func TestEmptyBodyIsNoEvent(t *testing.T) {
	r := &recorder{}
	server := serve(t, r.handler(t))
	request := delivery().Request(server.URL)
	request.Header.Set("X-Service-Signature", supportchat.SignWebhook(nil, secret))
	request.Body, request.ContentLength = http.NoBody, 0
	equal(t, respond(t, request).StatusCode, 400)
	equalSlices(t, r.names(), "invalid_json")
}

// write sends text to a server and returns everything that it sends until it closes the connection.
func write(t *testing.T, server *httptest.Server, text string) string {
	t.Helper()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	if _, err := io.WriteString(connection, text); err != nil {
		t.Fatal(err)
	}
	received, err := io.ReadAll(connection)
	if err != nil {
		t.Fatal(err)
	}
	return string(received)
}

func TestSlowBodyIsNotAwaited(t *testing.T) {
	const slow = "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 300\r\n\r\n{"
	for name, server := range map[string]func(http.Handler) *httptest.Server{
		"deadline of the connection": func(handler http.Handler) *httptest.Server { return serve(t, handler) },
		"no access to the connection": func(handler http.Handler) *httptest.Server {
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
				handler.ServeHTTP(struct{ http.ResponseWriter }{w}, request)
			}))
			server.Config.ErrorLog, server.Config.ReadTimeout = quiet, time.Second
			server.Start()
			t.Cleanup(server.Close)
			return server
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			server := server(r.handler(t, supportchat.WithBodyTimeout(10*time.Millisecond)))
			received := write(t, server, slow)
			if !strings.HasPrefix(received, "HTTP/1.1 503 ") || !strings.Contains(received, "Connection: close") {
				t.Errorf("got %q", received)
			}
			equal(t, len(r.errors), 1)
			if !strings.Contains(r.errors[0].Error(), "did not arrive in time") {
				t.Errorf("got %v", r.errors[0])
			}
			equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 204)
		})
	}
}

func TestHandlerMayTakeLongerThanABody(t *testing.T) {
	r := &recorder{outcome: func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
			return nil
		}
	}}
	server := serve(t, r.handler(t, supportchat.WithBodyTimeout(20*time.Millisecond)))
	equal(t, respond(t, delivery().Request(server.URL)).StatusCode, 204)
}

func TestRequestBehindOneThatIsTooLargeGetsItsResponse(t *testing.T) {
	r := &recorder{}
	webhooks := newWebhooks(t, secret, supportchat.WithMaxBodyBytes(1000))
	server := serve(t, supportchat.WebhookHandler(webhooks, r.handle, supportchat.WithOnError(r.hook)))
	for _, framing := range []string{"Content-Length: 2000\r\n\r\n" + strings.Repeat(" ", 2000), "Transfer-Encoding: chunked\r\n\r\n7d0\r\n" + strings.Repeat(" ", 2000) + "\r\n0\r\n\r\n"} {
		received := write(t, server, "POST / HTTP/1.1\r\nHost: a.test\r\n"+framing+"POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
		if !strings.HasPrefix(received, "HTTP/1.1 413 ") || !strings.Contains(received, "HTTP/1.1 401 ") {
			t.Errorf("got %q", received)
		}
	}
}
