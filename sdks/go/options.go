package supportchat

import (
	"log/slog"
	"net/http"
	"time"
)

// A ClientOption configures a client. An [Option] is one too.
type ClientOption interface{ applyToClient(*settings) }

// A RequestOption configures one call. An [Option] is one too.
type RequestOption interface{ applyToCall(*callSettings) }

// An Option configures a client, or one call only.
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

// WithAPIKey sets the API key. The default is the environment variable.
func WithAPIKey(key string) ClientOption {
	return clientOption(func(s *settings) { s.apiKey = &key })
}

// WithBaseURL sets the address of the API, without the version prefix that the paths add. A trailing
// slash is ignored. The default is the environment variable.
func WithBaseURL(url string) ClientOption {
	return clientOption(func(s *settings) { s.baseURL = &url })
}

// WithHTTPClient sets the client that sends the requests, for proxies, certificates and tests. The client
// is not modified. Redirects are not followed, whatever its CheckRedirect. The default is a client that
// uses [http.DefaultTransport].
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(s *settings) { s.httpClient = client })
}

// WithLogger sets the logger of every attempt: requests at level debug, responses at info, retries at
// warn, and failed connections at error. Keys and cookies are redacted.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption(func(s *settings) { s.logger = logger })
}

// WithTracer sets the function that is called around every attempt, for spans and metrics.
func WithTracer(tracer Tracer) ClientOption {
	return clientOption(func(s *settings) { s.tracer = tracer })
}

// WithTimeout sets the limit for one attempt, from connecting to the end of the body. The default is 30
// seconds. For a limit over all attempts, set a deadline on the context.
func WithTimeout(timeout time.Duration) Option {
	return sharedOption(func(c *callSettings) { c.timeout = timeout })
}

// WithMaxRetries sets the number of retries after a failure, where a retry is safe. The default is 2.
func WithMaxRetries(count int) Option {
	return sharedOption(func(c *callSettings) { c.maxRetries = count })
}

// WithIdempotencyKey sets the idempotency key, which every attempt of the call sends. By default, an
// operation that takes a key gets a fresh UUID.
func WithIdempotencyKey(key string) RequestOption {
	return callOption(func(c *callSettings) { c.idempotencyKey = &key })
}

// WithHeader sets a header. It replaces the client's header of that name.
func WithHeader(name, value string) RequestOption {
	return callOption(func(c *callSettings) {
		c.headers = append(c.headers, header{name: name, values: []string{value}})
	})
}

// WithoutHeader removes a header that the client would send.
func WithoutHeader(name string) RequestOption {
	return callOption(func(c *callSettings) { c.headers = append(c.headers, header{name: name}) })
}

// WithResponseInto stores the last response of a call, whatever its status, with an unread body. It
// stores nil if no response arrived.
func WithResponseInto(response **http.Response) RequestOption {
	return callOption(func(c *callSettings) { c.responseInto = response })
}
