package supportchat

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

var errBrokenBody = errors.New("the body of a delivery broke off")

// readDelivered returns the bytes of a request as they came, and no more than the limit.
func readDelivered(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(w)
	}
	source := r.Body
	if source == nil {
		source = http.NoBody // where the request was made by hand
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, source, limit))
	var beyond *http.MaxBytesError
	switch {
	case errors.As(err, &beyond):
		return nil, tooLarge(w)
	case errors.Is(err, http.ErrBodyReadAfterClose) || err == nil && wasRead(r, body):
		return nil, refused(codeBodyAlreadyParsed)
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %w", packageName, errBrokenBody, err)
	}
	return body, nil
}

// tooLarge refuses a body. What is left of it is not waited for.
func tooLarge(w http.ResponseWriter) error {
	w.Header().Set("Connection", "close")
	return refused(codePayloadTooLarge)
}

// wasRead reports whether something read of the body before. Without a length, only a form tells;
// forms leave JSON unread.
func wasRead(r *http.Request, rest []byte) bool {
	isForm := len(r.PostForm) > 0 || r.MultipartForm != nil
	return int64(len(rest)) < r.ContentLength || len(rest) == 0 && isForm
}
