package supportchattest

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// An API is a server in the test that responds to every operation with the example of the contract. What a
// POST creates comes back from later calls. It checks neither credentials nor requests; for the whole
// behaviour of the service, use [StartMockServer]. It is safe for concurrent use.
//
// Operations are named by their method and path, such as "GET /v1/things/{id}". An operation that the
// contract does not have is a mistake in the test: the methods panic.
type API struct {
	// URL is the base URL for clients.
	URL string

	operations []*mockedOperation
	failures   map[int]declaredFailure

	mu        sync.Mutex
	memory    apiMemory
	overrides []*override
}

// A mockedOperation says how an operation responds.
type mockedOperation struct {
	ID          string
	Status      int
	ContentType string
	Examples    []json.RawMessage
	Creates     *struct {
		Key     *string
		Sent    []string
		Parents map[string]string
	}
	Reads *struct{ Key, Parameter string }
	Holds map[string]string
	Lists *struct {
		Items  *string
		Fields []string
	}

	method string
	path   *regexp.Regexp
	names  []string
}

type declaredFailure struct {
	Status      int
	ContentType string
	Example     json.RawMessage
}

// An override responds instead of the contract's example.
type override struct {
	operation string // empty for all
	left      int    // negative without end
	handler   http.Handler
}

// An APIFailure is an error response. The body is the contract's example for the status, or an RFC 9457
// problem for a status that the contract does not declare.
type APIFailure struct {
	// Status is the status, at least 400.
	Status int
	// RetryAfter is how long the client should wait. 0 sends no header.
	RetryAfter time.Duration
	// Times is how many requests fail. 0 is all of them.
	Times int
	// Body is merged into the body under its JSON names.
	Body map[string]any
}

// NewAPI starts an API that stops with the test.
//
//	func TestShop(t *testing.T) {
//		api := supportchattest.NewAPI(t)
//		client, err := supportchat.NewClient(supportchat.WithBaseURL(api.URL), supportchat.WithAPIKey("sk_test"))
//		api.Fail("", supportchattest.APIFailure{Status: 429, RetryAfter: 2 * time.Second, Times: 1})
//	}
func NewAPI(t testing.TB) *API {
	t.Helper()
	a := &API{failures: map[int]declaredFailure{}}
	for _, text := range operationMocks {
		operation := &mockedOperation{}
		check(json.Unmarshal([]byte(text), operation))
		operation.compile()
		a.operations = append(a.operations, operation)
	}
	for _, text := range declaredFailures {
		var failure declaredFailure
		check(json.Unmarshal([]byte(text), &failure))
		a.failures[failure.Status] = failure
	}
	a.Reset()
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	a.URL = server.URL
	return a
}

// Reset forgets what was created, and undoes Respond, Handle and Fail.
func (a *API) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.overrides = nil
	a.memory = newAPIMemory()
}

// Respond sets the data with which an operation succeeds, such as a fixture: any value that [json.Marshal] takes.
func (a *API) Respond(operation string, data any) {
	o := a.operation(operation)
	body, err := json.Marshal(data)
	check(err)
	a.override(&override{operation: operation, left: -1, handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { respond(w, o.Status, o.ContentType, body) },
	)})
}

// Handle lets a handler respond to an operation.
func (a *API) Handle(operation string, handler http.HandlerFunc) {
	a.operation(operation)
	a.override(&override{operation: operation, left: -1, handler: handler})
}

// Fail lets an operation fail, or every operation where it is empty. The newest call of Fail, Respond or Handle
// counts.
func (a *API) Fail(operation string, failure APIFailure) {
	if operation != "" {
		a.operation(operation)
	}
	if failure.Status < 400 || failure.Status > 599 || failure.Times < 0 || failure.RetryAfter < 0 {
		panic(fmt.Errorf("supportchattest: %+v is no failure: the status is from 400 to 599, and the rest 0 or more", failure))
	}
	contentType, body := a.problem(failure.Status, failure.Body)
	left := failure.Times
	if left == 0 {
		left = -1
	}
	a.override(&override{operation: operation, left: left, handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			if seconds := failure.RetryAfter.Seconds(); seconds > 0 {
				w.Header().Set(delayHeader, strconv.Itoa(int(math.Ceil(seconds))))
				if seconds != math.Trunc(seconds) {
					w.Header().Set(delayMillisecondsHeader, strconv.FormatInt(failure.RetryAfter.Milliseconds(), 10))
				}
			}
			if id, isText := body["request_id"].(string); isText {
				w.Header().Set(requestIDHeader, id)
			}
			if contentType == "" {
				w.WriteHeader(failure.Status)
				return
			}
			respond(w, failure.Status, contentType, encoded(body))
		},
	)})
}

// problem returns the body of an error response.
func (a *API) problem(status int, overrides map[string]any) (contentType string, body map[string]any) {
	contentType = "application/problem+json"
	body = map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": status}
	if declared, isDeclared := a.failures[status]; isDeclared {
		contentType, body = declared.ContentType, map[string]any{}
		if example, isObject := decodedValue(declared.Example).(map[string]any); isObject {
			body = example
		}
	}
	if overrides != nil {
		merge(body, decoded(encoded(overrides)))
	}
	return contentType, body
}

func (a *API) override(o *override) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.overrides = append(a.overrides, o)
}

func (a *API) operation(id string) *mockedOperation {
	ids := make([]string, len(a.operations))
	for i, o := range a.operations {
		if o.ID == id {
			return o
		}
		ids[i] = o.ID
	}
	panic(fmt.Errorf("supportchattest: unknown operation %q; the operations are %s", id, strings.Join(ids, ", ")))
}

// ServeHTTP responds to a request. Paths without an operation get 404.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, o := range a.operations {
		values := o.path.FindStringSubmatch(r.URL.EscapedPath())
		if o.method != r.Method || values == nil {
			continue
		}
		if handler := a.overriding(o.ID); handler != nil {
			handler.ServeHTTP(w, r)
			return
		}
		params := map[string]string{}
		for i, name := range o.names {
			params[name] = values[i+1]
			if text, err := url.PathUnescape(values[i+1]); err == nil && utf8.ValidString(text) {
				params[name] = text
			}
		}
		body, _ := io.ReadAll(r.Body)
		a.mu.Lock()
		content := a.memory.respond(o, strings.TrimSuffix(r.URL.EscapedPath(), "/"), params, body)
		a.mu.Unlock()
		if o.ContentType == "" {
			w.WriteHeader(o.Status)
			return
		}
		respond(w, o.Status, o.ContentType, content)
		return
	}
	detail := fmt.Sprintf("The contract has no %s %s.", r.Method, r.URL.EscapedPath())
	problem := map[string]any{"type": "about:blank", "title": "Not Found", "status": http.StatusNotFound, "detail": detail}
	respond(w, http.StatusNotFound, "application/problem+json", encoded(problem))
}

// overriding returns the newest handler for an operation that is not used up, or nil.
func (a *API) overriding(id string) http.Handler {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range slices.Backward(a.overrides) {
		if o.left == 0 || o.operation != "" && o.operation != id {
			continue
		}
		o.left--
		return o.handler
	}
	return nil
}

func respond(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

var pathParameter = regexp.MustCompile(`\{([^}]*)\}`)

// compile reads the method, the path and its parameters from the id.
func (o *mockedOperation) compile() {
	method, template, _ := strings.Cut(o.ID, " ")
	o.method = method
	pattern, end := "^", 0
	for _, at := range pathParameter.FindAllStringSubmatchIndex(template, -1) {
		pattern += regexp.QuoteMeta(template[end:at[0]]) + "([^/]+?)"
		o.names = append(o.names, template[at[2]:at[3]])
		end = at[1]
	}
	o.path = regexp.MustCompile(pattern + regexp.QuoteMeta(template[end:]) + "/?$")
}
