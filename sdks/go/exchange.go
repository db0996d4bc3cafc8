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
)

// exchange sends the request once and reads the complete body within the timeout. ctx cancels the call;
// middleware and transport see traced, which is derived from it.
func (a *api) exchange(ctx, traced context.Context, d *draft, about Attempt) (*response, error) {
	limited, cancel, end := a.limit(context.WithValue(traced, attemptKey{}, about))
	defer cancel()
	request, err := d.request(limited)
	if err != nil {
		return nil, notSent("%s %s: the request cannot be written.", d.method, d.template)
	}
	last := &lastStep{sender: a.settings.sender, connectTimeout: a.settings.connectTimeout, end: end}
	raw, err := wrap(a.settings.middleware, last.send)(request)
	isEnded := limited.Err() != nil
	if err != nil && !last.isCause(err) && !(isEnded && errors.Is(err, limited.Err())) {
		return nil, middlewareError{err}
	}
	received := &response{draft: d}
	if raw != nil {
		received = newResponse(d, raw)
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
	case raw == nil && last.isWithoutEffect():
		outcome = OutcomeNotSent
	}
	switch {
	case ctx.Err() != nil:
		return nil, a.aborted(ctx, d, about.Retry+1, outcome)
	case context.Cause(limited) == errLateToDial:
		return nil, a.timedOut(fmt.Sprintf("no connection within %v", a.settings.connectTimeout), d, outcome, nil)
	case limited.Err() != nil:
		return nil, a.timedOut(fmt.Sprintf("no complete response within %v", a.settings.timeout), d, outcome, nil)
	case raw != nil && !received.isSuccess():
		// The status of an error is enough; a success is useless without its body.
		received.content = nil
		return received, nil
	case raw != nil && isCorrupt(err):
		return nil, a.invalid("the body cannot be decompressed", received)
	}
	return nil, a.failed(err, d, outcome)
}

// request returns a new request from the draft.
func (d *draft) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	if d.content != nil {
		body = bytes.NewReader(d.content)
	}
	request, err := http.NewRequestWithContext(ctx, d.method, d.url, body)
	if err != nil {
		return nil, err
	}
	request.Header = d.header.Clone()
	if len(d.content) > 0 {
		request.Body = &draftBody{bytes.NewReader(d.content), d.content}
	}
	return request, nil
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
