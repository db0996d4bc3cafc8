package integration

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	fiber2 "github.com/gofiber/fiber/v2"
	adaptor2 "github.com/gofiber/fiber/v2/middleware/adaptor"
	fiber3 "github.com/gofiber/fiber/v3"
	adaptor3 "github.com/gofiber/fiber/v3/middleware/adaptor"
	echo4 "github.com/labstack/echo/v4"
	middleware4 "github.com/labstack/echo/v4/middleware"
	echo5 "github.com/labstack/echo/v5"
	middleware5 "github.com/labstack/echo/v5/middleware"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

// A framework mounts a receiver on /webhooks, behind its usual middleware and what a request reads before.
type framework struct {
	handler func(receiver http.Handler, before func(*http.Request)) http.Handler
	// Frameworks that are no [http.Handler] listen themselves, and read the body before any handler.
	listen func(receiver http.Handler, timeout time.Duration, listener net.Listener) (stop func() error)
}

var frameworks = map[string]framework{
	"net/http": {handler: func(receiver http.Handler, before func(*http.Request)) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/webhooks", receiver)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { before(r); mux.ServeHTTP(w, r) })
	}},
	"chi 5": {handler: func(receiver http.Handler, before func(*http.Request)) http.Handler {
		router := chi.NewRouter()
		router.Use(middleware.RequestID, middleware.Recoverer, middleware.Compress(5))
		router.Use(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				before(r)
				next.ServeHTTP(middleware.NewWrapResponseWriter(w, r.ProtoMajor), r)
			})
		})
		router.Handle("/webhooks", receiver)
		return router
	}},
	"gin 1": {handler: func(receiver http.Handler, before func(*http.Request)) http.Handler {
		gin.SetMode(gin.ReleaseMode)
		router := gin.New()
		router.Use(gin.Recovery(), func(c *gin.Context) { before(c.Request) })
		router.Any("/webhooks", gin.WrapH(receiver))
		return router
	}},
	"echo 4": {handler: func(receiver http.Handler, before func(*http.Request)) http.Handler {
		e := echo4.New()
		e.Use(middleware4.Recover(), middleware4.RequestID(), middleware4.Gzip(), func(next echo4.HandlerFunc) echo4.HandlerFunc {
			return func(c echo4.Context) error { before(c.Request()); return next(c) }
		})
		e.Any("/webhooks", echo4.WrapHandler(receiver))
		return e
	}},
	"echo 5": {handler: func(receiver http.Handler, before func(*http.Request)) http.Handler {
		e := echo5.New()
		e.Use(middleware5.Recover(), middleware5.RequestID(), middleware5.Gzip(), func(next echo5.HandlerFunc) echo5.HandlerFunc {
			return func(c *echo5.Context) error { before(c.Request()); return next(c) }
		})
		e.Any("/webhooks", echo5.WrapHandler(receiver))
		return e
	}},
	"fiber 2": {listen: func(receiver http.Handler, timeout time.Duration, listener net.Listener) func() error {
		app := fiber2.New(fiber2.Config{DisableStartupMessage: true, BodyLimit: 8 << 20, ReadTimeout: timeout})
		app.All("/webhooks", adaptor2.HTTPHandler(receiver))
		go func() { _ = app.Listener(listener) }()
		return app.Shutdown
	}},
	"fiber 3": {listen: func(receiver http.Handler, timeout time.Duration, listener net.Listener) func() error {
		app := fiber3.New(fiber3.Config{BodyLimit: 8 << 20, ReadTimeout: timeout})
		app.All("/webhooks", adaptor3.HTTPHandler(receiver))
		go func() { _ = app.Listener(listener, fiber3.ListenConfig{DisableStartupMessage: true}) }()
		return app.Shutdown
	}},
}

func untouched(*http.Request) {}

// serve mounts a receiver, and returns its address.
func (f framework) serve(t testing.TB, receiver http.Handler, before func(*http.Request), timeout time.Duration) string {
	t.Helper()
	if f.handler != nil {
		server := httptest.NewServer(f.handler(receiver, before))
		t.Cleanup(server.Close)
		return server.URL + "/webhooks"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	stop := f.listen(receiver, timeout, listener)
	t.Cleanup(func() { _ = stop() })
	return "http://" + listener.Addr().String() + "/webhooks"
}

func TestFrameworksPlayEveryCase(t *testing.T) {
	for name, f := range frameworks {
		t.Run(name, func(t *testing.T) {
			for _, c := range receiverCases(t) {
				t.Run(c.ID, func(t *testing.T) {
					client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
					t.Cleanup(client.CloseIdleConnections)
					c.play(t, func(receiver *supportchat.WebhookReceiver) (string, *http.Client) {
						return f.serve(t, receiver, untouched, 0), client
					})
				})
			}
		})
	}
}

func TestFrameworksPlayEveryCaseOverHTTP2(t *testing.T) {
	for name, f := range frameworks {
		if f.handler == nil {
			continue // has no HTTP/2
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range receiverCases(t) {
				t.Run(c.ID, func(t *testing.T) {
					c.play(t, func(receiver *supportchat.WebhookReceiver) (string, *http.Client) {
						server := httptest.NewUnstartedServer(f.handler(receiver, untouched))
						server.EnableHTTP2 = true
						server.StartTLS()
						t.Cleanup(server.Close)
						return server.URL + "/webhooks", server.Client()
					})
				})
			}
		})
	}
}

const secret = "whsec_test"

// A recorder records the codes of what a receiver reports.
type recorder struct{ reported []string }

func (r *recorder) receiver(t testing.TB, opts ...supportchat.HandlerOption) *supportchat.WebhookReceiver {
	t.Helper()
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	check(t, err)
	opts = append(opts, supportchat.WithOnError(func(_ context.Context, err error) { r.reported = append(r.reported, nameOf(err)) }))
	return supportchat.NewWebhookReceiver(webhooks, func(context.Context, supportchat.Event) error { return nil }, opts...)
}

func TestConsumedBodyIsReported(t *testing.T) {
	delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret})
	for name, f := range frameworks {
		if f.handler == nil {
			continue // its requests keep their body
		}
		for how, before := range map[string]func(*http.Request){
			"read":     func(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) },
			"replaced": func(r *http.Request) { r.Body = http.NoBody },
		} {
			for framing, length := range map[string]int64{"length": int64(len(delivery.Body)), "chunks": -1} {
				t.Run(name+", "+how+", "+framing, func(t *testing.T) {
					r := &recorder{}
					request := delivery.Request(f.serve(t, r.receiver(t), before, 0))
					request.ContentLength = length
					response, err := http.DefaultClient.Do(request)
					check(t, err)
					_ = response.Body.Close()
					if response.StatusCode != 500 || strings.Join(r.reported, " ") != "body_already_parsed" {
						t.Errorf("got %s, reported %v", response.Status, r.reported)
					}
				})
			}
		}
	}
}

func TestBodyOfUnknownLengthIsReceived(t *testing.T) {
	delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret})
	for name, f := range frameworks {
		t.Run(name, func(t *testing.T) {
			request := delivery.Request(f.serve(t, (&recorder{}).receiver(t), untouched, 0))
			request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(delivery.Body)), -1
			response, err := http.DefaultClient.Do(request)
			check(t, err)
			_ = response.Body.Close()
			if response.StatusCode != 204 {
				t.Errorf("got %s", response.Status)
			}
		})
	}
}

func TestSlowSenderIsNotAwaited(t *testing.T) {
	const timeout = 50 * time.Millisecond
	for name, f := range frameworks {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			url := f.serve(t, r.receiver(t, supportchat.WithBodyTimeout(timeout)), untouched, timeout)
			address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/webhooks")
			connection, err := net.Dial("tcp", address)
			check(t, err)
			defer func() { _ = connection.Close() }()
			check(t, connection.SetReadDeadline(time.Now().Add(10*time.Second)))
			_, err = io.WriteString(connection, "POST /webhooks HTTP/1.1\r\nHost: a.test\r\nContent-Length: 300\r\n\r\n{")
			check(t, err)
			received, err := io.ReadAll(connection)
			check(t, err)
			if f.handler != nil && !strings.HasPrefix(string(received), "HTTP/1.1 503 ") {
				t.Errorf("got %q, reported %v", received, r.reported)
			}
		})
	}
}
