package supportchat

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"runtime"
	"strings"
)

const acceptJSON = "application/json, application/problem+json"

var userAgent = userAgentProduct + "/" + Version + " (" + runtime.Version() + ")"

// An api sends the calls of one client.
type api struct {
	settings settings
	http     *http.Client
}

// An input holds the arguments of a request.
type input struct {
	// Values for the placeholders of the path, in their order.
	path []any
	// A struct of parameters for query and headers, or nil, and parameters that are already written.
	params  any
	query   []string
	headers http.Header
	// Nil if there is no body.
	body any
}

// A draft is a request that can be sent several times.
type draft struct {
	method, template, path, url string
	header                      http.Header
	// Nil if there is no body.
	content []byte
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

// callValue returns the result of any other operation.
func callValue[T any](
	ctx context.Context, a *api, method, template string, in input, opts []RequestOption,
) (result T, err error) {
	err = a.call(ctx, method, template, in, &result, opts)
	return result, err
}

// callByStatus returns the result of an operation whose result type depends on the status.
func callByStatus(
	ctx context.Context, a *api, method, template string, in input, opts []RequestOption,
) (any, error) {
	op := operations[method+" "+template]
	received, err := a.fetch(ctx, method, template, in, op, opts)
	if err != nil || received.isEmpty(op) {
		return nil, err
	}
	result := reflect.New(op.resultType(received.status))
	if err := a.read(received, op, result.Interface()); err != nil {
		return nil, err
	}
	return result.Elem().Interface(), nil
}

// call sends a request and decodes the response into the value that out points to.
func (a *api) call(
	ctx context.Context, method, template string, in input, out any, opts []RequestOption,
) error {
	op := operations[method+" "+template]
	received, err := a.fetch(ctx, method, template, in, op, opts)
	if err != nil || out == nil || received.isEmpty(op) {
		return err
	}
	return a.read(received, op, out)
}

func (a *api) read(received *response, op operation, out any) error {
	if op.plain || isBytes(out) {
		setContent(out, received.content)
		return nil
	}
	if err := decodeJSON(received.text(), out); err != nil {
		return a.invalid("the body is "+err.Error(), received)
	}
	return nil
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
	ctx context.Context, method, template string, in input, op operation, opts []RequestOption,
) (*response, error) {
	settings := a.settings.defaults
	for _, opt := range opts {
		opt.applyToCall(&settings)
	}
	if settings.responseInto != nil {
		*settings.responseInto = nil
	}
	if err := settings.check(); err != nil {
		return nil, err
	}
	draft, err := a.draft(method, template, in, op, settings)
	if err != nil {
		return nil, err
	}
	received, err := a.send(ctx, draft, op, settings)
	if err != nil {
		return nil, err
	}
	if settings.responseInto != nil {
		*settings.responseInto = received.forCaller()
	}
	if !received.isSuccess() {
		return nil, a.apiError(received)
	}
	return received, nil
}

func (a *api) draft(
	method, template string, in input, op operation, settings callSettings,
) (*draft, error) {
	path, err := fillPath(template, in.path)
	if err != nil {
		return nil, err
	}
	query, headers := readParams(in.params)
	query = append(query, in.query...)
	maps.Copy(headers, in.headers)
	made := &draft{method: method, template: template, path: path, header: http.Header{}}
	made.url = *a.settings.baseURL + path
	if len(query) > 0 {
		made.url += "?" + strings.Join(query, "&")
	}
	made.header.Set("Accept", acceptJSON)
	if op.plain {
		made.header.Set("Accept", "*/*")
	}
	made.header.Set(policyHeadersUserAgent, userAgent)
	if credentialHeader != "" {
		made.header.Set(credentialHeader, credentialPrefix+*a.settings.apiKey)
	}
	if err := made.setBody(in.body, op.body); err != nil {
		return nil, notSent("%s %s: the body cannot be serialized: %v.", method, template, err)
	}
	if err := made.setIdempotencyKey(op, settings.idempotencyKey); err != nil {
		return nil, err
	}
	maps.Copy(made.header, headers)
	for _, header := range settings.headers {
		made.header.Del(header.name)
		for _, value := range header.values {
			made.header.Add(header.name, value)
		}
	}
	return made, made.checkHeader()
}

func (d *draft) setBody(body any, format bodyFormat) error {
	if v := reflect.ValueOf(body); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if format == nil {
		format = jsonBody
	}
	contentType, content, err := format(body)
	d.content = content
	d.header.Set("Content-Type", contentType)
	return err
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
	d.header.Set(name, *key)
	return nil
}

// checkHeader refuses names and values that would inject another header. It does not quote a value,
// which may be a secret.
func (d *draft) checkHeader() error {
	for name, values := range d.header {
		if !isToken(name) {
			return notSent("The name of a header is invalid.")
		}
		for _, value := range values {
			if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) {
				return notSent("The value of a header contains a control character or non-ASCII text.")
			}
		}
	}
	return nil
}

func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		isAlphanumeric := '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
		return !isAlphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// newUUID returns a random UUID of version 4 (RFC 9562).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
