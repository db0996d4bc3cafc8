package supportchat

import (
	"bytes"
	"regexp"
)

// WebhookVerificationError reports a delivery that must not be trusted, or a verifier without a secret. Its
// texts hold no digest, no secret and nothing of the body. They are for your logs: do not send them to the
// sender.
type WebhookVerificationError struct {
	// Code names the first broken rule, such as signature_mismatch.
	Code string
	// Hint names the probable cause and the fix.
	Hint string
	base base
}

// Error returns the hint and the code.
func (e *WebhookVerificationError) Error() string { return packageName + ": " + e.message() }

// Status returns the HTTP status that a receiver returns for the delivery.
func (e *WebhookVerificationError) Status() int {
	if status, isKnown := webhookRefusals[e.Code]; isKnown {
		return status
	}
	return policyWebhooksResponsesFailed
}

// Unwrap returns the error as an [Error] without an outcome.
func (e *WebhookVerificationError) Unwrap() error { return e.base.of(e.message(), "", nil) }

func (e *WebhookVerificationError) message() string { return e.Hint + " (" + e.Code + ")" }

func refused(code string) error {
	return &WebhookVerificationError{Code: code, Hint: webhookHints[code]}
}

// alreadyParsed refuses a body that something read before.
func alreadyParsed() error {
	const cure = "Mount WebhookHandler outside of the middleware that read it, or restore the bytes with r.Body = io.NopCloser(bytes.NewReader(body))."
	return &WebhookVerificationError{
		Code: WebhookCodeBodyAlreadyParsed, Hint: webhookHints[WebhookCodeBodyAlreadyParsed] + " " + cure,
	}
}

var looksLikeBase64 = regexp.MustCompile(`^[\w+/-]+=*$`)

// mismatchHint returns the probable cause of a signature mismatch.
func mismatchHint(body []byte, hasPaddedSecret bool) string {
	switch {
	case hasPaddedSecret:
		return policyWebhooksMismatchesPaddedSecret
	case bytes.HasPrefix(body, []byte("\ufeff")):
		return policyWebhooksMismatchesByteOrderMark
	case looksLikeBase64.Match(body[:min(len(body), 64)]):
		return policyWebhooksMismatchesBase64Body
	}
	return webhookHints[WebhookCodeSignatureMismatch]
}
