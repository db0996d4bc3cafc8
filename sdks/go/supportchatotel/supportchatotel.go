// Package supportchatotel writes OpenTelemetry spans for the calls of a client, and continues the traces
// of deliveries. It is a module of its own, so that the SDK itself depends on nothing.
package supportchatotel

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const scope = "github.com/support-chat/support-chat/sdks/go/supportchatotel"

// An Option configures [Middleware] or [ContinueTrace].
type Option func(*settings)

type settings struct {
	tracers    trace.TracerProvider
	propagator propagation.TextMapPropagator
}

// WithTracerProvider sets the provider of the spans. The default is the global one.
func WithTracerProvider(provider trace.TracerProvider) Option {
	return func(s *settings) { s.tracers = provider }
}

// WithPropagator sets how a trace context is written to headers and read from them. The default is the
// global propagator.
func WithPropagator(propagator propagation.TextMapPropagator) Option {
	return func(s *settings) { s.propagator = propagator }
}

func resolve(options []Option) settings {
	s := settings{tracers: otel.GetTracerProvider(), propagator: otel.GetTextMapPropagator()}
	for _, option := range options {
		option(&s)
	}
	return s
}

// Middleware writes a client span for each attempt, by the semantic conventions for HTTP, and sends the
// trace context with the request. The span is named after the method and the path template. It ends when
// the headers of the response arrive. Its error.type is the status, or the name of the error: of this SDK's
// for a failed request, and of its own for that of another middleware.
func Middleware(options ...Option) supportchat.Middleware {
	s := resolve(options)
	tracer := s.tracers.Tracer(scope, trace.WithInstrumentationVersion(supportchat.Version))
	return func(request *http.Request, next supportchat.Next) (*http.Response, error) {
		attempt, _ := supportchat.AttemptFromContext(request.Context())
		hide := withoutKey(request.Header)
		ctx, span := tracer.Start(request.Context(), hide(attempt.Method+" "+attempt.Template),
			trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributesOf(request.URL, attempt, hide)...))
		defer span.End()
		request = request.WithContext(ctx)
		s.propagator.Inject(ctx, propagation.HeaderCarrier(request.Header))
		response, err := next(request)
		switch {
		case err != nil:
			kind, message := typeOf(ctx, err), hide(causeOf(err).Error())
			span.SetAttributes(attribute.String("error.type", kind))
			span.SetStatus(codes.Error, message)
			span.AddEvent("exception", trace.WithAttributes(
				attribute.String("exception.type", kind), attribute.String("exception.message", message)))
		case response.StatusCode >= http.StatusBadRequest:
			span.SetAttributes(attribute.String("error.type", strconv.Itoa(response.StatusCode)))
			span.SetStatus(codes.Error, "")
		}
		if response != nil {
			span.SetAttributes(attribute.Int("http.response.status_code", response.StatusCode))
		}
		return response, err
	}
}

func attributesOf(address *url.URL, attempt supportchat.Attempt, hide func(string) string) []attribute.KeyValue {
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		port = map[string]int{"http": 80, "https": 443}[address.Scheme]
	}
	attributes := []attribute.KeyValue{
		attribute.String("http.request.method", attempt.Method),
		attribute.String("url.template", hide(attempt.Template)),
		// Without the query, which may hold personal data.
		attribute.String("url.full", hide(address.Scheme+"://"+address.Host+address.EscapedPath())),
		attribute.String("server.address", address.Hostname()),
		attribute.Int("server.port", port),
	}
	if attempt.Retry > 0 {
		attributes = append(attributes, attribute.Int("http.request.resend_count", attempt.Retry))
	}
	return attributes
}

// withoutKey returns a function that removes the key of a request from a text. A short key is a placeholder,
// which may be part of any word.
func withoutKey(header http.Header) func(text string) string {
	credential := header.Get("Authorization")
	key := credential[strings.LastIndex(credential, " ")+1:]
	return func(text string) string {
		if len(key) < 8 {
			return text
		}
		return strings.ReplaceAll(text, key, "[redacted]")
	}
}

// typeOf returns the name of the error that the SDK makes of an error of the transport, or of the error itself.
func typeOf(ctx context.Context, err error) string {
	var late *supportchat.APITimeoutError
	var failed *url.Error
	switch isEnded := ctx.Err() != nil; {
	case isEnded && errors.As(context.Cause(ctx), &late):
		err = late
	case isEnded:
		err = &supportchat.AbortedCallError{}
	case errors.As(err, &failed) && failed.Timeout():
		err = late
	case failed != nil:
		err = &supportchat.APIConnectionError{}
	}
	kind := reflect.TypeOf(err)
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return kind.Name()
}

// causeOf returns the error of the transport. net/http wraps it in one whose text has the query.
func causeOf(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// ContinueTrace wraps a receiver of deliveries: its handler runs in the trace that the headers of the
// delivery name. A span that an instrumentation of the server has begun stays the parent.
func ContinueTrace(receiver http.Handler, options ...Option) http.Handler {
	s := resolve(options)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if !trace.SpanContextFromContext(ctx).IsValid() {
			ctx = s.propagator.Extract(ctx, propagation.HeaderCarrier(r.Header))
		}
		receiver.ServeHTTP(w, r.WithContext(ctx))
	})
}
