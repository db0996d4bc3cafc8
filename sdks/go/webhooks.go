package supportchat

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Webhooks verifies the signatures of deliveries and decodes their events. It is safe for concurrent
// use.
type Webhooks struct {
	keys            keyring
	hasPaddedSecret bool
	tolerance       *time.Duration
	now             func() time.Time
	maxBodyBytes    int64
}

// A WebhookOption configures a [Webhooks].
type WebhookOption func(*Webhooks)

// WithTolerance sets the largest difference between the time of an event and now, in either direction. By
// default any time is accepted, because retries arrive many hours after the event.
func WithTolerance(tolerance time.Duration) WebhookOption {
	return func(w *Webhooks) { w.tolerance = &tolerance }
}

// WithNow sets the clock. The default is [time.Now].
func WithNow(now func() time.Time) WebhookOption {
	return func(w *Webhooks) { w.now = now }
}

// WithMaxBodyBytes sets the limit for the size of a body. The default is 1 MiB.
func WithMaxBodyBytes(count int64) WebhookOption {
	return func(w *Webhooks) { w.maxBodyBytes = count }
}

// NewWebhooks returns a verifier. It takes the signing secret of the endpoint, or during a rotation every
// secret that may still be in use. Without a secret, or if one is blank, it returns a
// [WebhookVerificationError] with the code missing_secret.
func NewWebhooks(secrets []string, opts ...WebhookOption) (*Webhooks, error) {
	if len(secrets) == 0 || slices.ContainsFunc(secrets, isBlank) {
		return nil, refused(WebhookCodeMissingSecret)
	}
	w := &Webhooks{
		keys:            newKeyring(secrets),
		hasPaddedSecret: slices.ContainsFunc(secrets, isPadded),
		now:             time.Now,
		maxBodyBytes:    policyWebhooksMaxBodyBytes,
	}
	for _, opt := range opts {
		opt(w)
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *Webhooks) check() error {
	switch {
	case w.tolerance != nil && *w.tolerance < 0:
		return notSent("The tolerance must be 0 or more.")
	case w.maxBodyBytes < 0:
		return notSent("The limit of the body must be 0 or more.")
	case w.now == nil:
		return notSent("The clock is nil.")
	}
	return nil
}

// Unwrap verifies a delivery and returns its event: a pointer to the type of its kind, or an
// [*UnknownEvent] if this version does not know the kind. If the service has changed, fields of the data
// may be missing or of another type; see [Extra].
//
// The body must be the received bytes, not parsed and encoded again. Every error is a
// [*WebhookVerificationError].
func (w *Webhooks) Unwrap(body []byte, headers http.Header) (Event, error) {
	d, err := w.authenticate(body, headers)
	if err != nil {
		return nil, err
	}
	e, err := readEnvelope(body)
	if err != nil {
		return nil, err
	}
	if d.namesKind && d.kind != e.kind {
		return nil, refused(WebhookCodeEventMismatch)
	}
	if w.tolerance != nil && w.now().Sub(e.moment).Abs() > *w.tolerance {
		return nil, refused(WebhookCodeStaleEvent)
	}
	return e.decode(body), nil
}

// Verify checks only the signature of a delivery, not its form or age. Its errors are those of
// [Webhooks.Unwrap].
func (w *Webhooks) Verify(body []byte, headers http.Header) error {
	_, err := w.authenticate(body, headers)
	return err
}

// SignWebhook signs a body like the service and returns the complete value of the signature header. It
// does not check the secret: no [Webhooks] accepts a signature by a blank one.
func SignWebhook(body []byte, secret string) string {
	digest := newKeyring([]string{secret}).digests(body)[0]
	return string(signatureForms[0].write([]byte(signaturePrefix), digest))
}

// authenticate checks all rules up to signature_mismatch.
func (w *Webhooks) authenticate(body []byte, headers http.Header) (delivery, error) {
	if int64(len(body)) > w.maxBodyBytes {
		return delivery{}, refused(WebhookCodePayloadTooLarge)
	}
	d, err := readDelivery(headers)
	if err == nil && !d.claimed.isOneOf(w.keys.digests(body)) {
		err = &WebhookVerificationError{Code: WebhookCodeSignatureMismatch, Hint: mismatchHint(body, w.hasPaddedSecret)}
	}
	return d, err
}

func isBlank(secret string) bool { return strings.TrimSpace(secret) == "" }

func isPadded(secret string) bool { return strings.TrimSpace(secret) != secret }
