package supportchat

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

const acceptJSON = "application/json, application/problem+json"

var userAgent = userAgentProduct + "/" + Version + " (" + runtime.Version() + ")"

// An api sends the calls of one client, or one call with options.
type api struct {
	settings settings
	// The number of headers, query parameters and body fields that are the client's. Those of a call follow.
	ownHeaders, ownQuery, ownFields int
}

// with returns the api for a call with options.
func (a *api) with(opts []RequestOption) (*api, error) {
	if len(opts) == 0 {
		return a, nil
	}
	made := *a
	made.settings = a.settings.with(opts)
	return &made, made.settings.resolve()
}

// An input holds the arguments of a request.
type input struct {
	// Values for the placeholders of the path, in their order.
	path []any
	// A struct of parameters for query and headers, or nil, and parameters that are already written.
	params  any
	query   []string
	headers []header
	// Nil if there is no body.
	body any
	// Whether a nil body is an error.
	needsBody bool
}

// A draft is a request that can be sent several times.
type draft struct {
	method, template, path string
	url                    url.URL
	// One for each name.
	headers []header
	// Nil if there is no body.
	content []byte
	// Room for the usual number of headers.
	room [6]header
}

// call returns the result of an operation that returns a model.
func call[T any](
	ctx context.Context, a *api, method, template string, in input, opts []RequestOption,
) (*T, error) {
	result := new(T)
	if err := a.call(ctx, method, template, in, result, opts); err != nil {
		return nil, err
	}
	return result, nil
}

// call sends a request and decodes the response into the value that out points to.
func (a *api) call(
	ctx context.Context, method, template string, in input, out any, opts []RequestOption,
) error {
	a, err := a.with(opts)
	if err != nil {
		return err
	}
	op := operations[method+" "+template]
	received, err := a.fetch(ctx, method, template, in, op)
	if err != nil || out == nil || received.isEmpty(op) {
		return err
	}
	return a.read(ctx, received, op, out)
}

func (a *api) read(ctx context.Context, received *response, op operation, out any) error {
	if op.plain || isBytes(out) {
		setContent(out, received.content)
		return nil
	}
	found, err := decodeReporting(received.text(), out)
	if err != nil {
		return a.invalid("the body is "+err.Error(), received)
	}
	return a.report(ctx, received, found)
}

func isBytes(out any) bool {
	_, ok := out.(*[]byte)
	return ok
}

// setContent stores a body as a string or as bytes.
func setContent(out any, content []byte) {
	v := reflect.ValueOf(out).Elem()
	v.Set(reflect.ValueOf(content).Convert(v.Type()))
}

// fetch sends a request and returns the response if it is a success.
func (a *api) fetch(
	ctx context.Context, method, template string, in input, op operation,
) (*response, error) {
	if ctx == nil {
		return nil, notSent("The context is nil.")
	}
	if into := a.settings.responseInto; into != nil {
		*into = nil
	}
	if into := a.settings.requestIDInto; into != nil {
		*into = ""
	}
	draft, err := a.draft(method, template, in, op)
	if err != nil {
		return nil, err
	}
	received, err := a.send(ctx, draft, op)
	if err != nil {
		return nil, err
	}
	if into := a.settings.responseInto; into != nil {
		*into = received.forCaller()
	}
	if into := a.settings.requestIDInto; into != nil {
		*into = received.requestID()
	}
	if !received.isSuccess() {
		return nil, a.apiError(received)
	}
	return received, nil
}

func (a *api) draft(method, template string, in input, op operation) (*draft, error) {
	path, err := fillPath(template, in.path)
	if err != nil {
		return nil, err
	}
	query, headers := readParams(in.params)
	query = a.settings.mergedQuery(append(query, in.query...), a.ownQuery)
	made := &draft{method: method, template: template, path: path}
	made.headers = made.room[:0]
	made.url = url.URL{Scheme: a.settings.base.Scheme, Host: a.settings.base.Host, RawQuery: strings.Join(query, "&")}
	made.url.RawPath = a.settings.base.EscapedPath() + path
	made.url.Path, err = url.PathUnescape(made.url.RawPath)
	if err != nil || !isToken(method) {
		return nil, notSent("%s %s: the request cannot be written.", method, template)
	}
	accept := acceptJSON
	if op.plain {
		accept = "*/*"
	}
	made.set("Accept", accept)
	made.set(policyHeadersUserAgent, userAgent)
	if credentialHeader != "" {
		made.set(credentialHeader, a.settings.credential)
	}
	made.setHeaders(a.settings.headers[:a.ownHeaders])
	if in.needsBody && isNil(in.body) {
		return nil, notSent("%s %s: the body is nil.", method, template)
	}
	fields := a.settings.bodyFields
	if method == http.MethodGet || method == http.MethodHead {
		if len(fields) > a.ownFields {
			return nil, notSent("A %s request has no body. Use WithQuery instead.", method)
		}
		fields = nil
	}
	if err := made.setBody(in.body, op.body, fields); err == errNoObject {
		return nil, err
	} else if err != nil {
		return nil, notSent("%s %s: the body cannot be serialized: %v.", method, template, err)
	}
	if err := made.setIdempotencyKey(op, a.settings.idempotencyKey); err != nil {
		return nil, err
	}
	made.setHeaders(headers)
	made.setHeaders(in.headers)
	made.setHeaders(a.settings.headers[a.ownHeaders:])
	return made, made.checkHeaders()
}

// setHeaders sets or removes headers.
func (d *draft) setHeaders(headers []header) {
	for _, one := range headers {
		d.headers = slices.DeleteFunc(d.headers, func(h header) bool { return h.name == one.name })
		if !one.isRemoved {
			d.headers = append(d.headers, one)
		}
	}
}

func (d *draft) set(name, value string) { d.setHeaders([]header{{name: name, value: value}}) }

// header returns the headers for one request.
func (d *draft) header() http.Header {
	made := make(http.Header, len(d.headers))
	values := make([]string, len(d.headers))
	for i, one := range d.headers {
		values[i] = one.value
		made[one.name] = values[i : i+1 : i+1]
	}
	return made
}

func (d *draft) setBody(body any, format bodyFormat, fields []bodyField) error {
	switch {
	case !isNil(body):
	case len(fields) == 0:
		return nil
	default:
		body = map[string]any{}
	}
	if format == nil {
		format = jsonBody
	}
	contentType, content, err := format(body)
	if err == nil && len(fields) > 0 {
		content, err = withFields(content, fields)
	}
	d.content = content
	d.set("Content-Type", contentType)
	return err
}

// isNil reports whether there is no body. A nil list or map is one.
func isNil(body any) bool {
	v := reflect.ValueOf(body)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// setIdempotencyKey sets the key once, so that every attempt carries the same one.
func (d *draft) setIdempotencyKey(op operation, key *string) error {
	name := op.idempotencyHeader
	switch {
	case key == nil && name == "":
		return nil
	case key == nil:
		fresh := newUUID()
		key = &fresh
	case !visibleASCII.MatchString(*key):
		return notSent("The idempotency key must be visible ASCII.")
	case name == "":
		name = policyHeadersIdempotencyKey
	}
	d.set(name, *key)
	return nil
}

// checkHeaders refuses names and values that would inject another header. It does not quote a value,
// which may be a secret.
func (d *draft) checkHeaders() error {
	for _, one := range d.headers {
		if !isToken(one.name) {
			return notSent("The name of a header is invalid.")
		}
		if strings.ContainsFunc(one.value, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) {
			return notSent("The value of a header contains a control character or non-ASCII text.")
		}
	}
	return nil
}

func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !isAlphanumeric(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// newUUID returns a random UUID of version 4 (RFC 9562).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	text := hex.EncodeToString(b[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
