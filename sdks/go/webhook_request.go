package supportchat

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

var errBrokenBody = errors.New("the body of a delivery was cut short")

// readDelivered returns the received bytes of a request, up to the limit.
func readDelivered(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(w)
	}
	source := r.Body
	if source == nil {
		source = http.NoBody // a request that a server did not create
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, source, limit))
	var beyond *http.MaxBytesError
	switch {
	case errors.As(err, &beyond):
		return nil, tooLarge(w)
	case errors.Is(err, http.ErrBodyReadAfterClose) || err == nil && wasRead(r, body):
		return nil, alreadyParsed()
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %w", packageName, errBrokenBody, err)
	}
	return body, nil
}

// tooLarge refuses a body and closes the connection instead of reading the rest.
func tooLarge(w http.ResponseWriter) error {
	w.Header().Set("Connection", "close")
	return refused(WebhookCodePayloadTooLarge)
}

// wasRead reports whether something read the body before. Without a length, only a parsed form shows it.
// Parsing a form leaves JSON unread.
func wasRead(r *http.Request, rest []byte) bool {
	isForm := len(r.PostForm) > 0 || r.MultipartForm != nil
	return int64(len(rest)) < r.ContentLength || len(rest) == 0 && isForm
}
