package supportchat

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"sync/atomic"
	"time"
)

// limit returns a context that ends with the timeout of the attempt.
func (a *api) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.settings.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, a.settings.timeout)
}

// A connection follows how an attempt gets its connection. The transport reports from several goroutines.
type connection struct {
	state atomic.Int32
	// Ends the attempt; nil without a timeout.
	timer *time.Timer
	limit time.Duration
}

// The states of a connection.
const (
	notWanted int32 = iota // also for a transport without httptrace events
	wanted
	got
	late
)

func newConnection(limit time.Duration, cancel context.CancelFunc) *connection {
	c := &connection{limit: limit}
	if limit > 0 {
		c.timer = time.AfterFunc(limit, func() {
			if c.state.CompareAndSwap(wanted, late) {
				cancel()
			}
		})
	}
	return c
}

func (c *connection) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) {
			if c.state.CompareAndSwap(notWanted, wanted) && c.timer != nil {
				c.timer.Reset(c.limit)
			}
		},
		GotConn: func(httptrace.GotConnInfo) {
			c.state.CompareAndSwap(wanted, got)
			c.stop()
		},
	}
}

func (c *connection) stop() {
	if c.timer != nil {
		c.timer.Stop()
	}
}

// isUnused reports whether the attempt never had a connection.
func (c *connection) isUnused() bool {
	state := c.state.Load()
	return state == wanted || state == late
}

// isLate reports whether the connection took too long.
func (c *connection) isLate() bool { return c.state.Load() == late }

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
