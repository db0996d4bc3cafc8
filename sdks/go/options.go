package supportchat

import (
	"log/slog"
	"net/http"
	"time"
)

// A ClientOption sets a client up; an [Option] is one too.
type ClientOption interface{ applyToClient(*settings) }

// A RequestOption makes one call differ from what its client does; an [Option] is one too.
type RequestOption interface{ applyToCall(*callSettings) }

// An Option holds for a client, or for one call only.
type Option interface {
	ClientOption
	RequestOption
}

type clientOption func(*settings)

func (o clientOption) applyToClient(s *settings) { o(s) }

type callOption func(*callSettings)

func (o callOption) applyToCall(c *callSettings) { o(c) }

type sharedOption func(*callSettings)

func (o sharedOption) applyToClient(s *settings)   { o(&s.defaults) }
func (o sharedOption) applyToCall(c *callSettings) { o(c) }

// WithAPIKey sets the key that every request carries. By default it is the environment's.
func WithAPIKey(key string) ClientOption {
	return clientOption(func(s *settings) { s.apiKey = &key })
}

// WithBaseURL sets where the API is, without the version prefix that the paths add. A trailing
// slash is ignored. By default it is the environment's.
func WithBaseURL(url string) ClientOption {
	return clientOption(func(s *settings) { s.baseURL = &url })
}

// WithHTTPClient sets what sends the requests, for proxies, certificates and tests. It is not
// changed; redirects are not followed, whatever it says about them. By default it is a client over
// [http.DefaultTransport].
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(s *settings) { s.httpClient = client })
}

// WithLogger sets who is told of every attempt: of a request at debug level, of an answer at info,
// of a retry at warn, of a failed connection at error. Keys and cookies are redacted.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption(func(s *settings) { s.logger = logger })
}

// WithTracer sets what is called around every attempt, for spans and metrics.
func WithTracer(tracer Tracer) ClientOption {
	return clientOption(func(s *settings) { s.tracer = tracer })
}

// WithTimeout sets how long one attempt may take, from connecting to the end of the body. The
// default is 30 seconds. For a limit over all attempts, give the context a deadline.
func WithTimeout(timeout time.Duration) Option {
	return sharedOption(func(c *callSettings) { c.timeout = timeout })
}

// WithMaxRetries sets how many times a failed request is repeated, where repeating is safe. The
// default is 2.
func WithMaxRetries(count int) Option {
	return sharedOption(func(c *callSettings) { c.maxRetries = count })
}

// WithIdempotencyKey names one logical request; the same key is sent with every attempt of it. By
// default, operations that take one get a fresh UUID.
func WithIdempotencyKey(key string) RequestOption {
	return callOption(func(c *callSettings) { c.idempotencyKey = &key })
}

// WithHeader sends a header, in place of the client's own of that name.
func WithHeader(name, value string) RequestOption {
	return callOption(func(c *callSettings) {
		c.headers = append(c.headers, header{name: name, values: []string{value}})
	})
}

// WithoutHeader takes away a header that the client would send.
func WithoutHeader(name string) RequestOption {
	return callOption(func(c *callSettings) { c.headers = append(c.headers, header{name: name}) })
}

// WithResponseInto hands out the last answer of a call, whatever its status, with its body unread.
// The pointer is nil where none arrived.
func WithResponseInto(response **http.Response) RequestOption {
	return callOption(func(c *callSettings) { c.responseInto = response })
}
