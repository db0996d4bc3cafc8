package supportchat

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Webhooks verifies that deliveries come from the service, and reads their events. It is safe for
// concurrent use.
type Webhooks struct {
	keys            keyring
	hasPaddedSecret bool
	tolerance       *time.Duration
	now             func() time.Time
	maxBodyBytes    int64
}

// A WebhookOption makes a verifier stricter or more lenient.
type WebhookOption func(*Webhooks)

// WithTolerance sets how far the time of an event may be from now, to either side. By default any
// time is accepted, because retries come many hours after the event.
func WithTolerance(tolerance time.Duration) WebhookOption {
	return func(w *Webhooks) { w.tolerance = &tolerance }
}

// WithNow sets the clock; it is [time.Now] by default.
func WithNow(now func() time.Time) WebhookOption {
	return func(w *Webhooks) { w.now = now }
}

// WithMaxBodyBytes sets the largest body that is looked at; 1 MiB by default.
func WithMaxBodyBytes(count int64) WebhookOption {
	return func(w *Webhooks) { w.maxBodyBytes = count }
}

// NewWebhooks returns a verifier. The secrets are the signing secret of the receiving endpoint, or
// during a rotation all that may still be in use. Where there is none or one is blank, it fails with
// the code missing_secret of a [WebhookVerificationError].
func NewWebhooks(secrets []string, opts ...WebhookOption) (*Webhooks, error) {
	if len(secrets) == 0 || slices.ContainsFunc(secrets, isBlank) {
		return nil, refused(codeMissingSecret)
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
		return notSent("The tolerance must not be below 0.")
	case w.maxBodyBytes < 0:
		return notSent("The largest body must not be below 0.")
	case w.now == nil:
		return notSent("The clock is nil.")
	}
	return nil
}

// Unwrap verifies a delivery and returns its event: a pointer to the type of its kind, or an
// [*UnknownEvent] where the kind is newer than this package. Fields of its data may be missing or of
// another type where the service changed; [Extra] tells.
//
// The body is what came, not parsed and not written again. Every failure is a
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
		return nil, refused(codeEventMismatch)
	}
	if w.tolerance != nil && w.now().Sub(e.moment).Abs() > *w.tolerance {
		return nil, refused(codeStaleEvent)
	}
	return e.decode(body), nil
}

// Verify checks the signature of a delivery alone: neither its form nor its age. It fails like
// [Webhooks.Unwrap].
func (w *Webhooks) Verify(body []byte, headers http.Header) error {
	_, err := w.authenticate(body, headers)
	return err
}

// SignWebhook signs a body as the service does, and returns the whole value of the signature header.
// It does not look at the secret: a blank one makes a signature that no [Webhooks] accepts.
func SignWebhook(body []byte, secret string) string {
	digest := newKeyring([]string{secret}).digests(body)[0]
	return string(signatureForms[0].write([]byte(signaturePrefix), digest))
}

// authenticate goes through all rules up to signature_mismatch.
func (w *Webhooks) authenticate(body []byte, headers http.Header) (delivery, error) {
	if int64(len(body)) > w.maxBodyBytes {
		return delivery{}, refused(codePayloadTooLarge)
	}
	d, err := readDelivery(headers)
	if err == nil && !d.claimed.isOneOf(w.keys.digests(body)) {
		err = &WebhookVerificationError{codeSignatureMismatch, mismatchHint(body, w.hasPaddedSecret)}
	}
	return d, err
}

func isBlank(secret string) bool { return strings.TrimSpace(secret) == "" }

func isPadded(secret string) bool { return strings.TrimSpace(secret) != secret }
