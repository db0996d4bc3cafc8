package supportchatotel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchatotel"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

const apiKey = "sk_test_1234567890"

// A tracing is a real SDK of OpenTelemetry that keeps its spans.
type tracing struct {
	exporter *tracetest.InMemoryExporter
	provider *sdktrace.TracerProvider
	options  []supportchatotel.Option
}

func newTracing(more ...sdktrace.TracerProviderOption) tracing {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(append(more, sdktrace.WithSyncer(exporter))...)
	return tracing{exporter, provider, []supportchatotel.Option{
		supportchatotel.WithTracerProvider(provider),
		supportchatotel.WithPropagator(propagation.TraceContext{}),
	}}
}

func (t tracing) client(tb testing.TB, url string, options ...supportchat.ClientOption) *supportchat.Client {
	tb.Helper()
	client, err := supportchat.NewClient(append([]supportchat.ClientOption{
		supportchat.WithAPIKey(apiKey), supportchat.WithBaseURL(url), supportchat.WithLogger(slog.New(slog.DiscardHandler)),
		supportchat.WithMiddleware(supportchatotel.Middleware(t.options...)),
	}, options...)...)
	if err != nil {
		tb.Fatal(err)
	}
	return client
}

// service returns a server that responds with the statuses in turn, and the trace header of each request.
func service(t *testing.T, statuses ...int) (url string, parents *[]string) {
	t.Helper()
	parents = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		if n := len(*parents); n < len(statuses) {
			status = statuses[n]
		}
		*parents = append(*parents, r.Header.Get("traceparent"))
		w.Header().Set("retry-after-ms", "0")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"id":"conv_1"}`))
	}))
	t.Cleanup(server.Close)
	return server.URL, parents
}

func get(t *testing.T, client *supportchat.Client) {
	t.Helper()
	if _, err := client.Conversations.Get(context.Background(), "conv_1"); err != nil {
		t.Fatal(err)
	}
}

func attributes(span tracetest.SpanStub) map[string]any {
	found := map[string]any{}
	for _, pair := range span.Attributes {
		found[string(pair.Key)] = pair.Value.AsInterface()
	}
	return found
}

func TestMiddlewareFollowsTheSemanticConventions(t *testing.T) {
	tracing := newTracing()
	url, parents := service(t)
	get(t, tracing.client(t, url))
	spans := tracing.exporter.GetSpans()
	if len(spans) != 1 || spans[0].Name != "GET /v1/conversations/{id}" || spans[0].SpanKind != trace.SpanKindClient {
		t.Fatalf("spans: %v", spans)
	}
	got := attributes(spans[0])
	port, _ := got["server.port"].(int64)
	delete(got, "server.port")
	want := map[string]any{
		"http.request.method": "GET", "url.template": "/v1/conversations/{id}",
		"url.full": url + "/v1/conversations/conv_1", "server.address": "127.0.0.1",
		"http.response.status_code": int64(200),
	}
	if !equal(got, want) || port == 0 {
		t.Errorf("attributes: %v, port %d", got, port)
	}
	context := spans[0].SpanContext
	if sent := "00-" + context.TraceID().String() + "-" + context.SpanID().String() + "-01"; (*parents)[0] != sent {
		t.Errorf("the request had %q, want %q", (*parents)[0], sent)
	}
}

func equal(a, b map[string]any) bool {
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return bytes.Equal(first, second)
}

func TestMiddlewareWritesASpanForEachAttempt(t *testing.T) {
	tracing := newTracing()
	url, parents := service(t, http.StatusServiceUnavailable)
	get(t, tracing.client(t, url))
	spans := tracing.exporter.GetSpans()
	if len(spans) != 2 || (*parents)[0] == (*parents)[1] {
		t.Fatalf("spans: %v, sent: %v", spans, *parents)
	}
	if got := attributes(spans[0]); got["error.type"] != "503" || spans[0].Status.Code != codes.Error {
		t.Errorf("the failed attempt: %v", got)
	}
	if got := attributes(spans[1]); got["http.request.resend_count"] != int64(1) || spans[1].Status.Code != codes.Unset {
		t.Errorf("the retry: %v", got)
	}
}

func TestMiddlewareNamesTheErrorWithoutQueryAndKey(t *testing.T) {
	tracing := newTracing()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	client := tracing.client(t, server.URL, supportchat.WithMaxRetries(0))
	params := &supportchat.ConversationListParams{Limit: 7}
	if _, err := client.Conversations.List(context.Background(), params); err == nil {
		t.Fatal("no error")
	}
	span := tracing.exporter.GetSpans()[0]
	if got := attributes(span); got["error.type"] != "APIConnectionError" || len(span.Events) != 1 {
		t.Errorf("attributes: %v, events: %v", got, span.Events)
	}
	text, _ := json.Marshal([]any{span.Events, span.Status, attributes(span)})
	if strings.Contains(string(text), apiKey) || strings.Contains(string(text), "limit") {
		t.Errorf("the span holds too much: %s", text)
	}
}

func TestMiddlewareNamesTheClassOfAnError(t *testing.T) {
	own := errors.New("own")
	ended, cancel := context.WithCancel(context.Background())
	ends := func(*http.Request) (*http.Response, error) { cancel(); return nil, ended.Err() }
	waits := func(request *http.Request) (*http.Response, error) {
		<-request.Context().Done()
		return nil, request.Context().Err()
	}
	for want, test := range map[string]struct {
		ctx       context.Context
		transport roundTripper
		option    supportchat.Option
	}{
		"APIConnectionError": {transport: func(*http.Request) (*http.Response, error) { return nil, own }},
		"APITimeoutError":    {transport: waits, option: supportchat.WithTimeout(time.Millisecond)},
		"AbortedCallError":   {ctx: ended, transport: ends},
		"errorString": {option: supportchat.WithMiddleware(func(*http.Request, supportchat.Next) (*http.Response, error) {
			return nil, own
		})},
	} {
		t.Run(want, func(t *testing.T) {
			tracing := newTracing()
			client := tracing.client(t, "http://[::1]:1", supportchat.WithMaxRetries(0), test.option,
				supportchat.WithHTTPClient(&http.Client{Transport: test.transport}))
			ctx := test.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			_, err := client.Conversations.Get(ctx, "conv_1")
			if err == nil {
				t.Fatal("no error")
			}
			got := attributes(tracing.exporter.GetSpans()[0])
			if got["error.type"] != want || got["server.address"] != "::1" {
				t.Errorf("attributes: %v", got)
			}
		})
	}
}

func TestMiddlewareNamesALateConnection(t *testing.T) {
	deaf := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	tracing := newTracing()
	client := tracing.client(t, "http://api.test", supportchat.WithMaxRetries(0),
		supportchat.WithConnectTimeout(time.Millisecond), supportchat.WithHTTPClient(&http.Client{Transport: deaf}))
	_, err := client.Conversations.Get(t.Context(), "conv_1")
	if got := attributes(tracing.exporter.GetSpans()[0]); err == nil || got["error.type"] != "APITimeoutError" {
		t.Errorf("attributes: %v, error %v", got, err)
	}
}

func TestMiddlewareWritesNoKeyIntoASpan(t *testing.T) {
	url, _ := service(t)
	for name, change := range map[string]func(*http.Request) error{
		"illegal value": func(request *http.Request) error { request.Header.Set("X-Key", apiKey+"\n"); return nil },
		"illegal name":  func(request *http.Request) error { request.Header[apiKey+" "] = []string{"x"}; return nil },
		"own error":     func(*http.Request) error { return errors.New("no right for " + apiKey) },
	} {
		t.Run(name, func(t *testing.T) {
			tracing := newTracing()
			client := tracing.client(t, url, supportchat.WithMaxRetries(0),
				supportchat.WithMiddleware(func(request *http.Request, next supportchat.Next) (*http.Response, error) {
					if err := change(request); err != nil {
						return nil, err
					}
					return next(request)
				}))
			if _, err := client.Conversations.Get(t.Context(), apiKey); err == nil {
				t.Fatal("no error")
			}
			span := tracing.exporter.GetSpans()[0]
			text, _ := json.Marshal([]any{span.Name, span.Events, span.Status, attributes(span)})
			if strings.Contains(string(text), apiKey) {
				t.Errorf("the span holds the key: %s", text)
			}
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func TestMiddlewareWorksWithAnExporterAndBesideOtelhttp(t *testing.T) {
	var exported bytes.Buffer
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(&exported))
	if err != nil {
		t.Fatal(err)
	}
	tracing := newTracing(sdktrace.WithSyncer(exporter))
	url, parents := service(t)
	transport := otelhttp.NewTransport(http.DefaultTransport,
		otelhttp.WithTracerProvider(tracing.provider), otelhttp.WithPropagators(propagation.TraceContext{}))
	get(t, tracing.client(t, url, supportchat.WithHTTPClient(&http.Client{Transport: transport})))
	spans := map[string]tracetest.SpanStub{}
	for _, span := range tracing.exporter.GetSpans() {
		spans[span.Name] = span
	}
	outer, inner := spans["GET /v1/conversations/{id}"], spans["HTTP GET"]
	if !outer.SpanContext.IsValid() || inner.Parent.SpanID() != outer.SpanContext.SpanID() {
		t.Fatalf("spans: %v", spans)
	}
	if id := inner.SpanContext.SpanID().String(); !strings.Contains((*parents)[0], id) {
		t.Errorf("the request had %q, want the span %s", (*parents)[0], id)
	}
	if !strings.Contains(exported.String(), `"Name":"GET /v1/conversations/{id}"`) {
		t.Errorf("exported: %s", &exported)
	}
}

func TestContinueTraceRunsTheHandlerInTheTraceOfTheDelivery(t *testing.T) {
	const sent = "0af7651916cd43dd8448eb211c80319c"
	server := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}})
	for _, test := range []struct {
		name, parent, want string
		active             trace.SpanContext
	}{
		{name: "of the header", parent: "00-" + sent + "-b7ad6b7169203331-01", want: sent},
		{name: "of the server", parent: "00-" + sent + "-b7ad6b7169203331-01", active: server, want: server.TraceID().String()},
		{name: "none", want: trace.TraceID{}.String()},
	} {
		t.Run(test.name, func(t *testing.T) {
			webhooks, err := supportchat.NewWebhooks([]string{"whsec_test"})
			if err != nil {
				t.Fatal(err)
			}
			var got string
			handler := supportchatotel.ContinueTrace(
				supportchat.WebhookHandler(webhooks, func(ctx context.Context, _ supportchat.Event) error {
					got = trace.SpanContextFromContext(ctx).TraceID().String()
					return nil
				}), supportchatotel.WithPropagator(propagation.TraceContext{}))
			delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: "whsec_test"})
			request := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(delivery.Body))
			request.Header = delivery.Headers
			request.Header.Set("traceparent", test.parent)
			recorder := httptest.NewRecorder()
			handler.ServeHTTP(recorder, request.WithContext(trace.ContextWithSpanContext(t.Context(), test.active)))
			if recorder.Code != http.StatusNoContent || got != test.want {
				t.Errorf("status %d, trace %s, want %s", recorder.Code, got, test.want)
			}
		})
	}
}
