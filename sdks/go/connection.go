package supportchat

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"
)

// The causes of a context that a limit of the attempt ended.
var (
	errLate       = lateError("no complete response in time")
	errLateToDial = lateError("no connection in time")
	errReplayed   = errors.New("the server reset the request without a response")
)

// mostReplays is how often http.Transport may send a request again by itself. A server that resets the stream
// of a request without a body as a protocol error would get it again without a limit.
const mostReplays = 3

func lateError(message string) error {
	return &APITimeoutError{&APIConnectionError{Message: message, Outcome: OutcomeUnknown}}
}

// A connection follows how a request gets its connection. The transport reports from several goroutines.
type connection struct {
	trace httptrace.ClientTrace
	// Ends the attempt if connecting takes longer than limit, which is 0 for none.
	limit time.Duration
	end   context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	// Whether the request wanted a connection, and got one. A transport without httptrace events reports
	// neither.
	isWanted, isMade bool
	// Whether the request was sent, so that a server may have processed it, and how often it may be sent again.
	isSent  bool
	replays int
}

// follow returns the context for the request.
func (c *connection) follow(ctx context.Context, method string) context.Context {
	if slices.Contains(policyRetriesRetryableMethods, method) {
		c.replays = mostReplays
	}
	c.trace.GetConn = func(string) { c.want() }
	c.trace.GotConn = func(httptrace.GotConnInfo) { c.got() }
	c.trace.WroteHeaders = c.sent
	return httptrace.WithClientTrace(ctx, &c.trace)
}

func (c *connection) want() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit > 0 && !c.isWanted {
		c.timer = time.AfterFunc(c.limit, func() { c.end(errLateToDial) })
	}
	c.isWanted = true
	if c.isSent && c.replays == 0 {
		c.end(errReplayed)
	} else if c.isSent {
		c.replays--
	}
}

func (c *connection) got() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isMade = true
	c.stop()
}

func (c *connection) sent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isSent = true
}

// close reports whether the request never had a connection.
func (c *connection) close() (isUnused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
	return c.isWanted && !c.isMade
}

func (c *connection) stop() {
	if c.timer != nil {
		c.timer.Stop()
	}
}

// What HTTP/2 of net/http reports, whose errors are not exported, if the server says that it did not process
// the request: it refused the stream, or its GOAWAY names a lower last stream. The last two mean that the
// connection could not take the request.
var unprocessed = regexp.MustCompile(`^(http2: Transport: cannot retry err \[)?(` +
	`stream error: stream ID \d+; REFUSED_STREAM\b` +
	`|http2: Transport received (Server's graceful shutdown )?GOAWAY\b` +
	`|http2: client conn not usable` +
	`|net/http: cannot rewind body after connection loss)`)

// neverSent reports whether an error shows that the request had no effect, whatever the transport.
func neverSent(err error) bool {
	var dial *net.OpError
	var name *net.DNSError
	if errors.As(err, &dial) && dial.Op == "dial" || errors.As(err, &name) {
		return true
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if unprocessed.MatchString(err.Error()) {
			return true
		}
	}
	return false
}

// failed returns the error of an attempt without a response.
func (a *api) failed(err error, d *draft, outcome Outcome) error {
	// A url.Error quotes the whole URL, whose query may hold a secret.
	var wrapper *url.Error
	if errors.As(err, &wrapper) {
		err = wrapper.Err
	}
	var limit interface{ Timeout() bool }
	if errors.As(err, &limit) && limit.Timeout() {
		return a.timedOut(err.Error(), d, outcome, err)
	}
	return &APIConnectionError{Message: a.describe(err.Error(), d, ""), Outcome: outcome, cause: err}
}

func (a *api) timedOut(message string, d *draft, outcome Outcome, cause error) error {
	return &APITimeoutError{&APIConnectionError{
		Message: a.describe(message, d, ""), Outcome: outcome, cause: cause,
	}}
}
