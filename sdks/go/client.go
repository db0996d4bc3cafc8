package supportchat

import (
	"context"
	"net/url"
	"reflect"
)

// NewClient returns a client. It fails with the outcome [OutcomeNotSent] for an option that cannot
// be used.
//
// A client is safe for concurrent use, and one is enough for a program.
func NewClient(opts ...ClientOption) (*Client, error) {
	return defaultSettings().client(opts)
}

// WithOptions returns a client like this one but for the given options. Both share connections.
func (c *Client) WithOptions(opts ...ClientOption) (*Client, error) {
	return c.api.settings.client(opts)
}

func (s settings) client(opts []ClientOption) (*Client, error) {
	for _, opt := range opts {
		opt.applyToClient(&s)
	}
	if err := s.resolve(); err != nil {
		return nil, err
	}
	return newClient(&api{settings: s, http: withoutRedirects(s.httpClient)}), nil
}

// DoParams is what a request of [Client.Do] is made from.
type DoParams struct {
	// Path fills the placeholders of the path, in their order.
	Path []any
	// Query holds the parameters of the query.
	Query url.Values
	// Body is what the operation's content type asks for, by default any value for JSON.
	Body any
}

// Do calls any path, also one that this version does not know, like `/v1/things/{id}`. Key, retries
// and time-outs are those of every call.
//
// The answer is read into what out points to: its bytes into a []byte, else from JSON. A nil out
// leaves it unread.
func (c *Client) Do(
	ctx context.Context, method, path string, params DoParams, out any, opts ...RequestOption,
) error {
	if v := reflect.ValueOf(out); out != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return notSent("What an answer is read into must be a pointer.")
	}
	in := input{path: params.Path, query: sortedQuery(params.Query), body: params.Body}
	return c.api.call(ctx, method, path, in, out, opts)
}
