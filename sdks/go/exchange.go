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

// exchange sends the request once and reads the whole body, within the time-out. The call is
// cancelled by ctx; traced is derived from it and is what the transport sees.
func (a *api) exchange(
	ctx, traced context.Context, d *draft, repeatable bool, timeout time.Duration,
) (*reply, error) {
	limited, cancel := context.WithTimeout(traced, timeout)
	defer cancel()
	var conn connection
	request, err := d.request(httptrace.WithClientTrace(limited, conn.trace()), repeatable)
	if err != nil {
		return nil, notSent("%s %s: the request cannot be written.", d.method, d.template)
	}
	response, err := a.http.Do(request)
	answer := &reply{draft: d}
	if response != nil {
		showLocation(response)
		answer = newReply(d, response)
	}
	if err == nil {
		answer.content, err = readBody(response)
	}
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return nil, ended(ctx)
	case limited.Err() != nil:
		return nil, a.timedOut(fmt.Sprintf("no whole answer within %v", timeout), d, nil)
	case response != nil && !answer.isSuccess():
		// A failure's status is known already; only a success is worth nothing without its body.
		answer.content = nil
		return answer, nil
	case response != nil && isCorrupt(err):
		return nil, a.invalid("the body cannot be decompressed", answer)
	}
	return nil, a.failed(err, d, response == nil && conn.isUnused(err))
}

// request returns the draft as a request of its own.
func (d *draft) request(ctx context.Context, repeatable bool) (*http.Request, error) {
	var body io.Reader
	if d.content != nil {
		body = bytes.NewReader(d.content)
	}
	request, err := http.NewRequestWithContext(ctx, d.method, d.url, body)
	if err != nil {
		return nil, err
	}
	request.Header = d.header.Clone()
	if !repeatable {
		forbidReplay(request)
	}
	return request, nil
}

// forbidReplay keeps http.Transport from repeating a request by itself when a kept-alive connection
// breaks: it takes an Idempotency-Key for leave to, but the service may not know the header.
func forbidReplay(request *http.Request) {
	if request.Body != nil {
		request.GetBody = nil // it cannot repeat what it cannot read again
		return
	}
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if values, ok := request.Header[name]; ok {
			delete(request.Header, name)
			request.Header[strings.ToLower(name)] = values // it does not look for this spelling
		}
	}
}

func readBody(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	if size := response.ContentLength; size >= 0 && size <= 1<<20 {
		// One more byte, so that the end is seen without growing.
		buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
		_, err := buffer.ReadFrom(response.Body)
		return buffer.Bytes(), err
	}
	return io.ReadAll(response.Body)
}

// isCorrupt reports whether a body is not what its content encoding says.
func isCorrupt(err error) bool {
	var damaged flate.CorruptInputError
	return errors.As(err, &damaged) ||
		errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)
}

// A connection notes how far an attempt got; the transport reports it from several goroutines.
type connection struct{ wanted, got atomic.Bool }

func (c *connection) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { c.wanted.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { c.got.Store(true) },
	}
}

// isUnused reports whether no byte of the request can have left: there never was a connection to
// send it over. A transport that reports nothing may say so by its error.
func (c *connection) isUnused(err error) bool {
	var dial *net.OpError
	var name *net.DNSError
	return c.wanted.Load() && !c.got.Load() ||
		errors.As(err, &dial) && dial.Op == "dial" || errors.As(err, &name)
}

// failed is the error of an attempt without an answer.
func (a *api) failed(err error, d *draft, unused bool) error {
	// It would quote the whole URL, whose query may hold a secret.
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

// hiddenLocation is where a redirect's target waits while http.Client sees the answer. It would
// follow it, or fail where it cannot read it.
const hiddenLocation = "\x00location"

type redirectHider struct{ next http.RoundTripper }

// withoutRedirects returns a copy of a client that hands redirects out like any other answer.
func withoutRedirects(client *http.Client) *http.Client {
	made := *client
	made.Transport = redirectHider{client.Transport}
	return &made
}

// RoundTrip sends the request over the client's own transport.
func (h redirectHider) RoundTrip(request *http.Request) (*http.Response, error) {
	next := h.next
	if next == nil {
		next = http.DefaultTransport // looked up late: tests and tracing replace it
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
