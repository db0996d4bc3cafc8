package supportchat

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// An Option configures a client, or one call only. An option of a call wins over the same option of its
// client. Headers and query parameters replace those of the same name.
type Option func(*settings)

// ClientOption and RequestOption are the same type. Their names tell where an option is given.
type (
	ClientOption  = Option
	RequestOption = Option
)

// WithAPIKey sets the API key. The default is the environment variable.
func WithAPIKey(key string) Option {
	return func(s *settings) { s.apiKey, s.isKeyChecked = &key, false }
}

// WithBaseURL sets the address of the API, without the version prefix that the paths add. A trailing
// slash is ignored. The default is the environment variable.
func WithBaseURL(url string) Option {
	return func(s *settings) { s.baseURL, s.base = &url, nil }
}

// WithHTTPClient sets the client that sends the requests, for proxies, certificates and tests. The client
// is not modified. Its Transport, Jar and Timeout apply to each attempt. Redirects are not followed, whatever
// its CheckRedirect. The default is a client that uses [http.DefaultTransport].
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) { s.httpClient = client }
}

// WithLogger sets the logger: requests at level debug, responses at info, retries and unexpected data at
// warn, and calls without a response at error. Keys and cookies are redacted. The default is
// [slog.Default] from level warn.
func WithLogger(logger *slog.Logger) Option {
	return func(s *settings) { s.logger = logger }
}

// WithLogLevel sets the lowest level that is logged, or [LogOff]. The default is the environment variable
// if it is set. Otherwise the logger of [WithLogger] gets everything, and the default logger warnings.
func WithLogLevel(level slog.Level) Option {
	return func(s *settings) { s.logLevel = &level }
}

// WithTracer sets the function that is called around every attempt, for spans and metrics.
func WithTracer(tracer Tracer) Option {
	return func(s *settings) { s.tracer = tracer }
}

// WithMiddleware adds functions around every attempt. The first one is the outermost. Those of the client
// are around those of the call.
func WithMiddleware(middleware ...Middleware) Option {
	return func(s *settings) { s.middleware = append(s.middleware, middleware...) }
}

// WithTimeout sets the limit for one attempt, from connecting to the end of the body. The default is 30
// seconds; 0 means no limit. For a limit over all attempts, set a deadline on the context.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithConnectTimeout sets the limit for getting a connection: DNS, TCP and TLS. It applies within the
// limit of [WithTimeout]. The default is 0, no limit of its own. A transport without
// [net/http/httptrace] events ignores it.
func WithConnectTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.connectTimeout = timeout }
}

// WithMaxRetries sets the number of retries after a failure, where a retry is safe. The default is 2.
func WithMaxRetries(count int) Option {
	return func(s *settings) { s.maxRetries = count }
}

// WithIdempotencyKey sets the idempotency key, which every attempt of the call sends. By default, an
// operation that takes a key gets a fresh UUID.
func WithIdempotencyKey(key string) Option {
	return func(s *settings) { s.idempotencyKey = &key }
}

// WithHeader sets a header.
func WithHeader(name, value string) Option {
	return func(s *settings) {
		s.headers = append(s.headers, header{name: http.CanonicalHeaderKey(name), value: value})
	}
}

// WithoutHeader removes a header that would be sent.
func WithoutHeader(name string) Option {
	return func(s *settings) {
		s.headers = append(s.headers, header{name: http.CanonicalHeaderKey(name), isRemoved: true})
	}
}

// WithQuery sets a query parameter. One of the client is a default for the parameters of an operation.
func WithQuery(name, value string) Option {
	return func(s *settings) { s.query = append(s.query, queryParam{name: name, value: value}) }
}

// WithoutQuery removes a query parameter that would be sent.
func WithoutQuery(name string) Option {
	return func(s *settings) { s.query = append(s.query, queryParam{name: name, isRemoved: true}) }
}

// WithBodyField sets a member of the JSON body, which must be an object. A request without a body gets one,
// except that GET and HEAD have none. They refuse a field of the call, and omit those of the client.
func WithBodyField(name string, value any) Option {
	return func(s *settings) { s.bodyFields = append(s.bodyFields, bodyField{name, value}) }
}

// WithStrict makes a call fail with an [InvalidResponseError] if the response does not match the contract.
// By default, such a field is zero, and the log has a warning.
func WithStrict() Option {
	return func(s *settings) { s.strict = true }
}

// WithLenient turns [WithStrict] off again, for a call of a strict client.
func WithLenient() Option {
	return func(s *settings) { s.strict = false }
}

// WithMismatchHook sets the function that gets every field of a response that does not match the contract.
func WithMismatchHook(hook func(context.Context, Mismatch)) Option {
	return func(s *settings) { s.onMismatch = hook }
}

// WithResponseInto stores the last response of a call, whatever its status, with an unread body. It
// stores nil if no response arrived.
func WithResponseInto(response **http.Response) Option {
	return func(s *settings) { s.responseInto = response }
}

// WithRequestIDInto stores the request id of the last response of a call, or "".
func WithRequestIDInto(id *string) Option {
	return func(s *settings) { s.requestIDInto = id }
}
