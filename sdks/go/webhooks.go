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
	onVerified      func(secretIndex int)
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

// WithOnVerified sets a function that is called for every genuine delivery, with the index of the secret that
// signed it. To end a rotation, wait until the old secret has not signed for a day. The function must be safe
// for concurrent use; if it panics, the delivery is processed all the same.
func WithOnVerified(hook func(secretIndex int)) WebhookOption {
	return func(w *Webhooks) { w.onVerified = hook }
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
		onVerified:      func(int) {},
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
	case w.onVerified == nil:
		return notSent("The function for genuine deliveries is nil.")
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
	if !w.isFresh(e.moment) {
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
	if err != nil {
		return d, err
	}
	secretIndex := d.claimed.indexIn(w.keys.digests(body))
	if secretIndex < 0 {
		return d, &WebhookVerificationError{Code: WebhookCodeSignatureMismatch, Hint: mismatchHint(body, w.hasPaddedSecret)}
	}
	_ = caught(func() error { w.onVerified(secretIndex); return nil })
	return d, nil
}

// isFresh compares times in whole milliseconds, as all SDKs do.
func (w *Webhooks) isFresh(moment time.Time) bool {
	if w.tolerance == nil {
		return true
	}
	age := w.now().UnixMilli() - moment.UnixMilli()
	return max(age, -age) <= w.tolerance.Round(time.Millisecond).Milliseconds()
}

func isBlank(secret string) bool { return trimBlank(secret) == "" }

func isPadded(secret string) bool { return trimBlank(secret) != secret }

func trimBlank(secret string) string {
	return strings.TrimFunc(secret, func(character rune) bool {
		return slices.Contains(policyWebhooksBlankCharacters, int(character))
	})
}
