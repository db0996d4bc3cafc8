package supportchat

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// An exchange is one attempt, and the context of its requests. Middleware may send several of them, and at
// the same time.
type exchange struct {
	context.Context
	about    Attempt
	settings *settings
	received response
	// Ends the context for a reason of the connection.
	end context.CancelCauseFunc

	mu sync.Mutex
	// The number of requests, and the connection of the first, which is usually the only one.
	requests  int
	first     connection
	failures  []error
	responses []*http.Response
	// The number of requests that may have had an effect.
	effects int
}

// begin returns an exchange whose context ends with the limits of the attempt.
func (a *api) begin(ctx context.Context, about Attempt) (e *exchange, cancel context.CancelFunc) {
	e = &exchange{about: about, settings: &a.settings}
	if timeout := a.settings.attemptTimeout(); timeout > 0 {
		e.Context, cancel = context.WithTimeoutCause(ctx, timeout, errLate)
	} else {
		e.Context, cancel = context.WithCancel(ctx)
	}
	e.Context, e.end = context.WithCancelCause(e.Context)
	return e, cancel
}

// Value returns the attempt to [AttemptFromContext].
func (e *exchange) Value(key any) any {
	if key == (attemptKey{}) {
		return e.about
	}
	return e.Context.Value(key)
}

// send sends a request after all middleware.
func (e *exchange) send(request *http.Request) (*http.Response, error) {
	conn := e.connection()
	defer conn.close()
	response, err := roundTrip(e.settings.httpClient, request.WithContext(conn.follow(request.Context(), request.Method)))
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.failures = append(e.failures, err)
		if conn.close() || neverSent(err) {
			e.effects--
		}
		return nil, err
	}
	if len(e.settings.middleware) > 0 {
		response.Body = &closer{ReadCloser: response.Body}
		e.responses = append(e.responses, response)
	}
	return response, nil
}

// connection returns the connection of another request.
func (e *exchange) connection() *connection {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.effects++ // until it failed, because middleware may return before
	e.requests++
	conn := &e.first
	if e.requests > 1 {
		conn = &connection{}
	}
	conn.limit, conn.end = e.settings.connectTimeout, e.end
	return conn
}

// isCause reports whether an error is, or wraps, that of a request.
func (e *exchange) isCause(err error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.failures, func(failure error) bool { return errors.Is(err, failure) })
}

// isWithoutEffect reports whether no request can have had an effect.
func (e *exchange) isWithoutEffect() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.effects == 0
}

// close closes the responses that middleware dropped, also in a panic.
func (e *exchange) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, response := range e.responses {
		_ = response.Body.Close()
	}
}

// exchange sends the request once and reads the complete body within the timeout. ctx cancels the call;
// middleware and transport see traced, which is derived from it.
func (a *api) exchange(ctx, traced context.Context, d *draft, about Attempt) (*response, error) {
	e, cancel := a.begin(traced, about)
	defer cancel()
	defer e.close()
	raw, err := e.pass(d.request(e), a.settings.middleware)
	isEnded := e.Err() != nil
	if err != nil && !e.isCause(err) && !(isEnded && errors.Is(err, e.Err())) {
		return nil, middlewareError{err}
	}
	received := &e.received
	*received = response{draft: d, raw: raw}
	if raw != nil {
		received.status, received.header = raw.StatusCode, raw.Header
	}
	if err == nil {
		received.content, err = readBody(raw)
	}
	if err == nil {
		return received, nil
	}
	outcome := OutcomeUnknown
	switch {
	case raw != nil && !received.isSuccess():
		outcome = outcomeOf(received.status)
	case raw == nil && e.isWithoutEffect():
		outcome = OutcomeNotSent
	}
	switch {
	case ctx.Err() != nil:
		return nil, a.aborted(ctx, d, about.Retry+1, outcome)
	case context.Cause(e) == errLateToDial:
		return nil, a.timedOut(fmt.Sprintf("no connection within %v", a.settings.connectTimeout), d, outcome, nil)
	case context.Cause(e) == errReplayed:
		return nil, a.failed(errReplayed, d, outcome)
	case e.Err() != nil:
		return nil, a.timedOut(fmt.Sprintf("no complete response within %v", a.settings.attemptTimeout()), d, outcome, nil)
	case raw != nil && !received.isSuccess():
		// The status of an error is enough; a success is useless without its body.
		received.content = nil
		return received, nil
	case raw != nil && isCorrupt(err):
		return nil, a.invalid("the body cannot be decompressed", received)
	}
	return nil, a.failed(err, d, outcome)
}

// A closer closes a body once.
type closer struct {
	io.ReadCloser
	once sync.Once
	err  error
}

func (c *closer) Close() error {
	c.once.Do(func() { c.err = c.ReadCloser.Close() })
	return c.err
}

// request returns a new request from the draft.
func (d *draft) request(ctx context.Context) *http.Request {
	address := d.url
	request := &http.Request{
		Method: d.method, URL: &address, Host: address.Host, Header: d.header(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(d.content)),
	}
	if len(d.content) > 0 {
		body := &draftBody{bytes.NewReader(d.content), d.content}
		request.Body = body
		request.GetBody = func() (io.ReadCloser, error) { return body.again(), nil }
	}
	return request.WithContext(ctx)
}

// A draftBody is the body of a draft. Every request that has it sends all of it, so that middleware may read
// it and may send the request several times.
type draftBody struct {
	*bytes.Reader
	content []byte
}

func (*draftBody) Close() error { return nil }

func (b *draftBody) again() io.ReadCloser { return io.NopCloser(bytes.NewReader(b.content)) }

func readBody(response *http.Response) ([]byte, error) {
	if response.Body == nil { // a response of a middleware
		return nil, nil
	}
	defer response.Body.Close()
	if size := response.ContentLength; size >= 0 && size <= 1<<20 {
		// Room beyond the body, so that ReadFrom finds the end without growing the buffer.
		buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
		_, err := buffer.ReadFrom(response.Body)
		return buffer.Bytes(), err
	}
	return io.ReadAll(response.Body)
}

// isCorrupt reports whether a body contradicts its content encoding.
func isCorrupt(err error) bool {
	var damaged flate.CorruptInputError
	return errors.As(err, &damaged) ||
		errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)
}
