package supportchat

import (
	"context"
	"net/url"
	"reflect"
)

// NewClient returns a client. It returns an [Error] if an option is invalid or required and missing.
//
// A client is safe for concurrent use. A program needs only one.
func NewClient(opts ...ClientOption) (*Client, error) {
	settings := defaultSettings().with(opts)
	if err := settings.readEnvironment(); err != nil {
		return nil, err
	}
	return settings.client()
}

// WithOptions returns a copy of the client with other options. Both share their connections.
func (c *Client) WithOptions(opts ...ClientOption) (*Client, error) {
	return c.api.settings.with(opts).client()
}

func (s settings) client() (*Client, error) {
	if err := s.resolve(); err != nil {
		return nil, err
	}
	return newClient(&api{
		settings: s, ownHeaders: len(s.headers), ownQuery: len(s.query), ownFields: len(s.bodyFields),
	}), nil
}

// DoParams holds the arguments of [Client.Do].
type DoParams struct {
	// Path fills the placeholders of the path, in their order.
	Path []any
	// Query holds the query parameters.
	Query url.Values
	// Body is any value that encodes as JSON, or the value that the operation's content type requires.
	Body any
}

// Do calls any path, including one that this version does not know, such as `/v1/things/{id}`. The key,
// retries and timeouts are those of every call.
//
// Do decodes the response into the value that out points to: the raw body into a []byte, otherwise JSON.
// A nil out discards the body.
func (c *Client) Do(
	ctx context.Context, method, path string, params DoParams, out any, opts ...RequestOption,
) error {
	if v := reflect.ValueOf(out); out != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return notSent("The result must be a pointer.")
	}
	in := input{path: params.Path, query: sortedQuery(params.Query), body: params.Body}
	return c.api.call(ctx, method, path, in, out, opts)
}
