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
}

// Error returns the hint and the code.
func (e *WebhookVerificationError) Error() string { return packageName + ": " + e.message() }

// Unwrap returns the error as an [Error].
func (e *WebhookVerificationError) Unwrap() error {
	return &Error{Message: e.message(), Outcome: OutcomeNotSent}
}

func (e *WebhookVerificationError) message() string { return e.Hint + " (" + e.Code + ")" }

func refused(code string) error { return &WebhookVerificationError{code, webhookHints[code]} }

// webhookHints holds the probable cause for each code.
var webhookHints = map[string]string{
	codeMissingSecret:        "A secret is missing or blank.",
	codePayloadTooLarge:      "The body exceeds WithMaxBodyBytes.",
	codeBodyAlreadyParsed:    "A middleware read the body. Mount WebhookHandler outside of it, or restore the bytes with r.Body = io.NopCloser(bytes.NewReader(body)).",
	codeMissingSignature:     signatureHeader + " is missing. Pass all headers of the request.",
	codeDuplicateHeader:      signatureHeader + " or " + signatureEventHeader + " occurs more than once.",
	codeMalformedSignature:   signatureHeader + " is not " + signaturePrefix + " followed by a digest.",
	codeUnsupportedAlgorithm: signatureHeader + " does not start with " + signaturePrefix + ".",
	codeSignatureMismatch:    "The secret is of another endpoint, or the body is not raw: it was parsed and encoded again.",
	codeInvalidEncoding:      "The body is not UTF-8.",
	codeInvalidJSON:          "The body is not valid JSON, is nested too deeply or starts with a byte order mark.",
	codeInvalidEnvelope:      "event, id, occurred_at or data is missing or malformed.",
	codeEventMismatch:        signatureEventHeader + " differs from the event in the body.",
	codeStaleEvent:           "occurred_at is beyond the tolerance. Retries arrive hours later.",
}

var looksLikeBase64 = regexp.MustCompile(`^[\w+/-]+=*$`)

// mismatchHint returns the probable cause of a signature mismatch.
func mismatchHint(body []byte, hasPaddedSecret bool) string {
	switch {
	case hasPaddedSecret:
		return "A secret starts or ends with white space."
	case bytes.HasPrefix(body, []byte("\ufeff")):
		return "The body starts with a byte order mark."
	case looksLikeBase64.Match(body[:min(len(body), 64)]):
		return "The body is base64 (AWS Lambda: IsBase64Encoded)."
	}
	return webhookHints[codeSignatureMismatch]
}
