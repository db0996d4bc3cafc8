package supportchat_test

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// The types of frames and the errors of HTTP/2 (RFC 9113).
const (
	frameData, frameHeaders, frameRST, frameSettings, frameGoAway = 0, 1, 3, 4, 7

	noError, protocolError, internalError, refusedStream = 0, 1, 2, 7
)

// An http2Conn speaks HTTP/2 frame by frame, for what no server does on demand.
type http2Conn struct {
	*tls.Conn
	reader *bufio.Reader
}

func (c http2Conn) write(kind, flags byte, stream uint32, payload ...byte) {
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(payload)<<8)|uint32(kind))
	frame = binary.BigEndian.AppendUint32(append(frame, flags), stream)
	_, _ = c.Write(append(frame, payload...))
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// respond sends status 200 with an empty JSON object.
func (c http2Conn) respond(stream uint32) {
	c.write(frameHeaders, 0x4, stream, 0x88) // END_HEADERS; :status 200 of the static table
	c.write(frameData, 0x1, stream, '{', '}')
}

func (c http2Conn) reset(stream, code uint32) { c.write(frameRST, 0, stream, number(code)...) }

func (c http2Conn) goAway(lastStream, code uint32) {
	c.write(frameGoAway, 0, 0, append(number(lastStream), number(code)...)...)
}

// serveHTTP2 calls serve with each complete request, by its number from 1, until it returns false.
func serveHTTP2(t *testing.T, serve func(c http2Conn, stream uint32, number int32) bool) (url string, client *http.Client) {
	t.Helper()
	var count atomic.Int32
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) {
			defer conn.Close()
			c := http2Conn{conn, bufio.NewReader(conn)}
			_, _ = c.reader.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
			c.write(frameSettings, 0, 0)
			var header [9]byte
			for {
				if _, err := io.ReadFull(c.reader, header[:]); err != nil {
					return
				}
				_, _ = c.reader.Discard(int(binary.BigEndian.Uint32(header[:]) >> 8))
				kind, isLast := header[3], header[4]&0x1 != 0
				stream := binary.BigEndian.Uint32(header[5:])
				if kind == frameSettings && !isLast {
					c.write(frameSettings, 0x1, 0)
				}
				if (kind == frameHeaders || kind == frameData) && isLast && !serve(c, stream, count.Add(1)) {
					return
				}
			}
		},
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, server.Client()
}

func TestHTTP2RequestThatWasNotProcessedIsSentAgain(t *testing.T) {
	for name, refuse := range map[string]func(c http2Conn, stream uint32) bool{
		"REFUSED_STREAM": func(c http2Conn, stream uint32) bool {
			c.reset(stream, refusedStream)
			return true
		},
		"GOAWAY": func(c http2Conn, _ uint32) bool {
			c.goAway(0, noError)
			return false
		},
		"GOAWAY with an error": func(c http2Conn, _ uint32) bool {
			c.goAway(0, internalError)
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, own := serveHTTP2(t, func(c http2Conn, stream uint32, number int32) bool {
				if number == 1 {
					return refuse(c, stream)
				}
				c.respond(stream)
				return true
			})
			client, clock := newClient(t, url, supportchat.WithHTTPClient(own))
			if err := post(t.Context(), client); err != nil {
				t.Fatal(err)
			}
			equal(t, len(clock.Sleeps), 1)

			always, own := serveHTTP2(t, func(c http2Conn, stream uint32, _ int32) bool { return refuse(c, stream) })
			client, _ = newClient(t, always, supportchat.WithHTTPClient(own), supportchat.WithMaxRetries(0))
			equal(t, connectionError(t, post(t.Context(), client)).Outcome, supportchat.OutcomeNotSent)
		})
	}
}

// net/http would send it again on a new connection each time, without a limit and without a wait.
func TestHTTP2ProtocolErrorDoesNotRepeatARequestWithoutEnd(t *testing.T) {
	var count atomic.Int32
	url, own := serveHTTP2(t, func(c http2Conn, stream uint32, number int32) bool {
		count.Store(number)
		c.reset(stream, protocolError)
		return true
	})
	client, _ := newClient(t, url, supportchat.WithHTTPClient(own), supportchat.WithMaxRetries(0))
	_, err := client.Conversations.Get(t.Context(), "conv_1")
	equal(t, connectionError(t, err).Outcome, supportchat.OutcomeUnknown)
	if got := count.Load(); got < 1 || got > 4 {
		t.Errorf("sent %d times", got)
	}
}

func TestHTTP2RequestThatMayHaveBeenProcessedIsNotSentAgain(t *testing.T) {
	for name, end := range map[string]func(c http2Conn, stream uint32) bool{
		"INTERNAL_ERROR": func(c http2Conn, stream uint32) bool {
			c.reset(stream, internalError)
			return true
		},
		"PROTOCOL_ERROR": func(c http2Conn, stream uint32) bool {
			c.reset(stream, protocolError)
			return true
		},
		"GOAWAY after this stream": func(c http2Conn, stream uint32) bool {
			c.goAway(stream, noError)
			return false
		},
		"no response": func(http2Conn, uint32) bool { return false },
	} {
		t.Run(name, func(t *testing.T) {
			var count atomic.Int32
			url, own := serveHTTP2(t, func(c http2Conn, stream uint32, number int32) bool {
				count.Store(number)
				return end(c, stream)
			})
			client, _ := newClient(t, url, supportchat.WithHTTPClient(own))
			// The contract does not have it, so that it never says that it may be repeated.
			err := client.Do(t.Context(), "POST", "/v1/things", supportchat.DoParams{}, nil)
			equal(t, connectionError(t, err).Outcome, supportchat.OutcomeUnknown)
			equal(t, count.Load(), 1)
		})
	}
}

func TestHTTP2ConnectionThatTheServerGaveUpTakesNoPost(t *testing.T) {
	url, own := serveHTTP2(t, func(c http2Conn, stream uint32, number int32) bool {
		c.respond(stream)
		if number == 1 {
			c.goAway(stream, noError)
		}
		return number > 1
	})
	client, _ := newClient(t, url, supportchat.WithHTTPClient(own))
	for range 3 {
		if err := post(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
}
