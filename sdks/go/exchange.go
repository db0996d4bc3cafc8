package supportchat

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// exchange sends the request once and reads the complete body within the timeout. ctx cancels the call;
// the transport sees traced, which is derived from it.
func (a *api) exchange(
	ctx, traced context.Context, d *draft, retryable bool, timeout time.Duration,
) (*response, error) {
	limited, cancel := context.WithTimeout(traced, timeout)
	defer cancel()
	var conn connection
	request, err := d.request(httptrace.WithClientTrace(limited, conn.trace()), retryable)
	if err != nil {
		return nil, notSent("%s %s: the request cannot be written.", d.method, d.template)
	}
	raw, err := a.http.Do(request)
	received := &response{draft: d}
	if raw != nil {
		showLocation(raw)
		received = newResponse(d, raw)
	}
	if err == nil {
		received.content, err = readBody(raw)
	}
	switch {
	case err == nil:
		return received, nil
	case ctx.Err() != nil:
		return nil, ended(ctx)
	case limited.Err() != nil:
		return nil, a.timedOut(fmt.Sprintf("no complete response within %v", timeout), d, nil)
	case raw != nil && !received.isSuccess():
		// The status of an error is enough; a success is useless without its body.
		received.content = nil
		return received, nil
	case raw != nil && isCorrupt(err):
		return nil, a.invalid("the body cannot be decompressed", received)
	}
	return nil, a.failed(err, d, raw == nil && conn.isUnused(err))
}

// request returns a new request from the draft.
func (d *draft) request(ctx context.Context, retryable bool) (*http.Request, error) {
	var body io.Reader
	if d.content != nil {
		body = bytes.NewReader(d.content)
	}
	request, err := http.NewRequestWithContext(ctx, d.method, d.url, body)
	if err != nil {
		return nil, err
	}
	request.Header = d.header.Clone()
	if !retryable {
		forbidReplay(request)
	}
	return request, nil
}

// forbidReplay prevents http.Transport from retrying a request by itself after a keep-alive connection
// broke. The transport treats an Idempotency-Key as permission, but the service may not know the header.
func forbidReplay(request *http.Request) {
	if request.Body != nil {
		request.GetBody = nil // a body that cannot be read again is not retried
		return
	}
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if values, ok := request.Header[name]; ok {
			delete(request.Header, name)
			request.Header[strings.ToLower(name)] = values // the transport does not look for this spelling
		}
	}
}

func readBody(response *http.Response) ([]byte, error) {
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

// A connection records the progress of an attempt, which the transport reports from several goroutines.
type connection struct{ wanted, got atomic.Bool }

func (c *connection) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { c.wanted.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { c.got.Store(true) },
	}
}

// isUnused reports whether nothing was sent because there was no connection. For a transport without
// httptrace events, the error decides.
func (c *connection) isUnused(err error) bool {
	var dial *net.OpError
	var name *net.DNSError
	return c.wanted.Load() && !c.got.Load() ||
		errors.As(err, &dial) && dial.Op == "dial" || errors.As(err, &name)
}

// failed returns the error of an attempt without a response.
func (a *api) failed(err error, d *draft, unused bool) error {
	// A url.Error quotes the whole URL, whose query may hold a secret.
	var wrapper *url.Error
	if errors.As(err, &wrapper) {
		err = wrapper.Err
	}
	var limit interface{ Timeout() bool }
	if errors.As(err, &limit) && limit.Timeout() {
		return a.timedOut(err.Error(), d, err)
	}
	outcome := OutcomeUnknown
	if unused {
		outcome = OutcomeNotSent
	}
	return &APIConnectionError{Message: a.describe(err.Error(), d, ""), Outcome: outcome, cause: err}
}

func (a *api) timedOut(message string, d *draft, cause error) error {
	return &APITimeoutError{&APIConnectionError{
		Message: a.describe(message, d, ""), Outcome: OutcomeUnknown, cause: cause,
	}}
}

// hiddenLocation holds the Location header while http.Client processes the response. The client would
// follow the header, or fail if it is invalid.
const hiddenLocation = "\x00location"

type redirectHider struct{ next http.RoundTripper }

// withoutRedirects returns a copy of a client that returns redirects like any other response.
func withoutRedirects(client *http.Client) *http.Client {
	made := *client
	made.Transport = redirectHider{client.Transport}
	return &made
}

// RoundTrip sends the request over the transport of the client.
func (h redirectHider) RoundTrip(request *http.Request) (*http.Response, error) {
	next := h.next
	if next == nil {
		next = http.DefaultTransport // read late, because tests and tracing replace it
	}
	response, err := next.RoundTrip(request)
	if response != nil && response.Header["Location"] != nil {
		response.Header[hiddenLocation] = response.Header["Location"]
		delete(response.Header, "Location")
	}
	return response, err
}

func showLocation(response *http.Response) {
	if location, ok := response.Header[hiddenLocation]; ok {
		response.Header["Location"] = location
		delete(response.Header, hiddenLocation)
	}
}
