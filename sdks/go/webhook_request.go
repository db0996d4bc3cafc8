package supportchat

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

var (
	errBrokenBody = errors.New("the body of a delivery was cut short")
	errSlowBody   = errors.New("the body of a delivery did not arrive in time")
)

// A bodyReader reads the received bytes of requests.
type bodyReader struct {
	limit   int64
	timeout time.Duration
}

func (b bodyReader) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	connection := http.NewResponseController(w)
	hasDeadline := b.timeout > 0 && connection.SetReadDeadline(time.Now().Add(b.timeout)) == nil
	if r.ContentLength > b.limit {
		return nil, refused(WebhookCodePayloadTooLarge)
	}
	source := r.Body
	if source == nil {
		source = http.NoBody // a request that a server did not create
	}
	// Without w, which would close the connection: the server reads a short rest, so that the response to a
	// pipelined request is not lost.
	body, err := io.ReadAll(http.MaxBytesReader(nil, source, b.limit))
	if err == nil && hasDeadline {
		// The server reads on, to notice that the sender disconnects. After a failure it reads the rest of the
		// body, also not without end.
		err = connection.SetReadDeadline(time.Time{})
	}
	var beyond *http.MaxBytesError
	switch {
	case errors.As(err, &beyond):
		return nil, refused(WebhookCodePayloadTooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, fmt.Errorf("%s: %w", packageName, errSlowBody)
	case errors.Is(err, http.ErrBodyReadAfterClose) || err == nil && wasRead(r, body):
		return nil, alreadyParsed()
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %w", packageName, errBrokenBody, err)
	}
	return body, nil
}

// wasRead reports whether something read the body before: less is left than was announced, or nothing of a body
// of unknown length.
func wasRead(r *http.Request, rest []byte) bool {
	return int64(len(rest)) < r.ContentLength || len(rest) == 0 && r.ContentLength < 0
}
