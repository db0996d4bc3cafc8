// Package supportchattest makes events and signed deliveries for tests of webhook handlers, and starts the
// mock server. The kinds are those of the contract, with its examples as data, and "future": an event of
// an unknown kind, with unknown fields and an unknown value. Equal calls return equal, independent values.
//
// An invalid argument is a mistake in the test: the functions panic with an error, like those of
// [net/http/httptest].
package supportchattest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"net/http"
	"strings"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// FakeEvent returns an event of a kind: a pointer to the type of the kind, or an
// [*supportchat.UnknownEvent] for "future". The overrides, which may be nil, are merged into the whole event
// under its JSON names: objects field by field, while any other value, including lists and nil, replaces
// the original.
//
//	supportchattest.FakeEvent("some.kind", map[string]any{"data": map[string]any{"reason": "x"}})
func FakeEvent(kind string, overrides map[string]any) supportchat.Event {
	const secret = "whsec_fake"
	webhooks, err := supportchat.NewWebhooks([]string{secret}, supportchat.WithMaxBodyBytes(math.MaxInt64))
	check(err)
	made := FakeDelivery(kind, DeliveryOptions{Secret: secret, Overrides: overrides})
	event, err := webhooks.Unwrap(made.Body, made.Headers)
	check(err)
	return event
}

// DeliveryOptions configure [FakeDelivery].
type DeliveryOptions struct {
	// Secret signs the delivery. It must not be blank.
	Secret string
	// Overrides are merged into the event like those of [FakeEvent]. They may make an event that a
	// verifier refuses.
	Overrides map[string]any
	// SignatureEncoding is hex, base64 or base64url, if the contract has it. The default is that of
	// [supportchat.SignWebhook].
	SignatureEncoding string
}

// A Delivery is a webhook request of the service.
type Delivery struct {
	Body []byte
	// Headers hold the content type, the signature and the kind of the event.
	Headers http.Header
}

// FakeDelivery returns the delivery of a [FakeEvent], with a valid signature.
func FakeDelivery(kind string, opts DeliveryOptions) Delivery {
	_, err := supportchat.NewWebhooks([]string{opts.Secret})
	check(err)
	event := sampleOf(kind)
	merge(event, decoded(encoded(opts.Overrides)))
	body := encoded(event)
	headers := http.Header{}
	headers.Set("Content-Type", "application/json")
	headers.Set(signatureHeader, signaturePrefix+digest(body, opts.Secret, opts.SignatureEncoding))
	if name, isText := event["event"].(string); isText {
		headers.Set(signatureEventHeader, name)
	}
	return Delivery{body, headers}
}

// Request returns the delivery as a request, for an [http.Client] or an [http.Handler].
func (d Delivery) Request(url string) *http.Request {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(d.Body))
	check(err)
	request.Header = d.Headers.Clone()
	return request
}

// A sample is an event as JSON.
type sample struct{ kind, envelope string }

func sampleOf(kind string) map[string]any {
	kinds := make([]string, len(samples))
	for i, s := range samples {
		if s.kind == kind {
			return decoded([]byte(s.envelope))
		}
		kinds[i] = s.kind
	}
	panic(fmt.Errorf("supportchattest: unknown kind %q; the kinds are %s", kind, strings.Join(kinds, ", ")))
}

var encoders = map[string]func(digest []byte) string{
	"hex":       hex.EncodeToString,
	"base64":    base64.StdEncoding.EncodeToString,
	"base64url": base64.RawURLEncoding.EncodeToString,
}

func digest(body []byte, secret, encoding string) string {
	if encoding == "" {
		encoding = signatureEncodings[0]
	}
	for _, name := range signatureEncodings {
		if name == encoding {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write(body)
			return encoders[name](mac.Sum(nil))
		}
	}
	panic(fmt.Errorf("supportchattest: unknown signature encoding %q; the encodings are %s",
		encoding, strings.Join(signatureEncodings, ", ")))
}
