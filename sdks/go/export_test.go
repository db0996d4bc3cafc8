package supportchat

import (
	"context"
	"reflect"
	"time"
)

// A TestClock replaces time and randomness.
type TestClock struct {
	Now    time.Time
	Random float64
	Sleeps []time.Duration
}

// WithTestClock sets a clock that stands still and never waits.
func WithTestClock(c *TestClock) ClientOption {
	return func(s *settings) {
		s.clock = clock{
			now:    func() time.Time { return c.Now },
			random: func() float64 { return c.Random },
			sleep:  func(_ context.Context, delay time.Duration) { c.Sleeps = append(c.Sleeps, delay) },
		}
	}
}

// SetOperation adds an operation that the contract does not have, for the duration of the test.
func SetOperation(t interface{ Cleanup(func()) }, key string, op Operation) {
	operations[key] = operation{
		idempotencyHeader: op.IdempotencyHeader,
		retryable:         op.Retryable,
		body:              op.Body,
		plain:             op.Plain,
		optional:          op.Optional,
		results:           op.Results,
		page:              pageFields{model: op.Page, items: op.Items, nextCursor: op.NextCursor, cursorParam: op.CursorParam},
	}
	t.Cleanup(func() { delete(operations, key) })
}

// Operation describes an operation for [SetOperation].
type Operation struct {
	IdempotencyHeader              string
	Retryable, Plain, Optional     bool
	Body                           func(any) (string, []byte, error)
	Results                        map[int]reflect.Type
	Page                           reflect.Type
	Items, NextCursor, CursorParam string
}

// Get calls an operation that the contract does not have.
func Get[T any](ctx context.Context, c *Client, path string, opts ...RequestOption) (*T, error) {
	return call[T](ctx, c.api, "GET", path, input{}, opts)
}

// List fetches a page of a list that the contract does not have.
func List[T any](ctx context.Context, c *Client, path string, opts ...RequestOption) (*Page[T], error) {
	return list[T](ctx, c.api, path, input{}, opts)
}

// SetUnion adds a union that the contract does not have, for the duration of the test.
func SetUnion(t interface{ Cleanup(func()) }, union reflect.Type, tag string, variants map[string]reflect.Type, unknown reflect.Type) {
	unions[union] = taggedUnion{tag: tag, variants: variants, unknown: unknown}
	t.Cleanup(func() { delete(unions, union) })
}

// EncodeJSON and DecodeJSON are the JSON codec of the models.
var (
	EncodeJSON = encodeJSON
	DecodeJSON = decodeJSON
)

// WebhookHints are the hints by their codes.
var WebhookHints = webhookHints

// HeldBy returns the number of events in a store.
func HeldBy(s *MemoryDedupeStore) int {
	return max(len(s.byID), s.byState[LeaseInProgress].Len()+s.byState[LeaseDone].Len())
}

// SignatureEncodings names the encodings that the contract has.
var SignatureEncodings = func() []string {
	var names []string
	for _, form := range signatureForms {
		names = append(names, map[string]string{
			hexForm.alphabet: "hex", base64Form.alphabet: "base64", base64URLForm.alphabet: "base64url",
		}[form.alphabet])
	}
	return names
}()
