// Package supportchattest makes events and signed deliveries, to test with what receives them, and
// starts the mock server. The kinds are those of the contract, as its examples show them, and
// "future": an event of a kind, with fields and with a value that no version knows. Calls that are
// alike return the same, and share nothing.
//
// What cannot be made is a mistake of the test, over which the functions panic with an error, as
// those of [net/http/httptest] do.
package supportchattest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// FakeEvent returns the event of a kind: a pointer to the type of the kind, or for "future" an
// [*supportchat.UnknownEvent]. The overrides, which may be nil, are merged into the whole event, with
// its names in JSON: objects member by member, while any other value, lists and nil included, takes
// the place of what is there.
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

// DeliveryOptions say how a delivery is made.
type DeliveryOptions struct {
	// Secret signs the delivery. It must not be blank.
	Secret string
	// Overrides are merged into the event like those of [FakeEvent]. They may make an event that a
	// verifier refuses.
	Overrides map[string]any
	// SignatureEncoding is hex, base64 or base64url, as far as the contract has it. The default is
	// that of [supportchat.SignWebhook].
	SignatureEncoding string
}

// A Delivery is what the service sends.
type Delivery struct {
	Body []byte
	// Headers are the content type, the signature, and the event header, which names the event of the
	// body.
	Headers http.Header
}

// FakeDelivery returns the delivery of an event that [FakeEvent] returns, with a true signature.
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

// Request returns the delivery as a request, which an [http.Client] sends and an [http.Handler] serves.
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
	panic(fmt.Errorf("supportchattest: there is no kind %q; the kinds are %s", kind, strings.Join(kinds, ", ")))
}

// merge puts what is in from into to.
func merge(to, from map[string]any) {
	for name, value := range from {
		old, wasObject := to[name].(map[string]any)
		object, isObject := value.(map[string]any)
		if wasObject && isObject {
			merge(old, object)
		} else {
			to[name] = value
		}
	}
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
	panic(fmt.Errorf("supportchattest: no digest is written as %q; the encodings are %s",
		encoding, strings.Join(signatureEncodings, ", ")))
}

func encoded(value map[string]any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(value))
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}

// decoded keeps numbers as they are written.
func decoded(data []byte) (object map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	check(decoder.Decode(&object))
	return object
}

func check(err error) {
	if err != nil {
		panic(fmt.Errorf("supportchattest: %w", err))
	}
}
