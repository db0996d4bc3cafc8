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

func TestBodyThatWasReadBeforeIsToldAtOnceWithItsCure(t *testing.T) {
	form := "event=conversation.handoff"
	for name, test := range map[string]struct {
		body, contentType string
		middleware        func(*http.Request)
	}{
		"whole":          {middleware: func(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }},
		"in part":        {middleware: func(r *http.Request) { _, _ = r.Body.Read(make([]byte, 1)) }},
		"decoded":        {middleware: func(r *http.Request) { _ = json.NewDecoder(r.Body).Decode(&struct{}{}) }},
		"closed":         {middleware: func(r *http.Request) { _ = r.Body.Close() }},
		"taken away":     {middleware: func(r *http.Request) { r.Body = nil }},
		"replaced":       {middleware: func(r *http.Request) { r.Body = http.NoBody }},
		"form":           {form, "application/x-www-form-urlencoded", func(r *http.Request) { _ = r.ParseForm() }},
		"form in chunks": {form, "application/x-www-form-urlencoded", func(r *http.Request) { r.ContentLength = -1; _ = r.ParseForm() }},
	} {
		t.Run(name, func(t *testing.T) {
			r := &told{}
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
			equal(t, answerTo(t, request).StatusCode, 500)
			equalSlices(t, r.names(), "body_already_parsed")
			if hint := r.errors[0].Error(); !strings.Contains(hint, "r.Body = io.NopCloser(bytes.NewReader(body))") {
				t.Errorf("the cure is missing in %s", hint)
			}
		})
	}
}

func TestBodyThatAMiddlewarePutBackIsReceived(t *testing.T) {
	r := &told{}
	handler := r.handler(t)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		_ = request.FormValue("_method") // a form is looked for, and JSON is none
		handler.ServeHTTP(w, request)
	}))
	equal(t, answerTo(t, delivery().Request(server.URL)).StatusCode, 204)
	equalSlices(t, r.handled, "conversation.handoff")
}

func TestBodyWithoutALengthIsLimited(t *testing.T) {
	r := &told{}
	server := serve(t, r.handler(t))
	request := delivery().Request(server.URL)
	request.ContentLength = -1
	equal(t, answerTo(t, request).StatusCode, 204)

	endless := &counter{}
	request = delivery().Request(server.URL)
	request.Body, request.ContentLength = io.NopCloser(endless), -1
	response := answerTo(t, request)
	equal(t, response.StatusCode, 413)
	equal(t, response.Close, true)
	equalSlices(t, r.names(), "payload_too_large")
}

func TestBodyThatSaysThatItIsTooLargeIsNotRead(t *testing.T) {
	r := &told{}
	unread := &counter{}
	request := httptest.NewRequest(http.MethodPost, "/", unread)
	request.ContentLength = 1<<20 + 1
	recorder := httptest.NewRecorder()
	r.handler(t).ServeHTTP(recorder, request)
	equal(t, recorder.Code, 413)
	equal(t, recorder.Header().Get("Connection"), "close")
	equal(t, unread.read, 0)
}

// A counter is a body that never ends.
type counter struct{ read int }

func (c *counter) Read(p []byte) (int, error) {
	c.read += len(p)
	return len(p), nil
}

func TestSenderThatGoesAwayLeavesNoEvent(t *testing.T) {
	for _, framing := range []string{"Content-Length: 300", "Transfer-Encoding: chunked"} {
		told, failed := &told{}, make(chan struct{})
		server := serve(t, told.handler(t, supportchat.WithOnError(func(ctx context.Context, err error) {
			told.hook(ctx, err)
			close(failed)
		})))
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(connection, "POST / HTTP/1.1\r\nHost: a.test\r\n%s\r\n\r\n12\r\n{\"event\":", framing)
		_ = connection.Close()
		<-failed
		if !errors.Is(told.errors[0], io.ErrUnexpectedEOF) {
			t.Errorf("got %v", told.errors[0])
		}
		equal(t, len(told.handled), 0)
		equal(t, answerTo(t, delivery().Request(server.URL)).StatusCode, 204)
	}
}
